import { KeyPair, type StampForm } from '../../../client/crypto/index.ts';
import {
  retry,
  signedRetry,
  type RetryChallenge,
  type RetryOptions,
  type SignedRetry,
} from '../../../client/signed-retry.ts';
import type { WalletAccountState } from '../../../target/states/types.ts';
import { Answer, succeeded } from '../../answer.ts';
import type { Clock } from '../../clock.ts';
import type { Need } from '../../need.ts';
import type { Credential, OtpType, WalletSession } from './credential.ts';
import { challengeIn, hideKey, retryMeans, type WalletMeans } from './means.ts';
import type { WalletRequest } from './requests.ts';

/** How a request is signed, what is wrong in it, and what it is for, in plain words. */
export type SignedRetryOptions = RetryOptions<WalletRequest> & { readonly label?: string };

/** Signs: a session, or a key that may be none. */
export type Signer = KeyPair | WalletSession;

/** An embedded wallet account, and any request that is made about it, signed or not. */
export class WalletAccount {
  protected readonly means: WalletMeans;
  readonly state: WalletAccountState;
  /** Credentials that the account was prepared with. */
  readonly credentials: readonly Credential<OtpType>[];
  readonly clock: WalletClock;

  constructor(means: WalletMeans, state: WalletAccountState) {
    this.means = means;
    this.state = state;
    this.credentials = state.credentials.map(({ id, type }) => ({ id, type }) as Credential<OtpType>);
    this.clock = new WalletClock(means, state.customerId);
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

  /** A prepared credential of this type. @throws Error when the state was not asked for one: a defect of the test */
  prepared<T extends OtpType>(type: T): Credential<T> {
    const found = this.credentials.find((one) => one.type === type);
    if (!found) throw new Error(`the wallet was not prepared with a credential of type ${type}`);
    return found as Credential<T>;
  }

  /** A fresh key pair whose private half is kept out of every record. */
  newKey(): KeyPair {
    return hideKey(this.means.secrets, KeyPair.generate());
  }

  /** Sends a request without wallet headers. */
  send(request: WalletRequest, changes: Partial<WalletRequest> = {}): Promise<Answer> {
    return retryMeans(this.means).send({ ...request, ...changes });
  }

  /** The whole signed retry of any request, whatever comes of it. */
  async signed(
    request: WalletRequest,
    by: Signer,
    { label, ...options }: SignedRetryOptions = {},
  ): Promise<SignedRetry<Answer>> {
    const labelled = label === undefined ? request : { ...request, label };
    const done = await signedRetry(retryMeans(this.means), labelled, keyOf(by), options);
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

  /** The retry alone, with a challenge that is at hand. */
  async retry(
    request: WalletRequest,
    challenge: RetryChallenge,
    by: Signer,
    options: RetryOptions<WalletRequest> = {},
  ): Promise<Answer> {
    const once = { ...options, times: 1 };
    const [answer] = await retry(retryMeans(this.means), request, challenge, keyOf(by), once);
    return answer as Answer;
  }
}

function keyOf(by: Signer): KeyPair {
  return by instanceof KeyPair ? by : by.key;
}

/** The target's time, as the customer of a wallet sees it. */
export class WalletClock {
  readonly #clock: Clock;
  readonly #need: Need;
  readonly #customerId: string;
  /** How far the target's clock is ahead of ours, in milliseconds: tokens are issued by it. */
  offsetMs = 0;

  constructor({ clock, need }: { readonly clock: Clock; readonly need: Need }, customerId: string) {
    this.#clock = clock;
    this.#need = need;
    this.#customerId = customerId;
  }

  /** The target's time, as far as it is known. */
  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  /** When an answer was given: of our clock and the target's the one that is behind, so that no difference between them accuses. */
  earliestNow(answer: Answer): Date {
    const theirs = Date.parse(answer.header('date') ?? '');
    return new Date(Math.min(this.now().getTime(), Number.isNaN(theirs) ? Infinity : theirs));
  }

  /** When an answer was given, by the one that is ahead. Where the target's clock has been moved, its answers may not tell. */
  latestNow(answer: Answer): Date {
    const theirs = this.offsetMs === 0 ? Date.parse(answer.header('date') ?? '') : Number.NaN;
    return new Date(Math.max(this.now().getTime(), Number.isNaN(theirs) ? 0 : theirs));
  }

  /**
   * Seconds to the `expiresAt` of an answer or a session, by the target's own clock where the answer shows it. Ends the test
   * where none lies ahead.
   */
  secondsLeft(of: Answer | WalletSession): number {
    const [expiresAt, sent] =
      of instanceof Answer ? [of.body?.expiresAt, Date.parse(of.header('date') ?? '')] : [of.expiresAt, NaN];
    const now = Number.isNaN(sent) || this.offsetMs !== 0 ? this.now().getTime() : sent;
    const left = (Date.parse(String(expiresAt)) - now) / 1_000;
    const what = of instanceof Answer ? `"${of.label}"` : 'the session';
    this.#need.that(left > 0, `${what} does not say when it expires`);
    return left;
  }

  /** Lets time pass for the wallet's customer. Ends the test where the target's clock cannot be moved. */
  async letPass(seconds: number): Promise<void> {
    this.offsetMs += await this.#clock.advance(seconds, this.#customerId);
  }
}
