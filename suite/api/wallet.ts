import { KeyPair, type SoftwarePasskey, type StampForm } from '../../client/crypto/index.ts';
import type { Call } from '../../client/call.ts';
import type { Secrets } from '../../client/secrets/secrets.ts';
import {
  retry,
  signedRetry,
  type RetryChallenge,
  type RetryMeans,
  type RetryOptions,
  type SignedRetry,
  type Tampering,
} from '../../client/signed-retry.ts';
import type { Profile } from '../../target/profile.ts';
import type { OtpType, WalletAccountState } from '../../target/states/types.ts';
import { type Answer, succeeded } from '../answers/answer.ts';
import type { Clock } from '../clock.ts';
import type { Need } from '../need.ts';
import type { CallParts, Platform } from './platform.ts';
import { WalletClock } from './wallet/clock.ts';
import {
  credentialRequests,
  draft,
  draftCode,
  draftOauth,
  draftPasskey,
  newPasskey,
  registering,
  type Credential,
  type CredentialType,
  type Draft,
  type OauthDraftOptions,
  type PasskeyChanges,
  type PasskeyDraftOptions,
  type Registration,
  type WalletSession,
} from './wallet/credentials.ts';
import { logIn, type Login, type LoginOptions } from './wallet/logins.ts';
import { WalletSessions } from './wallet/sessions.ts';
import type { PreparedRequest, SignedOperation } from './wallet/signed-operations.ts';
import { blameUnsigned } from './wallet/unsigned.ts';

/** A request to one operation of the contract: what is sent, and sent again on the signed retry. */
export interface WalletRequest extends CallParts {
  readonly operation: Call['operation'];
}

/** How a request is signed, what is wrong in it, and what it is for, in plain words. */
export type SignedRetryOptions = RetryOptions<WalletRequest> & { readonly label?: string };

/** Signs: a session, or a key that may be none. */
export type Signer = KeyPair | WalletSession;

/** One thing to get wrong on a signed retry, and how it is called. */
export interface Mistake {
  readonly label: string;
  readonly tamper: Tampering<WalletRequest>;
}

/** What a wallet is handed: who calls, what is kept secret, and where one-time codes come from. */
export interface WalletMeans {
  readonly platform: Platform;
  readonly secrets: Secrets;
  readonly profile: Profile;
  /** The last code that was sent for a one-time-code credential. */
  readonly codeFor: (credential: Credential<OtpType>) => Promise<string>;
  /** Ends the test where a wallet cannot get as far as its test needs. */
  readonly need: Need;
  readonly clock: Clock;
}

const ADDING = { rule: 'RETRY-CREDENTIAL-CREATE', assumes: [] } as const;
const REVOKING = { rule: 'RETRY-CREDENTIAL-REVOKE', assumes: [] } as const;

/**
 * An embedded wallet account with its credentials and sessions, seen by the integrator's backend and the customer's client at
 * once: platform credentials for the calls, session keys for the stamps. What a word goes on with lies in wallet/.
 */
export class Wallet {
  /** For what goes on in wallet/. @internal */
  readonly means: WalletMeans;
  readonly state: WalletAccountState;
  /** Credentials that the account was prepared with. */
  readonly credentials: readonly Credential<OtpType>[];
  readonly clock: WalletClock;
  readonly sessions: WalletSessions;
  #signedIn: { readonly credential: Credential; readonly session: WalletSession } | undefined;
  readonly #prepared = new Map<SignedOperation, number>();
  /** Ids of credentials that were registered here, and not revoked here since. */
  readonly #registered = new Set<string>();

  constructor(means: WalletMeans, state: WalletAccountState) {
    this.means = means;
    this.state = state;
    this.credentials = state.credentials.map(({ id, type }) => ({ id, type }) as Credential<OtpType>);
    this.clock = new WalletClock(means, state.customerId);
    this.sessions = new WalletSessions(this);
  }

  get accountId(): string {
    return this.state.accountId;
  }

  get customerId(): string {
    return this.state.customerId;
  }

  get need(): Need {
    return this.means.need;
  }

  /** How this target wants a stamp written. */
  get stampForm(): StampForm {
    return this.means.profile.dialect.stamp;
  }

  /** The credential of this type that the account was prepared with. @throws Error when the state was not asked for one: a defect of the test */
  credentialOf<T extends OtpType>(type: T): Credential<T> {
    const found = this.credentials.find((one) => one.type === type);
    if (!found) throw new Error(`the wallet was not prepared with a credential of type ${type}`);
    return found as Credential<T>;
  }

  /** Keeps the private half of a key out of every record. @internal */
  hidden(key: KeyPair): KeyPair {
    this.means.secrets.addBytes(key.scalar);
    return key;
  }

  /** A fresh key pair whose private half is kept out of every record. */
  newKey(): KeyPair {
    return this.hidden(KeyPair.generate());
  }

  // ----------------------------------------------------------------------------------- any request, signed or not

  /** Sends a request without wallet headers. A body that the interface does not show is as this target wants it. */
  send(request: WalletRequest, changes: Partial<WalletRequest> = {}): Promise<Answer> {
    const { profile, platform } = this.means;
    const { operation, ...parts } = { ...request, ...changes };
    const fields = profile.dialect.bodies[String(operation)];
    return platform.call(
      operation,
      fields === undefined ? parts : { ...parts, body: { ...(parts.body as object), ...fields } },
    );
  }

  /** The last code that was sent for a one-time-code credential: what the state tells, or what every sandbox takes. */
  codeOf(credential: Credential<OtpType>): Promise<string> {
    return this.means.codeFor(credential);
  }

  /** How this wallet's signed retries are made. @internal */
  get retryMeans(): RetryMeans<WalletRequest, Answer> {
    const { brand, dialect } = this.means.profile;
    return { send: (request) => this.send(request), challengeIn, brand, stampForm: dialect.stamp };
  }

  /** The whole signed retry of any request, whatever comes of it. */
  async signed(
    request: WalletRequest,
    by: Signer,
    { label, ...options }: SignedRetryOptions = {},
  ): Promise<SignedRetry<Answer>> {
    const labelled = label === undefined ? request : { ...request, label };
    const done = await signedRetry(this.retryMeans, labelled, keyOf(by), options);
    const { stamp, key, payload } = options.tamper ?? {};
    const isGood = stamp === undefined && key === undefined && payload === undefined;
    if (isGood && done.retries[0] && succeeded(done.retries[0])) this.means.platform.speaks(['stamp']);
    return done;
  }

  /** The first call alone, with the challenge that it gave. */
  async begin(
    request: WalletRequest,
  ): Promise<{ readonly first: Answer; readonly challenge: RetryChallenge | undefined }> {
    const first = await this.send(request, { label: `${request.label ?? 'a wallet request'} (first call)` });
    return { first, challenge: challengeIn(first) };
  }

  /** Makes the first call of a request. Ends the test where it gives nothing to sign. @returns what sends the signed retry */
  async begun(request: WalletRequest, by: Signer): Promise<() => Promise<Answer>> {
    const challenge = this.need.challenged(await this.begin(request));
    return () => this.retry(request, challenge, by);
  }

  /** The retry alone, with a challenge that is at hand. */
  async retry(
    request: WalletRequest,
    challenge: RetryChallenge,
    by: Signer,
    options: RetryOptions<WalletRequest> = {},
  ): Promise<Answer> {
    const once = { ...options, times: 1 };
    const [answer] = await retry(this.retryMeans, request, challenge, keyOf(by), once);
    return answer as Answer;
  }

  // ----------------------------------------------------------------- any of the operations that need the signed retry

  /** The credential and the session that sign where nothing else is said. @throws Error before `signWith` */
  get signer(): { readonly credential: Credential; readonly session: WalletSession } {
    if (!this.#signedIn)
      throw new Error('nobody has signed in to this wallet: prepare it with given.signedIn()');
    return this.#signedIn;
  }

  signWith(credential: Credential, session: WalletSession): void {
    this.#signedIn = { credential, session };
  }

  /** A request of the operation, not made yet, on things of its own. Ends the test where these cannot be had. */
  async prepare(operation: SignedOperation): Promise<PreparedRequest> {
    const count = this.#prepared.get(operation) ?? 0;
    this.#prepared.set(operation, count + 1);
    const request = await operation.prepare(this, count);
    let isSent = false;
    const send: PreparedRequest['send'] = async (options) => {
      const done = await request.send(options);
      // Sent again it may have nothing left to change.
      if (!isSent) blameUnsigned(this, operation, done);
      isSent = true;
      return done;
    };
    return { ...request, send };
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
   * The control of a refused retry: a fresh request of the same operation, first call and retry, with nothing wrong. Comes
   * after it, since the operation may end the session that signs. Ends the test as inconclusive where it gets no 2xx.
   */
  async mustComplete(operation: SignedOperation): Promise<SignedRetry<Answer>> {
    return this.need.completed(await this.signedRetry(operation, { label: 'with nothing wrong' }));
  }

  // --------------------------------------------------------------------------------------------------- credentials

  draftCode<T extends OtpType>(type: T): Draft<T> {
    return draftCode(this, type);
  }

  draftOauth(options: OauthDraftOptions = {}): Promise<Draft<'OAUTH'>> {
    return draftOauth(this, options);
  }

  draftPasskey(options: PasskeyDraftOptions = {}): Draft<'PASSKEY'> {
    return draftPasskey(this, options);
  }

  /** A passkey of the integrator's domain that no account knows yet. */
  newPasskey(changes: PasskeyChanges = {}): SoftwarePasskey {
    return newPasskey(this, changes);
  }

  /** A fresh draft of any type. */
  draft<T extends CredentialType>(type: T): Promise<Draft<T>> {
    return draft(this, type);
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
    const request = {
      ...credentialRequests.register(draft.body),
      label: label ?? `registering ${draft.type}`,
    };
    const signedRetry = by ? await this.signed(request, by, options) : alone(await this.send(request));
    // Who has signed in has a credential on the account.
    if (by && this.#signedIn) blameUnsigned(this, ADDING, signedRetry);
    const { exchange } = signedRetry.answer;
    const created =
      exchange.response !== undefined &&
      exchange.response.status < 300 &&
      (!by || signedRetry.retries.length > 0 || !signedRetry.challenge);
    const id = created ? (signedRetry.answer.body as { id?: unknown } | undefined)?.id : undefined;
    if (typeof id !== 'string') return { ...signedRetry, draft, credential: undefined };
    this.means.platform.speaks(registering[draft.type]);
    this.#registered.add(id);
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

  /** The answer to a wallet request that this key signs. Ends the test where the first call gives nothing to sign. */
  async signedBy(by: Signer, label: string, options: SignedRetryOptions = {}): Promise<Answer> {
    const done = await this.probe(by, { label, ...options });
    this.need.challenged(done);
    return done.answer;
  }

  /** The control of a key that must not sign: it has signed. Ends the test where its request is not accepted. */
  async mustSign(by: Signer, label?: string): Promise<Registration> {
    return this.need.completed(await this.probe(by, label === undefined ? {} : { label }));
  }

  /** A credential that is registered as preparation, or as the control of one that is refused. */
  async mustRegister<T extends CredentialType>(
    what: T | Draft<T>,
    by: Signer,
    label?: string,
  ): Promise<Credential<T>> {
    return this.need.registered(await this.register(what, by, label === undefined ? {} : { label }));
  }

  /** One more credential, registered by the session that is signed in. Ends the test where that fails. */
  async addCredential(label: string): Promise<Credential> {
    return this.need.registered(await this.probe(this.signer.session, { label }));
  }

  list(changes: Partial<WalletRequest> = {}): Promise<Answer> {
    return this.send(credentialRequests.list(this.accountId), changes);
  }

  async revoke(
    credentialId: string,
    by: Signer,
    options: SignedRetryOptions = {},
  ): Promise<SignedRetry<Answer>> {
    const done = await this.signed(credentialRequests.revoke(credentialId), by, options);
    // What is gone already may be answered as one likes.
    if (this.#registered.has(credentialId)) blameUnsigned(this, REVOKING, done);
    if (succeeded(done.answer)) this.#registered.delete(credentialId);
    return done;
  }

  /** Revokes a credential as preparation. Ends the test where that is not accepted. */
  async mustRevoke(credentialId: string, by: Signer): Promise<void> {
    this.need((await this.revoke(credentialId, by)).answer).accepted();
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
    return this.send(credentialRequests.challenge(id, type === 'OAUTH' ? undefined : as[type], key), changes);
  }

  /** A challenge as preparation. Ends the test where none is issued. */
  async mustChallenge(
    credential: Pick<Credential, 'id' | 'type'>,
    changes?: Parameters<Wallet['challenge']>[1],
  ): Promise<Answer> {
    const challenge = await this.challenge(credential, changes);
    this.need(challenge).accepted();
    return challenge;
  }

  /** Challenge and verify, whatever the type takes. Never throws for what the target does. */
  login(credential: Credential, options: LoginOptions = {}): Promise<Login> {
    return logIn(this, credential, options);
  }

  /** A login whose verify call is judged. Ends the test where it does not get that far. */
  async attempt(credential: Credential, options: LoginOptions = {}): Promise<Login> {
    const login = await this.login(credential, options);
    this.need.reachedVerify(login);
    return login;
  }

  /** The control of a refused login, and a session as preparation. Ends the test where it mints none. */
  async mustLogin(credential: Credential): Promise<Login & { readonly session: WalletSession }> {
    return this.need.minted(await this.login(credential));
  }
}

function alone(first: Answer): SignedRetry<Answer> {
  return { first, challenge: undefined, retries: [], answer: first };
}

/** The draft's credential under the id that registration answered. */
function registered<T extends CredentialType>({ body: _body, ...rest }: Draft<T>, id: string): Credential<T> {
  return { ...rest, id } as unknown as Credential<T>;
}

/** The challenge of a 2xx answer. Its status is another rule's concern. */
function challengeIn(answer: Answer): RetryChallenge | undefined {
  if (!succeeded(answer)) return undefined;
  const { payloadToSign, requestId } = (answer.body ?? {}) as Record<string, unknown>;
  return typeof payloadToSign === 'string' && typeof requestId === 'string'
    ? { payloadToSign, requestId }
    : undefined;
}

function keyOf(by: Signer): KeyPair {
  return by instanceof KeyPair ? by : by.key;
}
