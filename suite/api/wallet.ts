import { isDeepStrictEqual } from 'node:util';
import type { KeyPair, SoftwarePasskey } from '../../client/crypto/index.ts';
import type { RetryChallenge, SignedRetry } from '../../client/signed-retry.ts';
import type { DialectAssumption } from '../../target/dialect/keys.ts';
import type { OtpType, WalletAccountState } from '../../target/states/types.ts';
import { type Answer, succeeded } from '../answers/answer.ts';
import { LateReads } from '../late-reads.ts';
import {
  draft,
  draftCode,
  draftOauth,
  draftPasskey,
  newPasskey,
  type OauthDraftOptions,
  type PasskeyChanges,
  type PasskeyDraftOptions,
} from './wallet/drafts.ts';
import {
  askChallenge,
  logIn,
  type ChallengeOptions,
  type Login,
  type LoginOptions,
} from './wallet/logins.ts';
import {
  credentialRequests,
  registering,
  type Credential,
  type CredentialType,
  type Draft,
  type Registration,
  type WalletRequest,
  type WalletSession,
} from './wallet/requests.ts';
import { WalletSessions } from './wallet/sessions.ts';
import {
  WalletSigner,
  type Mistake,
  type SignedRetryOptions,
  type Signer,
  type WalletMeans,
} from './wallet/signer.ts';

/** An operation that needs the signed retry (section Authentication, 6). */
export interface SignedOperation {
  /** As in "adding a credential". */
  readonly name: string;
  /** The rule that it needs the signed retry. */
  readonly rule: string;
  /** The type of the credential that it signs in with: `given.signedIn(operation.signsInWith)`. Absent: any. */
  readonly signsInWith?: CredentialType;
  /** What its request chose where the interface shows nothing. */
  readonly assumes: readonly DialectAssumption[];
  /**
   * Makes a request ready; `wallet.prepare` calls it.
   *
   * @param count how many were made ready on this wallet before
   */
  readonly prepare: (wallet: Wallet, count: number) => Promise<PreparedRequest>;
  /** Undoes what its request did, where a second one would have nothing to do otherwise: a duplicate, a change to the same. */
  readonly undo?: (wallet: Wallet, done: Answer) => Promise<unknown>;
}

/** One request of a signed operation that has not been made yet. */
export interface PreparedRequest {
  /** The operation's. */
  readonly name: string;
  /** Signs it. */
  readonly key: KeyPair;
  /** The session of that key; absent where the request mints one. */
  readonly session?: WalletSession;
  /** Absent where the request can only be made within a login (verify of a one-time code). */
  readonly request?: WalletRequest;
  /** What must stay the same until the signed retry; absent where nothing shows it. @param isDone whether it has changed by now */
  readonly readBack?: (isDone?: boolean) => Promise<ReadBack>;
  /** Both calls, as often as asked for. Ends the test as `not verified` where the target does not offer the operation. */
  readonly signed: (options?: SignedRetryOptions) => Promise<SignedRetry<Answer>>;
}

/** What the target shows of something that a request may have changed. */
export interface ReadBack {
  readonly answer: Answer;
  /** Undefined where the target shows nothing that could be recognised. */
  readonly value: unknown;
}

/**
 * An embedded wallet account with its credentials and sessions, seen by the integrator's backend and the customer's client at
 * once: what is sent stands in wallet/requests.ts, who sends and signs in wallet/signer.ts, and here what is done with it.
 */
export class Wallet extends WalletSigner {
  /** Credentials that the account was prepared with. */
  readonly credentials: readonly Credential<OtpType>[];
  readonly sessions: WalletSessions;
  #signedIn: { readonly credential: Credential; readonly session: WalletSession } | undefined;
  readonly #prepared = new Map<SignedOperation, number>();
  /** Ids of credentials that were registered here, and not revoked here since. */
  readonly #registered = new Set<string>();
  /** Of them, what nobody needs. */
  readonly #spare: string[] = [];

  constructor(means: WalletMeans, state: WalletAccountState) {
    super(means, state);
    this.credentials = state.credentials.map(({ id, type }) => ({ id, type }) as Credential<OtpType>);
    this.sessions = new WalletSessions(this);
  }

  /** The credential of this type that the account was prepared with. @throws Error when the state was not asked for one: a defect of the test */
  credentialOf<T extends OtpType>(type: T): Credential<T> {
    const found = this.credentials.find((one) => one.type === type);
    if (!found) throw new Error(`the wallet was not prepared with a credential of type ${type}`);
    return found as Credential<T>;
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
    const signed: PreparedRequest['signed'] = async (options) => {
      const done = await request.signed(options);
      // Sent again it may have nothing left to change.
      if (!isSent) this.blameUnsigned(done, operation.rule, operation.assumes);
      isSent = true;
      return done;
    };
    const { name, readBack } = request;
    const reads = this.#lateReads;
    return {
      ...request,
      signed,
      ...(readBack && { readBack: async (isDone?: boolean) => (await reads.settle(name), readBack(isDone)) }),
    };
  }

  /**
   * The control of looks that must show nothing new, once a request has been done: this shows.
   *
   * @param before what it read back before it was done
   * @returns whether earlier looks came too soon to show anything
   */
  async lookedTooSoon({ name, readBack }: PreparedRequest, before: ReadBack | undefined): Promise<boolean> {
    const reads = this.#lateReads;
    if (!readBack || before?.value === undefined || reads.isKnown(name)) return false;
    const isNew = ({ value }: ReadBack) => !isDeepStrictEqual(value, before.value);
    const { patienceMs } = this.means.platform;
    return (await reads.untilShown(name, () => readBack(true), isNew, patienceMs)).isLate;
  }

  get #lateReads(): LateReads {
    return LateReads.of(this.means.platform);
  }

  /** The signed retry of a request of the operation. Ends the test where the first call gives nothing to sign. */
  async signedRetry(
    what: SignedOperation | PreparedRequest,
    options: SignedRetryOptions = {},
  ): Promise<SignedRetry<Answer> & { readonly challenge: RetryChallenge }> {
    const request = 'signed' in what ? what : await this.prepare(what);
    const done = await request.signed(options);
    return { ...done, challenge: this.need.challenged(done) };
  }

  /**
   * Makes each mistake on a retry, all with one requestId where it serves until the right retry, which comes last and is the
   * control. Where a wrong retry uses the requestId up, which the interface leaves open, each mistake has one of its own.
   * Ends the test as inconclusive where the operation with nothing wrong gets no 2xx.
   *
   * @param refused gets what the target shows before and after wrong retries that were all refused
   * @returns the answers to the wrong retries, up to the first that was accepted
   */
  async mistakenRetries<M extends Mistake>(
    operation: SignedOperation,
    mistakes: readonly M[],
    refused?: (before: ReadBack, after: ReadBack) => Promise<unknown>,
  ): Promise<{ readonly mistake: M; readonly answer: Answer }[]> {
    const request = await this.prepare(operation);
    const readBack = refused && request.readBack;
    let wrong: readonly M[] = [];
    let made: { readonly mistake: M; readonly answer: Answer }[] = [];
    let before: ReadBack | undefined;
    const isTaken = () => made.some(({ answer }) => succeeded(answer));
    const lookAgain = async () => {
      const after = before?.value === undefined ? undefined : await readBack?.();
      if (before && after?.value !== undefined) await refused?.(before, after);
    };
    const { retries } = await this.signedRetry(request, {
      between: async (challenge, { mistaken }) => {
        before = await readBack?.();
        wrong = mistakes.filter(({ isWrong }) => isWrong?.(challenge) ?? true);
        for (const mistake of wrong) {
          if (isTaken()) return;
          made.push({ mistake, answer: await mistaken(mistake.label, mistake.tamper) });
        }
        if (!isTaken()) await lookAgain();
      },
    });
    // What was accepted needs no control, and may have ended the session.
    if (isTaken()) return made;
    if (retries.some(succeeded)) {
      if (!(await this.lookedTooSoon(request, readBack && before))) return made;
      await this.signInAgain();
      return this.mistakenRetries(operation, mistakes, refused);
    }
    // Used up, or done all the same: that shows no sooner than what is done rightly.
    if (before?.value !== undefined) {
      if (await this.showsLate(operation)) return this.mistakenRetries(operation, mistakes, refused);
      // What that has done is no doing of the retries that follow.
      before = await readBack?.();
    }
    made = made.slice(0, 1);
    for (const mistake of wrong.slice(1)) {
      made.push({ mistake, answer: (await this.signedRetry(request, mistake)).answer });
      if (isTaken()) return made;
    }
    await lookAgain();
    await this.needComplete(operation);
    return made;
  }

  /**
   * Completes an operation where it is not known yet how late that shows. Ends the test as inconclusive where it gets no 2xx.
   *
   * @returns whether it shows late, so that earlier looks came too soon
   */
  async showsLate(operation: SignedOperation): Promise<boolean> {
    if (this.#lateReads.isKnown(operation.name)) return false;
    const request = await this.prepare(operation);
    // A login is seen by its session, which signs at once or never.
    const before = request.request && (await request.readBack?.());
    if (before?.value === undefined) return false;
    this.need.completed(await this.signedRetry(request, { label: 'with nothing wrong' }));
    const isLate = await this.lookedTooSoon(request, before);
    await this.signInAgain();
    return isLate;
  }

  /** What was completed may have ended the session that signs. */
  async signInAgain(): Promise<void> {
    if (!this.#signedIn) return;
    const { credential } = this.#signedIn;
    this.signWith(credential, (await this.needLogin(credential)).session);
  }

  /**
   * The control of a refused retry: a fresh request of the same operation, first call and retry, with nothing wrong. Comes
   * after it, since the operation may end the session that signs. Ends the test as inconclusive where it gets no 2xx.
   */
  async needComplete(operation: SignedOperation): Promise<SignedRetry<Answer>> {
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
  async anyDraft(): Promise<Draft> {
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
    const signedRetry = by ? await this.signed(request, by, options) : withoutRetry(await this.send(request));
    // Who has signed in has a credential on the account.
    if (by && this.#signedIn) this.blameUnsigned(signedRetry, 'RETRY-CREDENTIAL-CREATE');
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
  async tryKey(by: Signer, options: SignedRetryOptions = {}): Promise<Registration> {
    const { label = 'a wallet request signed with this key', ...changes } = options;
    const done = await this.register(await this.anyDraft(), by, { label, ...changes });
    // How many passkeys an account may have is not shown: what is refused for that says nothing of the key.
    const isMore = done.draft.type === 'PASSKEY' && mayBeOneTooMany(done, changes);
    if (!isMore || !this.means.profile.capabilities.includes('oauth')) return done;
    const other = await this.register('OAUTH', by, { label: `${label}, for an identity` });
    return other.challenge ? other : done;
  }

  /** The answer to a wallet request that this key signs. Ends the test where the first call gives nothing to sign. */
  async signedBy(by: Signer, label: string, options: SignedRetryOptions = {}): Promise<Answer> {
    const done = await this.tryAny(by, { label, ...options });
    this.need.challenged(done);
    return done.answer;
  }

  /**
   * As `tryKey`, for the key alone: where the account takes no credential more, it signs the revocation of one that was
   * registered so.
   */
  async tryAny(by: Signer, options: SignedRetryOptions = {}): Promise<SignedRetry<Answer>> {
    const { label = 'a wallet request', ...changes } = options;
    const done = await this.tryKey(by, options);
    if (done.credential) this.#spare.push(done.credential.id);
    const spare = mayBeOneTooMany(done, changes) ? this.#spare.pop() : undefined;
    if (spare === undefined) return done;
    const revoked = await this.revoke(spare, by, { label: `${label}, for a revocation` });
    return revoked.challenge ? revoked : done;
  }

  /** The control of a key that must not sign: it has signed. Ends the test where its request is not accepted. */
  async needSign(by: Signer, label?: string): Promise<SignedRetry<Answer>> {
    return this.need.completed(await this.tryAny(by, label === undefined ? {} : { label }));
  }

  /** A credential that is registered as preparation, or as the control of one that is refused. */
  async needRegister<T extends CredentialType>(
    what: T | Draft<T>,
    by: Signer,
    label?: string,
  ): Promise<Credential<T>> {
    return this.need.registered(await this.register(what, by, label === undefined ? {} : { label }));
  }

  /** One more credential, registered by the session that is signed in. Ends the test where that fails. */
  async addCredential(label: string): Promise<Credential> {
    return this.need.registered(await this.tryKey(this.signer.session, { label }));
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
    if (this.#registered.has(credentialId)) this.blameUnsigned(done, 'RETRY-CREDENTIAL-REVOKE');
    if (succeeded(done.answer)) this.#registered.delete(credentialId);
    return done;
  }

  /** Revokes a credential as preparation. Ends the test where that is not accepted. */
  async needRevoke(credentialId: string, by: Signer): Promise<void> {
    this.need((await this.revoke(credentialId, by)).answer).accepted();
  }

  // -------------------------------------------------------------------------------------------------------- logins

  /** The challenge call, whatever comes of it. */
  challenge(credential: Pick<Credential, 'id' | 'type'>, options?: ChallengeOptions): Promise<Answer> {
    return askChallenge(this, credential, options);
  }

  /** A challenge as preparation. Ends the test where none is issued. */
  async needChallenge(
    credential: Pick<Credential, 'id' | 'type'>,
    options?: ChallengeOptions,
  ): Promise<Answer> {
    const challenge = await this.challenge(credential, options);
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
  async needLogin(credential: Credential): Promise<Login & { readonly session: WalletSession }> {
    return this.need.minted(await this.login(credential));
  }
}

function withoutRetry(first: Answer): SignedRetry<Answer> {
  return { first, challenge: undefined, retries: [], answer: first };
}

/** The draft's credential under the id that registration answered. */
function registered<T extends CredentialType>({ body: _body, ...rest }: Draft<T>, id: string): Credential<T> {
  return { ...rest, id } as unknown as Credential<T>;
}

/** Refused, perhaps for something else than its signature. What is sent otherwise than usual is judged as it was sent. */
function mayBeOneTooMany({ answer }: SignedRetry<Answer>, changes: object): boolean {
  return answer.refused && answer.status !== 401 && Object.keys(changes).length === 0;
}
