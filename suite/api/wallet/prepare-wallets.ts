import type { Secrets } from '../../../client/http/secrets.ts';
import type { KeyPair } from '../../../client/crypto/index.ts';
import type { Profile } from '../../../target/profile.ts';
import type { OtpType, WalletAccountParams, WalletAccountState } from '../../../target/states/wallet-account-state.ts';
import type { Platform } from '../platform.ts';
import { Wallet } from '../wallet.ts';
import type { Credential, CredentialType } from './credential.ts';
import type { WalletSession } from './wallet-session.ts';

/** The code of every challenge in a sandbox (section Authentication, 8), stated for EMAIL_OTP. */
const SANDBOX_CODE = '000000';

/** A wallet with one credential and a live session of it. */
export interface SignedIn {
  readonly wallet: Wallet;
  readonly credential: Credential;
  readonly session: WalletSession;
}

/** What preparing wallets needs of `given`. */
export interface PreparationMeans {
  readonly platform: Platform;
  readonly profile: Profile;
  readonly secrets: Secrets;
  readonly state: <V extends object>(state: string, params: object, required: readonly string[]) => Promise<V>;
  readonly giveUp: (kind: 'unprepared' | 'inconclusive', reason: string) => never;
}

/** Prepares wallets, credentials and sessions for tests that are about something else. What fails here accuses nobody. */
export class PrepareWallets {
  readonly #means: PreparationMeans;

  constructor(means: PreparationMeans) {
    this.#means = means;
  }

  async wallet(params: WalletAccountParams): Promise<Wallet> {
    const { platform, profile, secrets, state } = this.#means;
    const values = await state<WalletAccountState>('wallet-account', params, ['accountId', 'customerId', 'credentials']);
    return new Wallet({ platform, profile, secrets, codeFor: (credentialId) => this.#code(credentialId) }, values);
  }

  async credential(wallet: Wallet, type: CredentialType, by: KeyPair | WalletSession | undefined): Promise<Credential> {
    this.mustProve(type);
    const { credential, answer } = await wallet.register(await wallet.draft(type), by, { label: `preparing: registering ${type}` });
    return credential ?? this.#means.giveUp('inconclusive', `preparing a credential of type ${type} was answered ${answer.outcome}`);
  }

  async session(wallet: Wallet, credential: Credential): Promise<WalletSession> {
    this.mustProve(credential.type);
    const { session, problem, answer } = await wallet.login(credential);
    const reason = problem ?? `"${answer.label}" was answered ${answer.outcome}`;
    return session ?? this.#means.giveUp('inconclusive', `preparing a session of ${credential.type}: ${reason}`);
  }

  async signedIn(through: CredentialType | undefined): Promise<SignedIn> {
    const type = through ?? this.#usual();
    const otp = type === 'EMAIL_OTP' || type === 'SMS_OTP';
    const wallet = await this.wallet({ credentials: otp ? [type as OtpType] : [] });
    const credential = otp ? wallet.prepared(type) : await this.credential(wallet, type, undefined);
    return { wallet, credential, session: await this.session(wallet, credential) };
  }

  /** The type that most targets can be prepared with. */
  #usual(): CredentialType {
    const { capabilities } = this.#means.profile;
    if (capabilities.includes('email-otp')) return 'EMAIL_OTP';
    if (capabilities.includes('passkey')) return 'PASSKEY';
    return capabilities.includes('sms-otp') ? 'SMS_OTP' : 'OAUTH';
  }

  mustProve(type: CredentialType): void {
    const { capabilities } = this.#means.profile;
    const capability = { OAUTH: 'oauth', PASSKEY: 'passkey', EMAIL_OTP: 'email-otp', SMS_OTP: 'sms-otp' }[type];
    if (!capabilities.includes(capability)) this.#means.giveUp('unprepared', `the profile leaves out ${capability}`);
    if (type === 'OAUTH' && !capabilities.includes('sandbox'))
      this.#means.giveUp('unprepared', 'outside a sandbox only the identity provider can make a token');
  }

  async #code(credentialId: string): Promise<string> {
    const { capabilities, facts } = this.#means.profile;
    if (capabilities.includes('sandbox')) return facts['otpCode'] ?? SANDBOX_CODE;
    return (await this.#means.state<{ code: string }>('otp-code', { credentialId }, ['code'])).code;
  }
}
