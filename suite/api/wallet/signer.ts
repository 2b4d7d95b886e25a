/** Sends the requests of one wallet, and signs them: keys, stamps, the signed retry. Knows no flow. */
import { KeyPair, type StampForm } from '../../../client/crypto/index.ts';
import type { Secrets } from '../../../client/secrets/secrets.ts';
import {
  retry,
  signedRetry,
  type RetryChallenge,
  type RetryMeans,
  type RetryOptions,
  type SignedRetry,
  type Tampering,
} from '../../../client/signed-retry.ts';
import type { DialectAssumption } from '../../../target/dialect/keys.ts';
import type { Profile } from '../../../target/profile.ts';
import type { OtpType, WalletAccountState } from '../../../target/states/types.ts';
import { type Answer, succeeded } from '../../answers/answer.ts';
import type { Clock } from '../../clock.ts';
import type { Need } from '../../need.ts';
import type { Platform } from '../platform.ts';
import { WalletClock } from './clock.ts';
import { challengeIn, type Credential, type WalletRequest, type WalletSession } from './requests.ts';

/** What a wallet is handed: who calls, what is kept secret, and where one-time codes come from. */
export interface WalletMeans {
  readonly platform: Platform;
  readonly secrets: Secrets;
  readonly profile: Profile;
  /** The last code that was sent for a one-time-code credential: what the state tells, or what every sandbox takes. */
  readonly codeFor: (credential: Credential<OtpType>) => Promise<string>;
  /** Ends the test where a wallet cannot get as far as its test needs. */
  readonly need: Need;
  readonly clock: Clock;
}

/** How a request is signed, what is wrong in it, and what it is for, in plain words. */
export type SignedRetryOptions = RetryOptions<WalletRequest, Answer> & { readonly label?: string };

/** Signs: a session, or a key that may be none. */
export type Signer = KeyPair | WalletSession;

/** One thing to get wrong on a signed retry, and how it is called. */
export interface Mistake {
  readonly label: string;
  readonly tamper: Tampering<WalletRequest>;
  /** Whether it is wrong with this challenge; absent: with any. */
  readonly isWrong?: (challenge: RetryChallenge) => boolean;
}

/** First calls that have been blamed already. */
const blamed = new WeakSet<Answer>();

/** An embedded wallet account as its requests see it: platform credentials for the calls, session keys for the stamps. */
export class WalletSigner {
  readonly means: WalletMeans;
  readonly state: WalletAccountState;
  readonly clock: WalletClock;

  constructor(means: WalletMeans, state: WalletAccountState) {
    this.means = means;
    this.state = state;
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

  /** Keeps the private half of a key out of every record. @internal */
  hidden(key: KeyPair): KeyPair {
    this.means.secrets.addBytes(key.scalar);
    return key;
  }

  /** A fresh key pair whose private half is kept out of every record. */
  newKey(): KeyPair {
    return this.hidden(KeyPair.generate());
  }

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

  /** The whole signed retry of any request, whatever comes of it. */
  async signed(
    request: WalletRequest,
    by: Signer,
    { label, ...options }: SignedRetryOptions = {},
  ): Promise<SignedRetry<Answer>> {
    const labelled = label === undefined ? request : { ...request, label };
    const done = await signedRetry(this.#retryMeans, labelled, keyOf(by), options);
    const { stamp, key, payload } = options.tamper ?? {};
    const isGood = stamp === undefined && key === undefined && payload === undefined;
    if (isGood && done.retries[0] && succeeded(done.retries[0])) this.means.platform.speaks(['stamp']);
    return done;
  }

  /** The first call alone, with the challenge that it gave. */
  async begin(request: WalletRequest): Promise<Pick<SignedRetry<Answer>, 'first' | 'challenge'>> {
    const first = await this.send(request, { label: `${request.label ?? 'a wallet request'} (first call)` });
    return { first, challenge: challengeIn(first) };
  }

  /** The first call alone. Ends the test where it gives nothing to sign. @returns what sends the signed retry */
  async begun(request: WalletRequest, by: Signer): Promise<() => Promise<Answer>> {
    const challenge = this.need.challenged(await this.begin(request));
    return () => this.retry(request, challenge, by);
  }

  /** The retry alone, with a challenge that is at hand. */
  async retry(
    request: WalletRequest,
    challenge: RetryChallenge,
    by: Signer,
    options: Omit<SignedRetryOptions, 'between'> = {},
  ): Promise<Answer> {
    const once = { ...options, times: 1 };
    const [answer] = await retry(this.#retryMeans, request, challenge, keyOf(by), once);
    return answer as Answer;
  }

  /**
   * Blames a first call that was carried out where the interface has something to sign (section Signed-retry request
   * lifecycle), whatever the test was about: a service may ask for the signature most of the time. A success that is no 202 and
   * yet gives something to sign is the matter of the answer's status.
   *
   * @param rule that says that the operation needs the signed retry
   * @internal
   */
  blameUnsigned(
    { first, challenge }: Pick<SignedRetry<Answer>, 'first' | 'challenge'>,
    rule: string,
    assumes: readonly DialectAssumption[] = [],
  ): void {
    const isCarriedOut = succeeded(first) && first.exchange.response?.status !== 202 && !challenge;
    if (!isCarriedOut || first.trouble || first.cameFromBetween || blamed.has(first)) return;
    blamed.add(first);
    const message = `"${first.label}" was answered ${first.outcome} without a signature, and not with a 202 to sign`;
    this.means.platform.blame(rule, first, message, assumes);
  }

  get #retryMeans(): RetryMeans<WalletRequest, Answer> {
    const { brand, dialect } = this.means.profile;
    return { send: (request) => this.send(request), challengeIn, brand, stampForm: dialect.stamp };
  }
}

function keyOf(by: Signer): KeyPair {
  return by instanceof KeyPair ? by : by.key;
}
