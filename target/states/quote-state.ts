/** Params of the state `customer`; amounts in the smallest unit of the currency. */
export interface CustomerParams {
  /** Balance of the source account. Default: ample. */
  readonly balance?: number;
  readonly currency?: string;
  readonly destinationCurrency?: string;
  /** Whether the acceptance of the end-user terms is on file. Default true. */
  readonly termsAccepted?: boolean;
  /** Default true. */
  readonly ready?: boolean;
  /** Whether the destination is enabled for the source account. Default true. */
  readonly counterpartyEnabled?: boolean;
  /** The execution of a quote to the destination fails after the debit. */
  readonly executionFails?: boolean;
  readonly ownPlatform?: boolean;
  readonly destinationKind?: 'ACCOUNT' | 'UMA_ADDRESS';
  /** Of the destination account. Default ACTIVE; PENDING is PENDING_OWNERSHIP_VERIFICATION. */
  readonly ownership?: 'PENDING' | 'ACTIVE' | 'UNVERIFIED';
  /** Limits in force for this customer. */
  readonly limits?: PaymentLimits;
  /** Whether the payment provider mandates contact verification. */
  readonly contactVerification?: boolean;
}

/** Limits in force for one customer; amounts count as totalSendingAmount. */
export interface PaymentLimits {
  /** Largest amount of one transaction. */
  readonly transactionSize?: number;
  /** Largest sum of a day. */
  readonly dailyVolume?: number;
  /** Most payments to one destination in a day. */
  readonly velocity?: number;
  /** Below it, a destination whose ownership is not verified takes payments. */
  readonly ownershipThreshold?: number;
}

/** Params of the state `quote-source`. */
export interface QuoteSourceParams {
  /** Default ACCOUNT. */
  readonly kind?: 'ACCOUNT' | 'REALTIME_FUNDING';
  /** A PaymentAccountType: the payment instructions are of this variant. */
  readonly accountType?: string;
  /** Fixed platform fee in force, on a platform of its own; 0 means that none is. */
  readonly platformFee?: number;
  readonly destinationKind?: 'ACCOUNT' | 'UMA_ADDRESS';
  readonly currency?: string;
  readonly destinationCurrency?: string;
  readonly balance?: number;
}

/** Params of the state `sca-customer`. */
export interface ScaCustomerParams {
  /** Challenges that a quote takes, 1 to 10. Default 2. */
  readonly challenges?: number;
  readonly factor?: string;
  readonly availableFactors?: readonly string[];
  /** Whether an SCA session is live. Default true. */
  readonly loggedIn?: boolean;
  readonly locked?: boolean;
  /** Label of each step; null leaves it out. */
  readonly purposes?: readonly (string | null)[];
  readonly kind?: 'ACCOUNT' | 'REALTIME_FUNDING';
  readonly currency?: string;
  readonly destinationCurrency?: string;
}

/** Values of the states `customer` and `quote-source`: a customer, and a quote that may be asked for. */
export interface CustomerState {
  readonly customerId: string;
  /** A legal body of POST /quotes. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly sourceAccountId?: string;
  readonly destinationAccountId?: string;
  readonly currency?: string;
  readonly destinationCurrency?: string;
  /** Version of the current end-user terms. */
  readonly termsVersion?: string;
  /** A well-formed UMA address without a receiver. */
  readonly unknownUmaAddress?: string;
  /** Signs for the destination account: 32-byte seed, hexadecimal. */
  readonly wallet?: { readonly scheme: string; readonly privateKey: string };
  /** Right for every contact verification, where the payment provider mandates it. */
  readonly contactCode?: string;
  /** Basic credentials of a platform of its own; the profile's where absent. */
  readonly clientId?: string;
  readonly clientSecret?: string;
}

/** A passkey that is enrolled for an SCA customer. */
export interface EnrolledPasskey {
  /** Base64url. */
  readonly credentialId: string;
  /** 32-byte P-256 scalar, hexadecimal. */
  readonly privateKey: string;
  readonly rpId: string;
  readonly origin: string;
  /** Base64url. */
  readonly userHandle?: string;
}

/** Values of the state `sca-customer`. */
export interface ScaCustomerState extends CustomerState {
  /** Right for every SMS challenge. */
  readonly smsCode?: string;
  readonly passkey?: EnrolledPasskey;
  /** How many challenges a quote surely takes. Without it no count is known. */
  readonly challenges?: number;
}

/** Values of the state `platform-config`, as far as quotes go. */
export interface PlatformConfigState extends CustomerState {
  /** A value of `platformFeeOverride` that gives another fee than the configured one. */
  readonly feeOverride: unknown;
}

/** Values of the state `agent-quote`, beside those of `agent`. */
export interface AgentQuoteValues {
  /** A legal body of POST /agents/me/quotes. */
  readonly body: Readonly<Record<string, unknown>>;
}
