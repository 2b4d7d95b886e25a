import { KeyPair, type StampForm } from '../../../client/crypto/index.ts';
import {
  retry,
  signedRetry,
  type RetryChallenge,
  type RetryOptions,
  type SignedRetry,
} from '../../../client/signed-retry.ts';
import type { WalletAccountState } from '../../../target/states/types.ts';
import type { Answer } from '../../answer.ts';
import type { Need } from '../../need.ts';
import { succeeded } from '../succeeded.ts';
import { WalletClock } from './clock.ts';
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
