import { newPrivateKey } from '../../crypto/keys.ts';
import { isObject } from '../../server/json.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import { faultsOf, objectsNever, refused } from '../fault.ts';
import { keyMadeWhereNoneFits } from './sessions.ts';

/** OIDC tokens, at registration and at login, and the keys of the sessions they mint. */
export const oauthFaults = faultsOf([
  [
    'oauth-login-refused',
    'VERIFY-OAUTH-ACCEPTED',
    'No token is good enough to log in.',
    {
      judgeLoginToken: () => () => refused('OAUTH is closed.'),
    },
  ],
  [
    'oauth-client-key-unchecked',
    'VERIFY-OAUTH-CLIENT-KEY',
    'A login takes a clientPublicKey that is none.',
    {
      clientKeyFits: (original) => (world, key, use) => use === 'verify' || original(world, key, use),
      ...keyMadeWhereNoneFits,
    },
  ],
  [
    'session-key-sealed-to-another',
    'SESSION-KEY-SEALED-TO-CLIENT',
    'The session key is sealed to a key that the client does not have.',
    {
      sealSessionKey: (original) => (world, key) => original(world, key, newPrivateKey().point),
    },
  ],
  [
    'session-key-is-another',
    'SESSION-KEY-SIGNS',
    'The sealed key is not the key of the session.',
    {
      sealSessionKey: (original) => (world, _key, client) => original(world, newPrivateKey(), client),
    },
  ],
  [
    'passkey-session-signs-nothing',
    'SESSION-KEY-SIGNS',
    'The session of a passkey authorizes nothing.',
    {
      sessionIsLive: (original) => (world, session) =>
        session.type === 'PASSKEY'
          ? refuse(world.behaviour.refuseSigner('Weak session.'))
          : original(world, session),
    },
  ],
  [
    'token-signature-checked-in-sandbox',
    'OIDC-SANDBOX-SIGNATURE-SKIPPED',
    'A sandbox takes no signature that cannot be one of the real providers, by its length.',
    {
      tokenSignature: () => (world, token) =>
        Buffer.from(token.split('.')[2] ?? '', 'base64url').length === 256
          ? undefined
          : refuse(world.behaviour.refuseProof('The token is not signed by its issuer.')),
    },
  ],
  [
    'malformed-token-read',
    'OIDC-MALFORMED',
    'Of a token that is no JWT the second part is read all the same.',
    {
      refuseMalformedToken: (original) => (world, token) => {
        const claims = jsonOf(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
        return isObject(claims) ? claims : original(world, token);
      },
    },
  ],
  [
    'old-token-registers',
    'OIDC-CREATE-TOO-OLD',
    'Registration does not look at the age of a token.',
    {
      registrationTokenIsCurrent: objectsNever,
    },
  ],
  [
    'token-too-young-to-register-after-twenty-seconds',
    'OIDC-AGE-WITHIN-LIMIT',
    'A token is too old to register after 20 seconds.',
    {
      registrationTokenIsCurrent: (original) => (world, claims, now) => {
        if (now / 1000 - Number(claims['iat']) > 20)
          refuse(new Refusal(400, 'INVALID_INPUT', 'The token is too old.'));
        return original(world, claims, now);
      },
    },
  ],
  [
    'old-token-logs-in',
    'OIDC-VERIFY-TOO-OLD',
    'Login does not look at the age of a token.',
    {
      loginTokenIsCurrent: objectsNever,
    },
  ],
  [
    'token-age-in-minutes',
    'OIDC-VERIFY-TOO-OLD',
    'A login token may be 10 minutes old.',
    {
      loginTokenIsCurrent: (original) => (world, claims, now) =>
        original(
          world,
          {
            ...claims,
            iat: Math.max(Number(claims['iat']), Math.min(now / 1000, Number(claims['iat']) + 540)),
          },
          now,
        ),
    },
  ],
  [
    'young-token-too-old',
    'OIDC-AGE-WITHIN-LIMIT',
    'A token is too old after 20 seconds.',
    {
      tokenIsYoung: (original) => (world, claims, now) =>
        original(world, claims, now) && now / 1000 - Number(claims['iat']) <= 20,
    },
  ],
  [
    'token-of-any-issuer',
    'OIDC-ISS',
    'The iss of a login token is not compared.',
    {
      isSameIssuer: objectsNever,
    },
  ],
  [
    'token-for-any-audience',
    'OIDC-AUD',
    'The aud of a login token is not compared.',
    {
      isSameAudience: objectsNever,
    },
  ],
  [
    'token-of-any-subject',
    'OIDC-SUB',
    'The sub of a login token is not compared.',
    {
      isSameSubject: objectsNever,
    },
  ],
  [
    'nonce-unchecked',
    'OIDC-NONCE',
    'Any nonce will do, if there is one.',
    {
      nonceFits: (original) => (world, claims, key) =>
        claims['nonce'] === undefined ? original(world, claims, key) : undefined,
    },
  ],
  [
    'nonce-optional',
    'OIDC-NONCE-MISSING',
    'A token without a nonce logs in.',
    {
      refuseMissingNonce: objectsNever,
    },
  ],
]);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
