import type { KeyPair } from '../client/crypto/index.ts';
import type { Profile } from '../target/profile.ts';
import type { OtpType, WalletAccountParams, WalletAccountState } from '../target/states/types.ts';
import { Wallet } from './api/wallet.ts';
import type { Credential, CredentialType, WalletSession } from './api/wallet/requests.ts';
import type { WalletMeans } from './api/wallet/signer.ts';
import type { GiveUpKind } from '../journal/journal-writer.ts';

/** The code of every EMAIL_OTP challenge in a sandbox (section Authentication, 8). */
const SANDBOX_CODE = '000000';

/** A wallet with a credential of a wanted type. */
export interface Holding<T extends CredentialType = CredentialType> {
  readonly wallet: Wallet;
  readonly credential: Credential<T>;
}

/** The same, with a live session of that credential. */
export interface SignedIn<T extends CredentialType = CredentialType> extends Holding<T> {
  readonly session: WalletSession;
}

const ACCOUNT_VALUES = ['accountId', 'customerId', 'credentials'];

/** Targets that have shown that they cannot prepare an account with other credentials than it is born with. */
const bornWithEmailOnly = new WeakSet<Profile>();

/** Types of credential that minted no session here although nothing was in the way, so that others are used. */
const mintsNoSession = new WeakMap<Profile, Set<CredentialType>>();
/** Types whose sessions come without an id here, so that they are used where no other is. */
const givesNoId = new WeakMap<Profile, Set<CredentialType>>();

/** The words of `given` that prepare wallets, credentials and sessions. What fails here accuses nobody. */
export abstract class GivenWallets {
  readonly #means: Omit<WalletMeans, 'codeFor'>;

  constructor(means: Omit<WalletMeans, 'codeFor'>) {
    this.#means = means;
  }

  /** The values of a state. Ends the test where it cannot be prepared. */
  abstract state<V extends object>(state: string, params: object, required: readonly string[]): Promise<V>;

  /** The same, but undefined where the target cannot prepare it. */
  abstract tryState<V extends object>(
    state: string,
    params: object,
    required: readonly string[],
  ): Promise<V | undefined>;

  /** Ends the test, which accuses nobody. */
  protected abstract endTest(kind: GiveUpKind, reason: string): never;

  /** An embedded wallet account that holds exactly these credentials; none unless given. */
  async wallet(params: WalletAccountParams = {}): Promise<Wallet> {
    return this.walletOf(await this.state<WalletAccountState>('wallet-account', params, ACCOUNT_VALUES));
  }

  /** An account without credentials, or undefined where the target cannot prepare one. */
  async emptyWallet(): Promise<Wallet | undefined> {
    const values = await this.tryState<WalletAccountState>('wallet-account', {}, ACCOUNT_VALUES);
    return values && this.walletOf(values);
  }

  /** One more credential on a wallet, as preparation. @param by signs; none for an account without credentials */
  credential<T extends CredentialType>(
    wallet: Wallet,
    type: T,
    by?: KeyPair | WalletSession,
  ): Promise<Credential<T>>;
  async credential(wallet: Wallet, type: CredentialType, by?: KeyPair | WalletSession): Promise<Credential> {
    this.needProve(type);
    const credential = await this.#register(wallet, type, by);
    return typeof credential === 'string' ? this.endTest('inconclusive', credential) : credential;
  }

  /** A live session, as preparation. */
  async session(wallet: Wallet, credential: Credential): Promise<WalletSession> {
    this.needProve(credential.type);
    const { session, problem, answer } = await wallet.login(credential);
    const reason = problem ?? `"${answer.label}" was answered ${answer.outcome}`;
    return session ?? this.endTest('inconclusive', `preparing a session of ${credential.type}: ${reason}`);
  }

  /**
   * A wallet with one credential of this type and a live session of it, which signs for the wallet from now on.
   *
   * @param through unless given the usual type: an identity, which takes two calls and no message, or where that one cannot be
   *   had or mints no session here, the next that does
   */
  signedIn<T extends CredentialType>(through?: T): Promise<SignedIn<T>>;
  async signedIn(through?: CredentialType): Promise<SignedIn> {
    if (through !== undefined) {
      const holding = await this.holding(through);
      const session = await this.#sessionOf(holding);
      return typeof session === 'string' ? this.endTest('unprepared', session) : session;
    }
    return this.#signedInByOneOf(this.#usual());
  }

  /** The same by any other type than this one, of which an account may hold one alone. */
  signedInBeside(type: CredentialType): Promise<SignedIn> {
    return this.#signedInByOneOf(this.#usual().filter((other) => other !== type));
  }

  async #signedInByOneOf(types: readonly CredentialType[]): Promise<SignedIn> {
    const { profile } = this.#means;
    const silent = mintsNoSession.get(profile) ?? new Set();
    mintsNoSession.set(profile, silent);
    const nameless = givesNoId.get(profile) ?? new Set();
    givesNoId.set(profile, nameless);
    const inOrder = [...types].sort((a, b) => Number(nameless.has(a)) - Number(nameless.has(b)));
    let reason: string | undefined;
    let spare: SignedIn | undefined;
    for (const type of inOrder) {
      if (types.length > 1 && silent.has(type)) continue;
      const alone = await this.#alone(type);
      if (!alone) continue;
      const session = typeof alone === 'string' ? alone : await this.#sessionOf(alone);
      if (typeof session === 'string') {
        reason ??= session;
        silent.add(type);
      } else if (session.session.id !== undefined || nameless.has(type)) return session;
      else {
        // The text shows an id for sessions of one-time codes alone, and what revokes a session names it.
        nameless.add(type);
        spare ??= session;
      }
    }
    if (spare) return spare;
    // That these logins fail is told by rules of their own; here it only means that this situation cannot be had.
    return this.endTest('unprepared', reason ?? `no session could be prepared of ${types.join(', ')}`);
  }

  /** Signs in, and signs for the wallet from now on. @returns why not, where trouble of the moment does not end the test */
  async #sessionOf<T extends CredentialType>({
    wallet,
    credential,
  }: Holding<T>): Promise<SignedIn<T> | string> {
    const { session, problem, answer } = await wallet.login(credential);
    if (session) {
      wallet.signWith(credential, session);
      return { wallet, credential, session };
    }
    const reason = `preparing a session of ${credential.type}: ${problem ?? `"${answer.label}" was answered ${answer.outcome}`}`;
    // Trouble of the moment says nothing of the type: the test is repeated.
    return answer.trouble ? this.endTest('inconclusive', reason) : reason;
  }

  /**
   * A wallet that holds a credential of this type, which nobody has logged in with yet. Where an account without credentials
   * cannot be had, the one that it is born with helps to register the wanted one.
   */
  holding<T extends CredentialType>(type: T): Promise<Holding<T>>;
  async holding(type: CredentialType): Promise<Holding> {
    this.needProve(type);
    const alone = await this.#alone(type);
    if (!alone) {
      const { wallet, session } = await this.signedIn('EMAIL_OTP');
      return { wallet, credential: await this.credential(wallet, type, session) };
    }
    return typeof alone === 'string' ? this.endTest('inconclusive', alone) : alone;
  }

  /** The same on an account that holds nothing else; undefined where none can be had, a reason where the target refuses. */
  async #alone(type: CredentialType): Promise<Holding | string | undefined> {
    const { profile } = this.#means;
    if (type === 'EMAIL_OTP') {
      const wallet = await this.wallet({ credentials: [type] });
      return { wallet, credential: wallet.credentialOf(type) };
    }
    if (bornWithEmailOnly.has(profile)) return undefined;
    const isCode = type === 'SMS_OTP';
    const params = isCode ? { credentials: [type] } : {};
    const values = await this.tryState<WalletAccountState>('wallet-account', params, ACCOUNT_VALUES);
    if (!values) {
      bornWithEmailOnly.add(profile);
      return undefined;
    }
    const wallet = await this.walletOf(values);
    const credential = isCode ? wallet.credentialOf(type) : await this.#register(wallet, type, undefined);
    return typeof credential === 'string' ? credential : { wallet, credential };
  }

  /** @returns why it was not registered, where trouble of the moment does not end the test */
  async #register<T extends CredentialType>(
    wallet: Wallet,
    type: T,
    by: KeyPair | WalletSession | undefined,
  ): Promise<Credential<T> | string> {
    const label = `preparing: registering ${type}`;
    const { credential, answer } = await wallet.register(type, by, { label });
    if (credential) return credential;
    const reason = `preparing a credential of type ${type} was answered ${answer.outcome}`;
    return answer.trouble ? this.endTest('inconclusive', reason) : reason;
  }

  /** Ends the test as `not verified` where credentials of this type cannot be proved here. */
  needProve(type: CredentialType): void {
    const { capabilities } = this.#means.profile;
    const capability = { OAUTH: 'oauth', PASSKEY: 'passkey', EMAIL_OTP: 'email-otp', SMS_OTP: 'sms-otp' }[
      type
    ];
    if (!capabilities.includes(capability))
      this.endTest('unprepared', `the profile leaves out ${capability}`);
    if (type === 'OAUTH' && !capabilities.includes('sandbox'))
      this.endTest('unprepared', 'outside a sandbox only the identity provider can make a token');
  }

  /** The account of a state that is like `wallet-account`. */
  async walletOf(values: WalletAccountState): Promise<Wallet> {
    const codeFor = (credential: Credential<OtpType>) => this.#code(credential);
    const wallet = new Wallet({ ...this.#means, codeFor }, values);
    wallet.clock.offsetMs = await this.#means.clock.offset(values);
    return wallet;
  }

  /** The types that can be proved here, the cheapest first: an identity's token is made here, and sends no message. */
  #usual(): readonly CredentialType[] {
    const { capabilities } = this.#means.profile;
    const types: CredentialType[] = [];
    if (capabilities.includes('oauth') && capabilities.includes('sandbox')) types.push('OAUTH');
    if (capabilities.includes('email-otp')) types.push('EMAIL_OTP');
    if (capabilities.includes('passkey')) types.push('PASSKEY');
    if (capabilities.includes('sms-otp')) types.push('SMS_OTP');
    return types.length > 0 ? types : ['OAUTH'];
  }

  async #code({ id: credentialId, type }: Credential<OtpType>): Promise<string> {
    const { capabilities, dialect } = this.#means.profile;
    const sandbox = capabilities.includes('sandbox');
    if (sandbox && type === 'EMAIL_OTP') return SANDBOX_CODE;
    const ask = ['otp-code', { credentialId }, ['code']] as const;
    if (!sandbox) return (await this.state<{ code: string }>(...ask)).code;
    return (await this.tryState<{ code: string }>(...ask))?.code ?? dialect.smsCode;
  }
}
