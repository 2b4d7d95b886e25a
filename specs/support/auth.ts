import { randomUUID } from 'node:crypto';
import { basicAuthorization } from '../../client/authorization.ts';
import {
  type Answer,
  type Authorization,
  expect,
  succeeded,
  type Check,
  type Need,
  type Platform,
  type Profile,
} from '../../suite/index.ts';

/**
 * Sends a request that is right but for the `authorization` that it is given. Each call is a request of its own: what one
 * that should have failed has changed does not stand in the way of the next.
 *
 * @param what the credentials in plain words, for the report
 */
export type Attempt = (authorization: Authorization | undefined, what: string) => Promise<Answer>;

/**
 * Something to call about, for call after call: the same until a call has succeeded, as bringing it about may hold back money or
 * send somebody a message.
 */
export function untilTaken<T>(
  bring: () => Promise<T>,
): (send: (one: T) => Promise<Answer>) => Promise<Answer> {
  let one: T | undefined;
  return async (send) => {
    one ??= await bring();
    const answer = await send(one);
    if (succeeded(answer)) one = undefined;
    return answer;
  };
}

/** A 401 for an issue with the credentials says so in its code. Answers of another status are another rule's matter. */
export async function namesTheCause(
  check: Check,
  answers: readonly Answer[],
  codes: readonly string[] = ['UNAUTHORIZED'],
): Promise<void> {
  const unauthenticated = answers.filter((answer) => answer.exchange.response?.status === 401);
  if (unauthenticated.length === 0) return;
  await check('AUTH-FAILURE-CODE', () => {
    for (const answer of unauthenticated) expect(answer).toHaveCode(...codes);
  });
}

/**
 * Statuses with which a credential operation may refuse an agent's token. A header that the platform's operations cannot
 * read at all may be called an invalid request everywhere.
 *
 * @param elsewhere what another operation of the platform answers to that token
 */
export function refusalsOfToken(elsewhere: Answer | undefined): readonly number[] {
  return elsewhere?.exchange.response?.status === 400 ? [400, 401, 403] : [401, 403];
}

/** What may stand in the Authorization header, in plain words beside it. */
export type Credentials = readonly (readonly [authorization: Authorization | undefined, what: string])[];

/** Hexadecimal digits, whose case may say nothing. */
export const HEXADECIMAL = /^[0-9a-f-]*$/i;

/** The right client with secrets that are not its own. */
export function wrongSecrets({ clientId, clientSecret }: Profile): Credentials {
  const lowered = clientSecret.toLowerCase();
  const otherCase = lowered === clientSecret ? clientSecret.toUpperCase() : lowered;
  const caseTells = otherCase !== clientSecret && !HEXADECIMAL.test(clientSecret);
  return [
    [basicAuthorization(clientId, randomUUID()), 'an invented secret'],
    [basicAuthorization(clientId, `${clientSecret}x`), 'the secret and one letter more'],
    [basicAuthorization(clientId, clientSecret.slice(0, -1)), 'the secret but for its last letter'],
    ...(caseTells ? [[basicAuthorization(clientId, otherCase), 'the secret in another case'] as const] : []),
  ];
}

/** Clients that do not exist, with the right secret. */
export function unknownClients({ clientId, clientSecret }: Profile): Credentials {
  return [
    [basicAuthorization(randomUUID(), clientSecret), 'an invented client'],
    [basicAuthorization(`${clientId}x`, clientSecret), 'the client and one letter more'],
  ];
}

/** Authorization headers that cannot be read as HTTP Basic, or that a careful reader takes for none. */
export function malformedBasic({ clientId, clientSecret }: Profile): Credentials {
  const encoded = (text: string) => Buffer.from(text, 'utf8').toString('base64');
  return [
    ['Basic', 'the scheme alone'],
    ['Basic ****', 'what is no base64'],
    [`Basic ${encoded(`${clientId}${clientSecret}`)}`, 'client and secret without a colon'],
    // RFC 7617 lets both be empty, and not every reader does.
    [basicAuthorization(clientId, ''), 'an empty secret'],
    [basicAuthorization('', clientSecret), 'no client'],
    [`Basic ${clientId}:${clientSecret}`, 'client and secret in clear'],
    [`Elementary ${encoded(`${clientId}:${clientSecret}`)}`, 'a scheme that does not exist'],
  ];
}

/** The control: credentials of another platform are known, so that it is the record that they are refused for. */
export async function needTaken(platform: Platform, need: Need, authorization: string): Promise<void> {
  const label = 'another platform lists its approvals';
  const own = await platform.call('listApprovals', { label, authorization });
  need.that(own.status !== 401, 'the credentials of the other platform are not taken');
}
