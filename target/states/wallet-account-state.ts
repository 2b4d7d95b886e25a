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
