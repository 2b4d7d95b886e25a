import { randomUUID } from 'node:crypto';
import { basicAuthorization } from '../../../client/authorization.ts';
import type { Profile } from '../../../suite/index.ts';

type Credentials = readonly (readonly [authorization: string, what: string])[];

/** The right client with secrets that are not its own. */
export function wrongSecrets({ clientId, clientSecret }: Profile): Credentials {
  return [
    [basicAuthorization(clientId, randomUUID()), 'an invented secret'],
    [basicAuthorization(clientId, `${clientSecret}x`), 'the secret and one letter more'],
    [basicAuthorization(clientId, clientSecret.slice(0, -1)), 'the secret but for its last letter'],
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
