/**
 * Types of the contract, generated from schemas/openapi.yaml by `npm run types`. Do not edit.
 * Conditions between fields (if, then) are for the validator; here such fields are simply optional.
 */

/**
 * ISO 8601 date and time in UTC. Z, z, +00:00 and -00:00 all say UTC; fractions of a second are free.
 */
export type Timestamp = string;
/**
 * Integer of 64 bits.
 */
export type Int64 = number;
/**
 * Amount above zero, in the smallest unit of its currency.
 */
export type PositiveInt64 = number;
/**
 * Amount of zero or more, in the smallest unit of its currency.
 */
export type NonNegativeInt64 = number;
export type AgentActionId = string;
export type AgentId = string;
export type CustomerId = string;
export type InternalAccountId = string;
export type ExternalAccountId = string;
export type QuoteId = string;
export type TransactionId = string;
export type ScaChallengeId = string;
export type AuthMethodId = string;
export type SessionId = string;
export type RequestId = string;
/**
 * A record of any kind.
 */
export type RecordId = string;
/**
 * Internal or external account.
 */
export type AccountId = string;
/**
 * Error message for people.
 */
export type ErrorMessage = string;
export type ErrorCode400 =
  | 'INVALID_INPUT'
  | 'END_USER_TERMS_VERSION_NOT_FOUND'
  | 'MISSING_MANDATORY_USER_INFO'
  | 'INVITATION_ALREADY_CLAIMED'
  | 'INVITATIONS_NOT_CONFIGURED'
  | 'INVALID_UMA_ADDRESS'
  | 'INVITATION_CANCELLED'
  | 'QUOTE_REQUEST_FAILED'
  | 'INVALID_PAYREQ_RESPONSE'
  | 'INVALID_RECEIVER'
  | 'PARSE_PAYREQ_RESPONSE_ERROR'
  | 'CERT_CHAIN_INVALID'
  | 'CERT_CHAIN_EXPIRED'
  | 'INVALID_PUBKEY_FORMAT'
  | 'MISSING_REQUIRED_UMA_PARAMETERS'
  | 'SENDER_NOT_ACCEPTED'
  | 'AMOUNT_OUT_OF_RANGE'
  | 'INVALID_CURRENCY'
  | 'INVALID_TIMESTAMP'
  | 'INVALID_NONCE'
  | 'INVALID_REQUEST_FORMAT'
  | 'INVALID_BANK_ACCOUNT'
  | 'SELF_PAYMENT'
  | 'LOOKUP_REQUEST_FAILED'
  | 'PARSE_LNURLP_RESPONSE_ERROR'
  | 'INVALID_AMOUNT'
  | 'WEBHOOK_ENDPOINT_NOT_SET'
  | 'WEBHOOK_DELIVERY_ERROR'
  | 'LOW_QUALITY'
  | 'DATA_MISMATCH'
  | 'EXPIRED'
  | 'SUSPECTED_FRAUD'
  | 'UNSUITABLE_DOCUMENT'
  | 'INCOMPLETE'
  | 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS'
  | 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS'
  | 'PASSKEY_CREDENTIAL_ALREADY_EXISTS'
  | 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'
  | 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED'
  | 'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED'
  | 'CARDHOLDER_KYC_NOT_APPROVED'
  | 'TRANSACTION_SIZE_LIMIT_EXCEEDED'
  | 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED';
export type ErrorCode401 =
  | 'UNAUTHORIZED'
  | 'INVALID_SIGNATURE'
  | 'WALLET_SIGNATURE_MISSING'
  | 'WALLET_SIGNATURE_MALFORMED'
  | 'WALLET_SIGNATURE_BODY_MISMATCH'
  | 'WALLET_SIGNATURE_INVALID'
  | 'REQUEST_ID_MISSING';
export type ErrorCode403 =
  | 'FORBIDDEN'
  | 'USER_NOT_READY'
  | 'COUNTERPARTY_NOT_ALLOWED'
  | 'VELOCITY_LIMIT_EXCEEDED'
  | 'END_USER_TERMS_NOT_ACCEPTED';
export type ErrorCode404 =
  | 'TRANSACTION_NOT_FOUND'
  | 'INVITATION_NOT_FOUND'
  | 'USER_NOT_FOUND'
  | 'QUOTE_NOT_FOUND'
  | 'LOOKUP_REQUEST_NOT_FOUND'
  | 'TOKEN_NOT_FOUND'
  | 'BULK_UPLOAD_JOB_NOT_FOUND'
  | 'REFERENCE_NOT_FOUND'
  | 'UMA_NOT_FOUND'
  | 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND';
export type ErrorCode500 = 'SERVICE_SWITCH_ERROR' | 'INTERNAL_ERROR';
export type AgentActionStatus = 'PENDING_APPROVAL' | 'APPROVED' | 'REJECTED' | 'FAILED';
export type AgentActionType = 'EXECUTE_QUOTE' | 'TRANSFER_OUT' | 'TRANSFER_IN';
export type PurposeOfPayment =
  | 'GIFT'
  | 'SELF'
  | 'GOODS_OR_SERVICES'
  | 'EDUCATION'
  | 'HEALTH_OR_MEDICAL'
  | 'REAL_ESTATE_PURCHASE'
  | 'TAX_PAYMENT'
  | 'LOAN_PAYMENT'
  | 'UTILITY_BILL'
  | 'DONATION'
  | 'TRAVEL'
  | 'FAMILY_SUPPORT'
  | 'SALARY_PAYMENT'
  | 'OTHER';
export type PaymentRail =
  | 'ACH'
  | 'ACH_COLOMBIA'
  | 'BANK_TRANSFER'
  | 'BRE_B'
  | 'CIPS'
  | 'FAST'
  | 'FASTER_PAYMENTS'
  | 'FEDNOW'
  | 'INSTAPAY'
  | 'MOBILE_MONEY'
  | 'NEFT'
  | 'PAYNOW'
  | 'PESONET'
  | 'PIX'
  | 'RTGS'
  | 'RTP'
  | 'SEPA'
  | 'SEPA_INSTANT'
  | 'SPEI'
  | 'SWIFT'
  | 'UNIONPAY'
  | 'UPI'
  | 'WIRE';
/**
 * One of three kinds, told apart by `type`. Their other fields are not shown; `platformFees` (outgoing) and `pendingReason` (any) are named in the version history.
 */
export type Transaction = {
  type: 'INCOMING' | 'OUTGOING' | 'CARD';
  platformFees?: unknown;
  pendingReason?: unknown;
  [k: string]: unknown | undefined;
} & Transaction1;
export type Transaction1 = IncomingTransaction | OutgoingTransaction | CardTransaction;
export type QuoteStatus =
  'PENDING' | 'PENDING_AUTHORIZATION' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
/**
 * An account, or funding in real time. Only the discriminator is shown; the other fields are open.
 */
export type QuoteSource = {
  sourceType: 'ACCOUNT' | 'REALTIME_FUNDING';
} & QuoteSource1;
export type QuoteSource1 = AccountQuoteSource | RealtimeFundingQuoteSource;
/**
 * An account or a UMA address. Only the discriminator is shown; the other fields are open.
 */
export type QuoteDestination = {
  destinationType: 'ACCOUNT' | 'UMA_ADDRESS';
} & QuoteDestination1;
export type QuoteDestination1 = AccountQuoteDestination | UmaAddressQuoteDestination;
/**
 * Where to pay. One of many variants, told apart by `accountType`.
 */
export type AccountOrWalletInfo = {
  accountType: PaymentAccountType;
  paymentRails?: PaymentRail[];
  accountNumber?: string;
  routingNumber?: string;
  bankName?: string;
  reference?: string;
  assetType?: string;
  address?: string;
  invoice?: string;
} & AccountOrWalletInfo1;
export type PaymentAccountType =
  | 'USD_ACCOUNT'
  | 'BRL_ACCOUNT'
  | 'MXN_ACCOUNT'
  | 'DKK_ACCOUNT'
  | 'EUR_ACCOUNT'
  | 'INR_ACCOUNT'
  | 'NGN_ACCOUNT'
  | 'CAD_ACCOUNT'
  | 'GBP_ACCOUNT'
  | 'HKD_ACCOUNT'
  | 'IDR_ACCOUNT'
  | 'MYR_ACCOUNT'
  | 'PHP_ACCOUNT'
  | 'SGD_ACCOUNT'
  | 'THB_ACCOUNT'
  | 'VND_ACCOUNT'
  | 'AED_ACCOUNT'
  | 'KES_ACCOUNT'
  | 'MWK_ACCOUNT'
  | 'RWF_ACCOUNT'
  | 'TZS_ACCOUNT'
  | 'UGX_ACCOUNT'
  | 'XOF_ACCOUNT'
  | 'ZAR_ACCOUNT'
  | 'ZMW_ACCOUNT'
  | 'BWP_ACCOUNT'
  | 'XAF_ACCOUNT'
  | 'BDT_ACCOUNT'
  | 'ARS_ACCOUNT'
  | 'COP_ACCOUNT'
  | 'EGP_ACCOUNT'
  | 'GHS_ACCOUNT'
  | 'GTQ_ACCOUNT'
  | 'HTG_ACCOUNT'
  | 'JMD_ACCOUNT'
  | 'PKR_ACCOUNT'
  | 'SLV_ACCOUNT'
  | 'SWIFT_ACCOUNT'
  | 'CNY_ACCOUNT'
  | 'SPARK_WALLET'
  | 'LIGHTNING'
  | 'SOLANA_WALLET'
  | 'TRON_WALLET'
  | 'PLASMA_WALLET'
  | 'POLYGON_WALLET'
  | 'BASE_WALLET'
  | 'ETHEREUM_WALLET'
  | 'BITCOIN_L1'
  | 'EMBEDDED_WALLET';
export type AccountOrWalletInfo1 = BankAccountInfo | WalletInfo | InvoiceWalletInfo;
/**
 * Factor of a challenge. The full set is not shown, so any non-empty text is let through.
 */
export type ScaFactor = string;
/**
 * The action that a transfer-out answers with; an automatically executed one already carries its transaction.
 */
export type TransferOutAction = AgentAction;
export type CredentialType = 'PASSKEY' | 'OAUTH' | 'EMAIL_OTP' | 'SMS_OTP';
/**
 * Bytes as base64url text; padding is let through.
 */
export type Base64Url = string;
/**
 * Public key on P-256 as hex text.
 */
export type HexKey = string;
/**
 * Text that is itself JSON.
 */
export type JsonText = string;
/**
 * Answer to the challenge of an EMAIL_OTP credential; SMS_OTP follows the same flow.
 */
export type ChallengeEmailOtp = AuthMethod & {
  otpEncryptionTargetBundle: unknown;
};
/**
 * What a session from a one-time code has besides.
 */
export type AuthSessionEmailOtpFields = {
  encryptedSessionSigningKey?: null;
} & {
  id: unknown;
  accountId: unknown;
  type: unknown;
  createdAt: unknown;
  updatedAt: unknown;
};
/**
 * Session from EMAIL_OTP; SMS_OTP follows the same flow.
 */
export type AuthSessionEmailOtp = AuthSession & AuthSessionEmailOtpFields;
/**
 * Session from OAUTH or PASSKEY.
 */
export type AuthSessionSealed = AuthSession & {
  encryptedSessionSigningKey: unknown;
};
/**
 * Any kind, as far as it can be told from the body alone.
 */
export type VerifiedSession = AuthSession;
/**
 * The same, with the type of the credential.
 */
export type CredentialSignedRetryChallenge = SignedRetryChallenge & {
  type: unknown;
};
/**
 * Body by `type`.
 */
export type CreateCredentialRequest = {
  type: CredentialType;
  accountId: InternalAccountId;
} & CreateCredentialRequest1;
export type CreateCredentialRequest1 = CreateOauthCredential | CreatePasskeyCredential | CreateOtpCredential;
/**
 * Body by `type`.
 */
export type VerifyCredentialRequest = {
  type: CredentialType;
} & VerifyCredentialRequest1;
export type VerifyCredentialRequest1 = VerifyOtp | VerifyOauth | VerifyPasskey;
/**
 * Why a transaction failed. The field that carries it is not shown.
 */
export type TransactionFailureReason = string;
/**
 * States of the ownership verification. Other states exist and are not shown.
 */
export type ExternalAccountStatus = string;
/**
 * Only one value is named.
 */
export type VerificationStatus = string;
/**
 * Only one value is named.
 */
export type KycStatus = string;
/**
 * Kind of a webhook event. The complete list is not shown.
 */
export type EventType = string;

export interface Components {
  Timestamp?: Timestamp;
  Int64?: Int64;
  PositiveInt64?: PositiveInt64;
  NonNegativeInt64?: NonNegativeInt64;
  AgentActionId?: AgentActionId;
  AgentId?: AgentId;
  CustomerId?: CustomerId;
  InternalAccountId?: InternalAccountId;
  ExternalAccountId?: ExternalAccountId;
  QuoteId?: QuoteId;
  TransactionId?: TransactionId;
  ScaChallengeId?: ScaChallengeId;
  AuthMethodId?: AuthMethodId;
  SessionId?: SessionId;
  RequestId?: RequestId;
  RecordId?: RecordId;
  AccountId?: AccountId;
  ErrorMessage?: ErrorMessage;
  ErrorDetails?: ErrorDetails;
  FieldError?: FieldError;
  ErrorCode400?: ErrorCode400;
  ErrorCode401?: ErrorCode401;
  ErrorCode403?: ErrorCode403;
  ErrorCode404?: ErrorCode404;
  ErrorCode500?: ErrorCode500;
  Error400?: Error400;
  Error401?: Error401;
  Error403?: Error403;
  Error404?: Error404;
  Error500?: Error500;
  ErrorOther?: ErrorOther;
  AgentActionStatus?: AgentActionStatus;
  AgentActionType?: AgentActionType;
  PurposeOfPayment?: PurposeOfPayment;
  PaymentRail?: PaymentRail;
  InternalAccountReference?: InternalAccountReference;
  ExternalAccountDestinationReference?: ExternalAccountDestinationReference;
  TransferOutRequest?: TransferOutRequest;
  AgentTransferDetails?: AgentTransferDetails;
  Transaction?: Transaction;
  IncomingTransaction?: IncomingTransaction;
  OutgoingTransaction?: OutgoingTransaction;
  CardTransaction?: CardTransaction;
  AgentAction?: AgentAction;
  TransferOutAction?: TransferOutAction;
  Currency?: Currency;
  QuoteStatus?: QuoteStatus;
  QuoteSource?: QuoteSource;
  AccountQuoteSource?: AccountQuoteSource;
  RealtimeFundingQuoteSource?: RealtimeFundingQuoteSource;
  QuoteDestination?: QuoteDestination;
  AccountQuoteDestination?: AccountQuoteDestination;
  UmaAddressQuoteDestination?: UmaAddressQuoteDestination;
  PaymentAccountType?: PaymentAccountType;
  AccountOrWalletInfo?: AccountOrWalletInfo;
  BankAccountInfo?: BankAccountInfo;
  WalletInfo?: WalletInfo;
  InvoiceWalletInfo?: InvoiceWalletInfo;
  PaymentInstructions?: PaymentInstructions;
  OutgoingRateDetails?: OutgoingRateDetails;
  Quote?: Quote;
  ScaFactor?: ScaFactor;
  ScaChallenge?: ScaChallenge;
  ScaAuthorization?: ScaAuthorization;
  ScaLoginCompletion?: ScaLoginCompletion;
  CredentialType?: CredentialType;
  Base64Url?: Base64Url;
  HexKey?: HexKey;
  JsonText?: JsonText;
  AuthMethod?: AuthMethod;
  CredentialList?: CredentialList;
  ChallengeEmailOtp?: ChallengeEmailOtp;
  PasskeyAuthChallenge?: PasskeyAuthChallenge;
  CredentialChallenge?: CredentialChallenge;
  AuthSession?: AuthSession;
  AuthSessionEmailOtpFields?: AuthSessionEmailOtpFields;
  AuthSessionEmailOtp?: AuthSessionEmailOtp;
  AuthSessionSealed?: AuthSessionSealed;
  VerifiedSession?: VerifiedSession;
  SignedRetryChallenge?: SignedRetryChallenge;
  CredentialSignedRetryChallenge?: CredentialSignedRetryChallenge;
  CustomerUpdateAccepted?: CustomerUpdateAccepted;
  CreateOauthCredential?: CreateOauthCredential;
  PasskeyAttestation?: PasskeyAttestation;
  CreatePasskeyCredential?: CreatePasskeyCredential;
  CreateOtpCredential?: CreateOtpCredential;
  CreateCredentialRequest?: CreateCredentialRequest;
  ChallengePasskeyRequest?: ChallengePasskeyRequest;
  EncryptedOtpBundle?: EncryptedOtpBundle;
  VerifyOtp?: VerifyOtp;
  VerifyOauth?: VerifyOauth;
  PasskeyAssertion?: PasskeyAssertion;
  VerifyPasskey?: VerifyPasskey;
  VerifyCredentialRequest?: VerifyCredentialRequest;
  TransactionFailureReason?: TransactionFailureReason;
  ExternalAccountStatus?: ExternalAccountStatus;
  VerificationStatus?: VerificationStatus;
  KycStatus?: KycStatus;
  EventType?: EventType;
  CreateQuoteRequest?: CreateQuoteRequest;
  UpdateConfigRequest?: UpdateConfigRequest;
  CustomerRequest?: CustomerRequest;
  AgentPolicy?: AgentPolicy;
  CreateAgentRequest?: CreateAgentRequest;
  UpdateAgentRequest?: UpdateAgentRequest;
  RejectAgentActionRequest?: RejectAgentActionRequest;
  ClientPublicKeyRequest?: ClientPublicKeyRequest;
  UpdateInternalAccountRequest?: UpdateInternalAccountRequest;
  FundInternalAccountRequest?: FundInternalAccountRequest;
  CreateExternalAccountRequest?: CreateExternalAccountRequest;
  StartScaLoginRequest?: StartScaLoginRequest;
  ContactCodeRequest?: ContactCodeRequest;
}
/**
 * Extra data; its shape varies by code, and further properties are allowed.
 */
export interface ErrorDetails {}
/**
 * One invalid field.
 */
export interface FieldError {
  /**
   * Dot-notation path to the offending field. A JSON pointer is not one.
   */
  field: string;
  constraint?: unknown;
  /**
   * Human-readable.
   */
  message?: string;
}
export interface Error400 {
  /**
   * Equals the HTTP status.
   */
  status: 400;
  code: string;
  message: ErrorMessage;
  /**
   * Extra data; for field-validation errors it lists every invalid field at once.
   */
  details?: {
    errors?: unknown;
  };
}
export interface Error401 {
  /**
   * Equals the HTTP status.
   */
  status: 401;
  code: string;
  message: ErrorMessage;
  details?: ErrorDetails;
}
export interface Error403 {
  /**
   * Equals the HTTP status.
   */
  status: 403;
  code: string;
  message: ErrorMessage;
  details?: ErrorDetails;
}
export interface Error404 {
  /**
   * Equals the HTTP status.
   */
  status: 404;
  code: string;
  message: ErrorMessage;
  details?: ErrorDetails;
}
export interface Error500 {
  /**
   * Equals the HTTP status.
   */
  status: 500;
  code: string;
  message: ErrorMessage;
  details?: ErrorDetails;
}
/**
 * Body of every other error status. Not shown, so nothing is demanded.
 */
export interface ErrorOther {
  [k: string]: unknown | undefined;
}
export interface InternalAccountReference {
  accountId: InternalAccountId;
}
export interface ExternalAccountDestinationReference {
  accountId: ExternalAccountId;
  /**
   * Must be one that the destination account supports; the system selects a default when it is omitted.
   */
  paymentRail?:
    | 'ACH'
    | 'ACH_COLOMBIA'
    | 'BANK_TRANSFER'
    | 'BRE_B'
    | 'CIPS'
    | 'FAST'
    | 'FASTER_PAYMENTS'
    | 'FEDNOW'
    | 'INSTAPAY'
    | 'MOBILE_MONEY'
    | 'NEFT'
    | 'PAYNOW'
    | 'PESONET'
    | 'PIX'
    | 'RTGS'
    | 'RTP'
    | 'SEPA'
    | 'SEPA_INSTANT'
    | 'SPEI'
    | 'SWIFT'
    | 'UNIONPAY'
    | 'UPI'
    | 'WIRE';
}
/**
 * Body of the agent transfer-out. No lower bound of the amount is stated.
 */
export interface TransferOutRequest {
  source: InternalAccountReference;
  destination: ExternalAccountDestinationReference;
  /**
   * Smallest unit of the currency.
   */
  amount?: number;
  /**
   * Free text that travels to the recipient: the addenda record (ACH), the remittanceInformation field (FedNow, RTP), the OBI or beneficiary information (wires).
   */
  remittanceInformation?: string;
  /**
   * May be required when sending to certain geographies, for example India.
   */
  purposeOfPayment?:
    | 'GIFT'
    | 'SELF'
    | 'GOODS_OR_SERVICES'
    | 'EDUCATION'
    | 'HEALTH_OR_MEDICAL'
    | 'REAL_ESTATE_PURCHASE'
    | 'TAX_PAYMENT'
    | 'LOAN_PAYMENT'
    | 'UTILITY_BILL'
    | 'DONATION'
    | 'TRAVEL'
    | 'FAMILY_SUPPORT'
    | 'SALARY_PAYMENT'
    | 'OTHER';
}
/**
 * What a transfer action moves.
 */
export interface AgentTransferDetails {
  amount: Int64;
  /**
   * ISO 4217 code.
   */
  currency: string;
  sourceAccountId: AccountId;
  destinationAccountId: AccountId;
}
export interface IncomingTransaction {
  type: 'INCOMING';
}
export interface OutgoingTransaction {
  type: 'OUTGOING';
  platformFees?: unknown;
}
export interface CardTransaction {
  type: 'CARD';
}
/**
 * An action submitted by an agent, which may need the platform's approval before it runs. Called "the service" in the interface document.
 */
export interface AgentAction {
  id: AgentActionId;
  agentId: AgentId;
  customerId: CustomerId;
  /**
   * The platform's own id for the customer.
   */
  platformCustomerId: string;
  status: AgentActionStatus;
  type: AgentActionType;
  quote?: Quote;
  transferDetails?: AgentTransferDetails;
  transaction?: Transaction;
  /**
   * Human-readable.
   */
  rejectionReason?: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}
/**
 * A locked rate for a cross-currency transfer, valid until `expiresAt`.
 */
export interface Quote {
  id: QuoteId;
  status: QuoteStatus;
  createdAt: Timestamp;
  /**
   * ISO 8601 date and time in UTC. Z, z, +00:00 and -00:00 all say UTC; fractions of a second are free.
   */
  expiresAt: string;
  source: QuoteSource;
  destination: QuoteDestination;
  sendingCurrency: Currency;
  receivingCurrency: Currency;
  /**
   * Smallest unit of the sending currency.
   */
  totalSendingAmount: number;
  /**
   * Smallest unit of the receiving currency.
   */
  totalReceivingAmount: number;
  /**
   * Sending currency units per receiving currency unit. Published examples of real services contradict the direction.
   */
  exchangeRate: number;
  /**
   * Smallest unit of the sending currency. Locked only for the quote's lifetime.
   */
  feesIncluded: number;
  /**
   * The platform's part of `feesIncluded`. May be absent on older payloads.
   */
  platformFeesIncluded?: number;
  /**
   * How to fund the quote.
   */
  paymentInstructions?: PaymentInstructions[];
  /**
   * The transaction created from the quote.
   */
  transactionId: string;
  /**
   * Free keys and values about the counterparty.
   */
  counterpartyInformation?: {};
  rateDetails?: OutgoingRateDetails;
  scaChallenge?: ScaChallenge;
}
export interface AccountQuoteSource {
  sourceType: 'ACCOUNT';
}
export interface RealtimeFundingQuoteSource {
  sourceType: 'REALTIME_FUNDING';
}
export interface AccountQuoteDestination {
  destinationType: 'ACCOUNT';
}
export interface UmaAddressQuoteDestination {
  destinationType: 'UMA_ADDRESS';
}
export interface Currency {
  /**
   * ISO 4217 for fiat; some cryptocurrencies use their ticker (BTC, USDC).
   */
  code?: string;
  /**
   * Full name.
   */
  name?: string;
  /**
   * Currency symbol.
   */
  symbol?: string;
  /**
   * Digits of the smallest unit.
   */
  decimals?: number;
}
/**
 * One way to fund the quote.
 */
export interface PaymentInstructions {
  accountOrWalletInfo: AccountOrWalletInfo;
  /**
   * Extra instructions for people.
   */
  instructionsNotes?: string;
  /**
   * True for an account of the platform, false for one of a customer.
   */
  isPlatformAccount?: boolean;
}
/**
 * An account at a bank.
 */
export interface BankAccountInfo {
  accountType:
    | 'USD_ACCOUNT'
    | 'BRL_ACCOUNT'
    | 'MXN_ACCOUNT'
    | 'DKK_ACCOUNT'
    | 'EUR_ACCOUNT'
    | 'INR_ACCOUNT'
    | 'NGN_ACCOUNT'
    | 'CAD_ACCOUNT'
    | 'GBP_ACCOUNT'
    | 'HKD_ACCOUNT'
    | 'IDR_ACCOUNT'
    | 'MYR_ACCOUNT'
    | 'PHP_ACCOUNT'
    | 'SGD_ACCOUNT'
    | 'THB_ACCOUNT'
    | 'VND_ACCOUNT'
    | 'AED_ACCOUNT'
    | 'KES_ACCOUNT'
    | 'MWK_ACCOUNT'
    | 'RWF_ACCOUNT'
    | 'TZS_ACCOUNT'
    | 'UGX_ACCOUNT'
    | 'XOF_ACCOUNT'
    | 'ZAR_ACCOUNT'
    | 'ZMW_ACCOUNT'
    | 'BWP_ACCOUNT'
    | 'XAF_ACCOUNT'
    | 'BDT_ACCOUNT'
    | 'ARS_ACCOUNT'
    | 'COP_ACCOUNT'
    | 'EGP_ACCOUNT'
    | 'GHS_ACCOUNT'
    | 'GTQ_ACCOUNT'
    | 'HTG_ACCOUNT'
    | 'JMD_ACCOUNT'
    | 'PKR_ACCOUNT'
    | 'SLV_ACCOUNT'
    | 'SWIFT_ACCOUNT'
    | 'CNY_ACCOUNT';
  paymentRails?: PaymentRail[];
  accountNumber?: string;
  routingNumber?: string;
  bankName?: string;
  reference?: string;
}
/**
 * A wallet on a chain.
 */
export interface WalletInfo {
  accountType:
    | 'SOLANA_WALLET'
    | 'TRON_WALLET'
    | 'PLASMA_WALLET'
    | 'POLYGON_WALLET'
    | 'BASE_WALLET'
    | 'ETHEREUM_WALLET'
    | 'BITCOIN_L1'
    | 'EMBEDDED_WALLET';
  assetType?: string;
  address?: string;
}
/**
 * A wallet that can also be paid by an invoice.
 */
export interface InvoiceWalletInfo {
  accountType: 'SPARK_WALLET' | 'LIGHTNING';
  assetType?: string;
  address?: string;
  invoice?: string;
}
/**
 * How the rate and the fees come about.
 */
export interface OutgoingRateDetails {
  /**
   * From mSATs to the receiving currency, as returned by the counterparty institution.
   */
  counterpartyMultiplier: number;
  /**
   * Smallest unit of the receiving currency.
   */
  counterpartyFixedFee: number;
  /**
   * From the sending currency to mSATs, including variable fees.
   */
  serviceApiMultiplier: number;
  /**
   * Smallest unit of the sending currency.
   */
  serviceApiFixedFee: number;
  /**
   * As a percentage of the sending amount.
   */
  serviceApiVariableFeeRate: number;
  /**
   * The sending amount times the variable fee rate.
   */
  serviceApiVariableFeeAmount: number;
}
/**
 * Only for customers in a region where SCA is required.
 */
export interface ScaChallenge {
  /**
   * Informational; it need not be sent back.
   */
  id: string;
  /**
   * ISO 8601 date and time in UTC. Z, z, +00:00 and -00:00 all say UTC; fractions of a second are free.
   */
  expiresAt: string;
  /**
   * The factor that the challenge was issued for; SMS_OTP by default.
   */
  factor: string;
  /**
   * Factors that the customer may use.
   */
  availableFactors: ScaFactor[];
  /**
   * Label of the step. The set may grow, and no logic hangs on it.
   */
  purpose?: string | null;
  /**
   * Opaque WebAuthn assertion request options.
   */
  passkeyAssertionOptions?: {} | null;
  /**
   * Origins that the WebAuthn ceremony may run against.
   */
  passkeyAllowedOrigins?: string[] | null;
}
/**
 * Proof for a challenge. Only two of its fields are shown.
 */
export interface ScaAuthorization {
  passkeyAssertion?: unknown;
  origin?: unknown;
  code?: unknown;
  endUserIpAddress?: unknown;
}
/**
 * Answer to a completed SCA login; only one field is named.
 */
export interface ScaLoginCompletion {
  /**
   * null where the login has not opened a session.
   */
  sessionExpiresAt: string | null;
}
/**
 * A credential of a Global Account.
 */
export interface AuthMethod {
  id: AuthMethodId;
  accountId: InternalAccountId;
  type: CredentialType;
  /**
   * WebAuthn credential id; passkeys only.
   */
  credentialId?: string;
  /**
   * For OAUTH it is the `email` claim of the OIDC token.
   */
  nickname?: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /**
   * On the answer to a challenge for a one-time code.
   */
  otpEncryptionTargetBundle?: string;
}
/**
 * All credentials of an account, not paginated.
 */
export interface CredentialList {
  data: AuthMethod[];
}
/**
 * Answer to the challenge of a PASSKEY credential.
 */
export interface PasskeyAuthChallenge {
  /**
   * Lower-case hex; its text, as UTF-8, is the challenge of the WebAuthn ceremony.
   */
  challenge: string;
  /**
   * Sent as Request-Id with the verify call.
   */
  requestId: string;
  expiresAt: Timestamp;
}
/**
 * AuthMethod with a bundle, or PasskeyAuthChallenge.
 */
export interface CredentialChallenge {}
/**
 * A session; what every kind has in common is its end.
 */
export interface AuthSession {
  id?: SessionId;
  accountId?: InternalAccountId;
  type?: CredentialType;
  nickname?: string;
  createdAt?: Timestamp;
  updatedAt?: Timestamp;
  expiresAt: Timestamp;
  /**
   * The session signing key, sealed to the client's public key.
   */
  encryptedSessionSigningKey?: string;
}
/**
 * Answer 202 to the first call of an operation that must be signed.
 */
export interface SignedRetryChallenge {
  type?: CredentialType;
  /**
   * Stamped byte for byte; never parsed.
   */
  payloadToSign: string;
  /**
   * Single-use.
   */
  requestId: string;
  expiresAt: Timestamp;
}
/**
 * 202 of a customer update. Its shape is shown only for the signed retry, so only such a body is judged.
 */
export interface CustomerUpdateAccepted {
  [k: string]: unknown | undefined;
}
export interface CreateOauthCredential {
  type: 'OAUTH';
  accountId: InternalAccountId;
  /**
   * OIDC id token.
   */
  oidcToken: string;
}
export interface PasskeyAttestation {
  credentialId: Base64Url;
  clientDataJson: Base64Url;
  attestationObject: Base64Url;
  transports?: string[];
}
export interface CreatePasskeyCredential {
  type: 'PASSKEY';
  accountId: InternalAccountId;
  nickname: string;
  /**
   * WebAuthn registration challenge, issued by the integrator's backend.
   */
  challenge: string;
  attestation: PasskeyAttestation;
}
/**
 * The rest of the body is not shown. SMS_OTP follows EMAIL_OTP.
 */
export interface CreateOtpCredential {
  type: 'EMAIL_OTP' | 'SMS_OTP';
  accountId: InternalAccountId;
}
/**
 * Body of a PASSKEY challenge. EMAIL_OTP and SMS_OTP have no body.
 */
export interface ChallengePasskeyRequest {
  clientPublicKey: HexKey;
}
/**
 * What the text of `encryptedOtpBundle` holds.
 */
export interface EncryptedOtpBundle {
  encappedPublic: string;
  ciphertext: string;
}
export interface VerifyOtp {
  type: 'EMAIL_OTP' | 'SMS_OTP';
  /**
   * JSON text of an EncryptedOtpBundle.
   */
  encryptedOtpBundle: string;
}
export interface VerifyOauth {
  type: 'OAUTH';
  oidcToken: string;
  clientPublicKey: HexKey;
}
/**
 * WebAuthn spells it clientDataJSON; the bytes are identical.
 */
export interface PasskeyAssertion {
  credentialId: Base64Url;
  clientDataJson: Base64Url;
  authenticatorData: Base64Url;
  signature: Base64Url;
  userHandle?: string | null;
}
/**
 * Without clientPublicKey, which went to the challenge call.
 */
export interface VerifyPasskey {
  type: 'PASSKEY';
  assertion: PasskeyAssertion;
}
/**
 * Not shown; `platformFeeOverride` is named. The rest is what real deployments take.
 */
export interface CreateQuoteRequest {
  platformFeeOverride?: unknown;
  /**
   * ACCOUNT {accountId, customerId?} or REALTIME_FUNDING {currency, customerId?, cryptoNetwork?}, by sourceType.
   */
  source?: {
    [k: string]: unknown | undefined;
  };
  /**
   * ACCOUNT {accountId, paymentRail?} or UMA_ADDRESS {umaAddress, currency?}, by destinationType.
   */
  destination?: {
    [k: string]: unknown | undefined;
  };
  /**
   * SENDING or RECEIVING.
   */
  lockedCurrencySide?: {
    [k: string]: unknown | undefined;
  };
  lockedCurrencyAmount?: unknown;
  purposeOfPayment?: unknown;
}
/**
 * Not shown; two fields are named.
 */
export interface UpdateConfigRequest {
  /**
   * Variable rate in basis points, a fixed amount, or both.
   */
  feeConfigs?: {
    [k: string]: unknown | undefined;
  };
  cardTokenization2faConfig?: unknown;
}
/**
 * Not shown; the consent, the identification fields and the due-diligence fields are named.
 */
export interface CustomerRequest {
  /**
   * Time, IP address, terms version and acceptance method.
   */
  endUserTermsConsent?: {
    [k: string]: unknown | undefined;
  };
  idType?: unknown;
  identifier?: unknown;
  countryOfIssuance?: unknown;
  platformCustomerId?: unknown;
  customerType?: unknown;
  email?: unknown;
}
export interface AgentPolicy {
  permissions?: string[];
  defaultExecutionMode?: string;
  spendingLimits?: {
    currency?: string;
    perTransactionLimit?: number;
    dailyLimit?: number;
    dailyTransactionLimit?: number;
    monthlyLimit?: number;
  };
  /**
   * Strictly above the amount needs approval.
   */
  approvalThresholds?: {
    currency?: string;
    amount?: number;
  };
  accountRestrictions?: {
    allowedAccountIds?: string[];
  };
}
export interface CreateAgentRequest {
  name: string;
  customerId: string;
  policy: AgentPolicy;
}
export interface UpdateAgentRequest {
  isPaused?: boolean;
}
export interface RejectAgentActionRequest {
  reason?: string;
}
export interface ClientPublicKeyRequest {
  clientPublicKey: HexKey;
}
export interface UpdateInternalAccountRequest {
  privateEnabled?: boolean;
}
export interface FundInternalAccountRequest {
  amount: Int64;
}
export interface CreateExternalAccountRequest {
  customerId: string;
  currency: string;
  accountInfo: {};
}
export interface StartScaLoginRequest {
  factor?: string;
}
export interface ContactCodeRequest {
  code: string;
}
