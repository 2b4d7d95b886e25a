import { branded } from '../schemas/brand.ts';
import { stamp, type KeyPair, type SignOptions, type StampForm } from './crypto/index.ts';

/** What the first call's 202 gives to the retry (SignedRetryChallenge). */
export interface RetryChallenge {
  readonly payloadToSign: string;
  readonly requestId: string;
}

/** The part of a request that the retry adds to. */
export interface SignableRequest {
  readonly label?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** What one retry may do differently from what it should. Nothing set: the signed retry as the interface describes it. */
export interface RetryBend<R> {
  /** Signs in place of the right key. */
  readonly key?: KeyPair;
  /** The text to sign, made from the payloadToSign. */
  readonly payload?: (payloadToSign: string) => string;
  /** Which of the two valid signatures the stamp carries. */
  readonly sign?: SignOptions;
  /** The whole value of the signature header; null leaves the header out. */
  readonly stamp?: ((payloadToSign: string, key: KeyPair, form: StampForm) => string) | null;
  /** The value of Request-Id; null leaves the header out. */
  readonly requestId?: string | null;
  /** The request to send with the two headers, made from that of the first call: other body, other path. */
  readonly request?: (first: R) => R;
  /** Runs between the first call and the retry: look at what has changed, move a clock, end a session. */
  readonly between?: (challenge: RetryChallenge) => Promise<unknown>;
  /** How often the same retry is sent; default once. */
  readonly times?: number;
  /** Sends them all at the same moment and not one after the other. */
  readonly atOnce?: boolean;
}

/** Everything that came back. */
export interface SignedRetry<A> {
  readonly first: A;
  /** Absent when the first call was not answered with a usable challenge; there is no retry then. */
  readonly challenge: RetryChallenge | undefined;
  readonly retries: readonly A[];
  /** Where the flow ended: the first retry's answer, or that of the first call when there was no retry. */
  readonly answer: A;
}

/** How a signed retry is carried out: who sends, what is read from the answer, and under which brand. */
export interface RetryMeans<R extends SignableRequest, A> {
  readonly send: (request: R) => Promise<A>;
  /** The challenge in the first call's answer; undefined when it is none. */
  readonly challengeIn: (answer: A) => RetryChallenge | undefined;
  /** Word in the name of the signature header, such as `Service`. */
  readonly brand: string;
  readonly stampForm: StampForm;
}

/**
 * The signed retry (section Signed-retry request lifecycle): the request without wallet headers, then the same request
 * with the stamp of the returned payloadToSign and with the returned requestId.
 */
export async function signedRetry<R extends SignableRequest, A>(
  means: RetryMeans<R, A>,
  request: R,
  key: KeyPair,
  bend: RetryBend<R> = {},
): Promise<SignedRetry<A>> {
  const first = await means.send({ ...request, ...labelled(request, 'first call') });
  const challenge = means.challengeIn(first);
  if (!challenge) return { first, challenge, retries: [], answer: first };
  await bend.between?.(challenge);
  const retries = await retry(means, request, challenge, key, bend);
  return { first, challenge, retries, answer: retries[0] ?? first };
}

/** The second half alone: a retry with a challenge that is at hand, also one issued for another request. */
export async function retry<R extends SignableRequest, A>(
  means: RetryMeans<R, A>,
  request: R,
  challenge: RetryChallenge,
  key: KeyPair,
  bend: RetryBend<R> = {},
): Promise<readonly A[]> {
  const target = bend.request?.(request) ?? request;
  const signed: R = {
    ...target,
    ...labelled(target, 'signed retry'),
    headers: { ...target.headers, ...walletHeaders(means, challenge, key, bend) },
  };
  const times = bend.times ?? 1;
  if (bend.atOnce) return Promise.all(Array.from({ length: times }, () => means.send(signed)));
  const answers: A[] = [];
  while (answers.length < times) answers.push(await means.send(signed));
  return answers;
}

/** The two headers of a wallet-signed request (section Authentication, 5); a header that is left out is undefined. */
export function walletHeaders(
  { brand, stampForm }: Pick<RetryMeans<never, never>, 'brand' | 'stampForm'>,
  challenge: RetryChallenge,
  rightKey: KeyPair,
  bend: Pick<RetryBend<never>, 'key' | 'payload' | 'sign' | 'stamp' | 'requestId'> = {},
): Record<string, string | undefined> {
  const key = bend.key ?? rightKey;
  const text = bend.payload?.(challenge.payloadToSign) ?? challenge.payloadToSign;
  const value =
    bend.stamp === null
      ? undefined
      : (bend.stamp ?? ((payload, by, form) => stamp(payload, by, form, bend.sign)))(text, key, stampForm);
  const requestId = bend.requestId === undefined ? challenge.requestId : (bend.requestId ?? undefined);
  return { [branded('Service-Wallet-Signature', brand)]: value, 'Request-Id': requestId };
}

function labelled(request: SignableRequest, step: string): { label?: string } {
  return request.label === undefined ? {} : { label: `${request.label} (${step})` };
}
