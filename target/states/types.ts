/** Params of the states `agent`, `execution-failure` and `purpose-required`; amounts in the smallest currency unit. */
export interface AgentParams {
  /** Permissions of the policy. Default: all. */
  readonly permissions?: readonly string[];
  /** Default AUTO. */
  readonly execution?: 'AUTO' | 'APPROVAL_REQUIRED';
  /** Amounts strictly above need the platform's approval. */
  readonly approvalThreshold?: number;
  /** Largest amount of one transfer. */
  readonly perTransactionLimit?: number;
  /** Largest sum of a day. */
  readonly dailyLimit?: number;
  /** Balance of the source account. Default: ample. */
  readonly balance?: number;
  readonly currency?: string;
  /** Rails that the destination account must support. */
  readonly rails?: readonly string[];
}

/** Values of the states `agent`, `execution-failure` and `purpose-required`. */
export interface AgentState {
  readonly agentId: string;
  readonly accessToken: string;
  readonly customerId: string;
  /** An internal account of the agent's customer. */
  readonly sourceAccountId: string;
  /** An external account of the agent's customer. */
  readonly destinationAccountId: string;
  readonly currency: string;
  readonly platformCustomerId?: string;
  /** Rails of the destination account, where known. */
  readonly supportedRails?: readonly string[];
  readonly balance?: number;
  /** State `execution-failure` only: an amount whose execution fails. */
  readonly amount?: number;
}

/** Values of the state `foreign-accounts`: a customer that no agent of the test acts for. */
export interface ForeignAccountsState {
  readonly customerId: string;
  readonly internalAccountId: string;
  readonly externalAccountId: string;
}

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
interface PaymentLimits {
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
  /** Whether the acceptance of the end-user terms is on file. Default true. */
  readonly termsAccepted?: boolean;
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
  /** One with a receiver. */
  readonly umaAddress?: string;
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
interface EnrolledPasskey {
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
  /** Bodies of PATCH /config: fees of one kind, of both, and none. */
  readonly variable?: object;
  readonly fixed?: object;
  readonly both?: object;
  readonly none?: object;
  /** A value of `platformFeeOverride` that gives another fee than the configured one. */
  readonly feeOverride: unknown;
}

/** Values of the state `agent-quote`, beside those of `agent`. */
export interface AgentQuoteValues {
  /** A legal body of POST /agents/me/quotes. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Credential types that a state can put on an account; the others are registered by the test that holds their key. */
export type OtpType = 'EMAIL_OTP' | 'SMS_OTP';

/** Params of the state `wallet-account`. */
export interface WalletAccountParams {
  /** Exactly these credentials; none unless given. */
  readonly credentials?: readonly OtpType[];
}

/** Values of the state `wallet-account`: an embedded wallet account of a customer of its own. */
export interface WalletAccountState {
  /** The embedded wallet, InternalAccount:uuid. */
  readonly accountId: string;
  readonly customerId: string;
  readonly credentials: readonly { readonly id: string; readonly type: OtpType }[];
  /** Where one-time codes go. */
  readonly email?: string;
  readonly phone?: string;
  /** So many challenges for one credential without a pause get at least one 429, where the target can say it. */
  readonly challengeLimit?: number;
}

/** Values of the state `wallet-payment`: a Global Account with money, beside an ordinary account of the same customer. */
export interface WalletPaymentState extends WalletAccountState {
  readonly agentId: string;
  /** Of an agent whose policy permits transfers without approval. */
  readonly accessToken: string;
  /** The ordinary internal account, with money too. */
  readonly sourceAccountId: string;
  /** An external account that a transfer-out from either account can go to. */
  readonly destinationAccountId: string;
  /** A legal POST /quotes body from the Global Account. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The same from the ordinary account. */
  readonly ordinaryBody: Readonly<Record<string, unknown>>;
}
