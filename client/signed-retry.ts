import { branded } from '../schemas/brand.ts';
import type { SentRequest } from './http/http-client.ts';
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

/** What a retry gets wrong on purpose. Nothing set: it is as the interface describes it. */
export interface Tampering<R> {
  /** Signs in place of the right key. */
  readonly key?: KeyPair;
  /** The text to sign, made from what the first call gave. */
  readonly payload?: (payloadToSign: string, requestId: string) => string;
  /** The whole value of the signature header; null leaves the header out. */
  readonly stamp?: ((payloadToSign: string, key: KeyPair, form: StampForm) => string) | null;
  /** The value of Request-Id; null leaves the header out. */
  readonly requestId?: string | null;
  /** The request to send with the two headers, made from that of the first call: other body, other path. */
  readonly request?: (first: R) => R;
}

/** Where a signed retry stands after its first call. */
export interface Begun<R, A> {
  readonly first: A;
  /** Sends a wrong retry with the challenge that is at hand, signed with the right key unless that is what is wrong. */
  readonly mistaken: (label: string, tamper: Tampering<R>) => Promise<A>;
}

/** How a signed retry is made. */
export interface RetryOptions<R, A = unknown> {
  readonly tamper?: Tampering<R>;
  /** Which of the two valid signatures the stamp carries. */
  readonly sign?: SignOptions;
  /** Runs between the first call and the retry: look at what has changed, move a clock, end a session, send a wrong retry. */
  readonly between?: (challenge: RetryChallenge, begun: Begun<R, A>) => Promise<unknown>;
  /** How often the same retry is sent; default once. 0: the first call alone. */
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
  options: RetryOptions<R, A> = {},
): Promise<SignedRetry<A>> {
  const first = await means.send({ ...request, ...labelled(request, 'first call') });
  const challenge = means.challengeIn(first);
  if (!challenge) return { first, challenge, retries: [], answer: first };
  const mistaken: Begun<R, A>['mistaken'] = async (what, tamper) => {
    const label = request.label === undefined ? what : `${request.label}, ${what}`;
    const [answer] = await retry(means, { ...request, label }, challenge, key, { tamper });
    return answer as A;
  };
  await options.between?.(challenge, { first, mistaken });
  const retries = await retry(means, request, challenge, key, options);
  return { first, challenge, retries, answer: retries[0] ?? first };
}

/** The second half alone: a retry with a challenge that is at hand, also one issued for another request. */
export async function retry<R extends SignableRequest, A>(
  means: RetryMeans<R, A>,
  request: R,
  challenge: RetryChallenge,
  key: KeyPair,
  options: Omit<RetryOptions<R, A>, 'between'> = {},
): Promise<readonly A[]> {
  const target = options.tamper?.request?.(request) ?? request;
  const signed: R = {
    ...target,
    ...labelled(target, 'signed retry'),
    headers: { ...target.headers, ...walletHeaders(means, challenge, key, options) },
  };
  const times = options.times ?? 1;
  if (options.atOnce) return Promise.all(Array.from({ length: times }, () => means.send(signed)));
  const answers: A[] = [];
  while (answers.length < times) answers.push(await means.send(signed));
  return answers;
}

/** The two headers of a wallet-signed request (section Authentication, 5); a header that is left out is undefined. */
function walletHeaders(
  { brand, stampForm }: Pick<RetryMeans<never, never>, 'brand' | 'stampForm'>,
  challenge: RetryChallenge,
  rightKey: KeyPair,
  {
    tamper = {},
    sign,
  }: { readonly tamper?: Omit<Tampering<never>, 'request'>; readonly sign?: SignOptions } = {},
): Record<string, string | undefined> {
  const key = tamper.key ?? rightKey;
  const text = tamper.payload?.(challenge.payloadToSign, challenge.requestId) ?? challenge.payloadToSign;
  const value =
    tamper.stamp === null
      ? undefined
      : (tamper.stamp ?? ((payload, by, form) => stamp(payload, by, form, sign)))(text, key, stampForm);
  const requestId = tamper.requestId === undefined ? challenge.requestId : (tamper.requestId ?? undefined);
  return { [branded('Service-Wallet-Signature', brand)]: value, 'Request-Id': requestId };
}

function labelled(request: SignableRequest, step: string): { label?: string } {
  return request.label === undefined ? {} : { label: `${request.label} (${step})` };
}

/** Whether a request carries a wallet's signature, whatever the brand in the header's name. */
export function isWalletSigned({ headers }: SentRequest): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase().endsWith('-wallet-signature'));
}
