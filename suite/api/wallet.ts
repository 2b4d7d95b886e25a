import { openSessionSigningKey, type KeyPair, type SoftwarePasskey } from '../../client/crypto/index.ts';
import type { RetryChallenge, SignedRetry, Tampering } from '../../client/signed-retry.ts';
import type { Profile } from '../../target/profile.ts';
import type { Answer } from '../answer.ts';
import { WalletAccount, type Signer, type SignedRetryOptions } from './wallet/account.ts';
import {
  type Credential,
  type CredentialType,
  type Draft,
  type OtpType,
  type Registration,
  type WalletSession,
  registered,
  registering,
  shownByLogin,
} from './wallet/credential.ts';
import type { Login } from './wallet/login.ts';
import { hideKey } from './wallet/means.ts';
import {
  draftOauth,
  loginByIdentity,
  type OauthDraftOptions,
  type OauthLoginOptions,
} from './wallet/oauth.ts';
import { draftCode, loginByCode, type CodeLoginOptions } from './wallet/one-time-code.ts';
import {
  draftPasskey,
  loginByPasskey,
  newPasskey,
  type PasskeyChanges,
  type PasskeyDraftOptions,
  type PasskeyLoginOptions,
} from './wallet/passkey.ts';
import { walletRequests, type WalletRequest } from './wallet/requests.ts';
import type { PreparedRequest, SignedOperation } from './wallet/signed-operations.ts';

/** Whether a login ends the session of the login before it, by target. */
const endsEarlierSessions = new WeakMap<Profile, Promise<boolean>>();

/** One thing to get wrong on a signed retry, and how it is called. */
export interface Mistake {
  readonly label: string;
  readonly tamper: Tampering<WalletRequest>;
}

/**
 * An embedded wallet account with its credentials and sessions, seen by the integrator's backend and the customer's client at
 * once: platform credentials for the calls, session keys for the stamps. Each kind of credential has a file in wallet/.
 */
export class Wallet extends WalletAccount {
  #signedIn: { readonly credential: Credential; readonly session: WalletSession } | undefined;
  /** What mints sessions that are told by their ids, where another credential signs. */
  #minter: Credential | undefined;
  readonly #prepared = new Map<SignedOperation, number>();

  // ----------------------------------------------------------------- any of the operations that need the signed retry

  /** The credential and the session that sign where nothing else is said. @throws Error before `signInWith` */
  get signedIn(): { readonly credential: Credential; readonly session: WalletSession } {
    if (!this.#signedIn)
      throw new Error('nobody has signed in to this wallet: prepare it with given.signedIn()');
    return this.#signedIn;
  }

  signInWith(credential: Credential, session: WalletSession): void {
    this.#signedIn = { credential, session };
  }

  /** A request of the operation, not made yet, on things of its own. Ends the test where these cannot be had. */
  prepare(operation: SignedOperation): Promise<PreparedRequest> {
    const count = this.#prepared.get(operation) ?? 0;
    this.#prepared.set(operation, count + 1);
    return operation.prepare(this, count);
  }

  /** The signed retry of a request of the operation. Ends the test where the first call gives nothing to sign. */
  async signedRetry(
    what: SignedOperation | PreparedRequest,
    options: SignedRetryOptions = {},
  ): Promise<SignedRetry<Answer> & { readonly challenge: RetryChallenge }> {
    const request = 'send' in what ? what : await this.prepare(what);
    const done = await request.send(options);
    return { ...done, challenge: this.need.challenged(done) };
  }

  /**
   * Makes each mistake on a retry of its own.
   *
   * @returns the answers to the wrong retries, up to the first that was accepted
   */
  async mistakenRetries(
    operation: SignedOperation,
    mistakes: readonly Mistake[],
  ): Promise<readonly Answer[]> {
    const request = await this.prepare(operation);
    const answers: Answer[] = [];
    for (const mistake of mistakes) {
      const { answer } = await this.signedRetry(request, mistake);
      answers.push(answer);
      if ((answer.exchange.response?.status ?? 0) < 300) break;
    }
    return answers;
  }

  /**
   * The control of a refused retry: the same operation with nothing wrong. Comes after it, since the operation may end the
   * session that signs. Ends the test where it is not accepted.
   */
  async mustComplete(operation: SignedOperation): Promise<SignedRetry<Answer>> {
    return this.need.completed(await this.signedRetry(operation, { label: 'with nothing wrong' }));
  }

  // --------------------------------------------------------------------------------------------------- credentials

  draftCode<T extends OtpType>(type: T): Draft<T> {
    return draftCode(this.means, type, this.accountId);
  }

  draftOauth(options: OauthDraftOptions = {}): Promise<Draft<'OAUTH'>> {
    return draftOauth(this.means, this.accountId, this.clock.now(), options);
  }

  draftPasskey(options: PasskeyDraftOptions = {}): Draft<'PASSKEY'> {
    return draftPasskey(this.means, this.accountId, options);
  }

  /** A passkey of the integrator's domain that no account knows yet. */
  newPasskey(changes: PasskeyChanges = {}): SoftwarePasskey {
    return newPasskey(this.means, changes);
  }

  /** A fresh draft of any type. */
  async draft<T extends CredentialType>(type: T): Promise<Draft<T>> {
    const draft: Draft =
      type === 'OAUTH'
        ? await this.draftOauth()
        : type === 'PASSKEY'
          ? this.draftPasskey()
          : this.draftCode(type as OtpType);
    return draft as Draft<T>;
  }

  /** A passkey where the target takes them, since of these an account surely holds several; else an identity. */
  async usualDraft(): Promise<Draft> {
    return this.draft(this.means.profile.capabilities.includes('passkey') ? 'PASSKEY' : 'OAUTH');
  }

  /**
   * Registers a credential.
   *
   * @param what a type, or a draft that differs from the usual one
   * @param by signs the retry; without it only the first call is made, which is enough for an account's first credential
   */
  async register<T extends CredentialType>(
    what: T | Draft<T>,
    by?: Signer,
    { label, ...options }: SignedRetryOptions = {},
  ): Promise<Registration<T>> {
    const draft = (typeof what === 'string' ? await this.draft(what) : what) as Draft<T>;
    const request = { ...walletRequests.register(draft.body), label: label ?? `registering ${draft.type}` };
    const signedRetry = by ? await this.signed(request, by, options) : alone(await this.send(request));
    const { exchange } = signedRetry.answer;
    const created =
      exchange.response !== undefined &&
      exchange.response.status < 300 &&
      (!by || signedRetry.retries.length > 0 || !signedRetry.challenge);
    const id = created ? (signedRetry.answer.body as { id?: unknown } | undefined)?.id : undefined;
    if (typeof id !== 'string') return { ...signedRetry, draft, credential: undefined };
    this.means.platform.speaks(registering[draft.type]);
    return { ...signedRetry, draft, credential: registered(draft, id) };
  }

  /**
   * Any documented request that a session of this account may sign: registers one more credential. Tells live keys from
   * dead ones.
   */
  async probe(by: Signer, options: SignedRetryOptions = {}): Promise<Registration> {
    return this.register(await this.usualDraft(), by, {
      label: 'a wallet request signed with this key',
      ...options,
    });
  }

  /** One more credential, registered by the session that is signed in. Ends the test where that fails. */
  async addCredential(label: string): Promise<Credential> {
    return this.need.registered(await this.probe(this.signedIn.session, { label }));
  }

  list(changes: Partial<WalletRequest> = {}): Promise<Answer> {
    return this.send(walletRequests.list(this.accountId), changes);
  }

  revoke(credentialId: string, by: Signer, options: SignedRetryOptions = {}): Promise<SignedRetry<Answer>> {
    return this.signed(walletRequests.revoke(credentialId), by, options);
  }

  // -------------------------------------------------------------------------------------------------------- logins

  /** The challenge call; a PASSKEY is sent the client's key. */
  challenge(
    { id, type }: Pick<Credential, 'id' | 'type'>,
    { clientKey, ...changes }: Partial<WalletRequest> & { readonly clientKey?: KeyPair } = {},
  ): Promise<Answer> {
    const key = type === 'PASSKEY' ? (clientKey ?? this.newKey()).uncompressed : undefined;
    const as = {
      EMAIL_OTP: 'ChallengeEmailOtp',
      SMS_OTP: 'ChallengeEmailOtp',
      PASSKEY: 'PasskeyAuthChallenge',
    };
    return this.send(walletRequests.challenge(id, type === 'OAUTH' ? undefined : as[type], key), changes);
  }

  /** Challenge and verify, whatever the type takes. Never throws for what the target does. */
  async login(
    credential: Credential,
    options: CodeLoginOptions & OauthLoginOptions & PasskeyLoginOptions = {},
  ): Promise<Login> {
    const { type } = credential;
    const login =
      type === 'OAUTH'
        ? await loginByIdentity(this.means, credential, options, this.clock.now())
        : type === 'PASSKEY'
          ? await loginByPasskey(this.means, credential, options)
          : await loginByCode(this.means, credential, options);
    const { challenge: _challenge, clientKey: _clientKey, label: _label, ...different } = options;
    if (Object.keys(different).length === 0) this.means.platform.speaks(shownByLogin(type, login));
    return login;
  }

  /** The control of a refused login, and a session as preparation. Ends the test where it mints none. */
  async mustLogin(credential: Credential): Promise<Login & { readonly session: WalletSession }> {
    return this.need.signedIn(await this.login(credential));
  }

  /**
   * A further session of the credential that is signed in, with its id; another one signs for the wallet beside it
   * (`signedIn`). Ends the test where there is none.
   */
  async anotherSession(): Promise<WalletSession & { readonly id: string }> {
    const before = this.signedIn;
    const { session } = await this.mustLogin(this.#minter ?? before.credential);
    if (!this.#minter && (await this.#hasEnded(before.session)))
      await this.#signBeside(before.credential, session);
    return { ...session, id: this.need.offered(session.id, 'the session came without an id') };
  }

  /** A service may let a credential have one session at a time: then it is the session of another one that signs. */
  async #signBeside(minter: Credential, session: WalletSession): Promise<void> {
    this.#minter = minter;
    this.#signedIn = { credential: minter, session };
    const credential = await this.addCredential('registering a credential whose session signs beside');
    this.#signedIn = { credential, session: (await this.mustLogin(credential)).session };
  }

  /** Whether a further login has ended the session before it: asked once of each target. */
  #hasEnded(session: WalletSession): Promise<boolean> {
    const { profile } = this.means;
    let known = endsEarlierSessions.get(profile);
    if (!known) {
      known = this.probe(session, { label: 'a request signed by the session of the login before' }).then(
        ({ answer }) => [401, 403].includes(answer.exchange.response?.status ?? 0),
      );
      endsEarlierSessions.set(profile, known);
    }
    return known;
  }

  /** Opens a session key that was sealed to the client's key. @throws SealedKeyError where it does not open */
  async openKey(sealed: unknown, clientKey: KeyPair): Promise<KeyPair> {
    const { profile, platform, secrets } = this.means;
    const key = await openSessionSigningKey(sealed, clientKey, profile.dialect.sessionKeySeal);
    platform.speaks(['sessionKeySeal']);
    return hideKey(secrets, key);
  }

  // ---------------------------------------------------------------- sessions and wallet (paths: facts of the profile)

  listSessions(changes: Partial<WalletRequest> = {}): Promise<Answer> {
    return this.send(walletRequests.listSessions(this.accountId), changes);
  }

  /** @param clientKey the key that the new session key is sealed to */
  refreshSession(sessionId: string, by: Signer, clientKey: KeyPair): Promise<SignedRetry<Answer>> {
    return this.signed(walletRequests.refreshSession(sessionId, clientKey.uncompressed), by);
  }

  revokeSession(sessionId: string, by: Signer): Promise<SignedRetry<Answer>> {
    return this.signed(walletRequests.revokeSession(sessionId), by);
  }

  exportWallet(by: Signer): Promise<SignedRetry<Answer>> {
    return this.signed(walletRequests.exportWallet(this.accountId, this.newKey().uncompressed), by);
  }

  setPrivacy(privateEnabled: boolean, by: Signer): Promise<SignedRetry<Answer>> {
    return this.signed(walletRequests.setPrivacy(this.accountId, privateEnabled), by);
  }

  setEmail(email: string, by: Signer): Promise<SignedRetry<Answer>> {
    return this.signed(walletRequests.setEmail(this.customerId, email), by);
  }
}

function alone(first: Answer): SignedRetry<Answer> {
  return { first, challenge: undefined, retries: [], answer: first };
}
