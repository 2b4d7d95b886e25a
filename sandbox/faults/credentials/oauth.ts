import { newPrivateKey } from '../../crypto/keys.ts';
import { isObject } from '../../server/json.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import { fault, objectsNever, refused } from '../fault.ts';
import { keyMadeWhereNoneFits } from './sessions.ts';

/** OIDC tokens, at registration and at login, and the keys of the sessions they mint. */
export const oauthFaults = [
  fault('oauth-login-refused', 'VERIFY-OAUTH-ACCEPTED', {
    judgeLoginToken: () => () => refused('OAUTH is closed.'),
  }),
  fault('oauth-client-key-unchecked', 'VERIFY-OAUTH-CLIENT-KEY', {
    clientKeyFits: (original) => (world, key, use) => use === 'verify' || original(world, key, use),
    ...keyMadeWhereNoneFits,
  }),
  fault('session-key-sealed-to-another', 'SESSION-KEY-SEALED-TO-CLIENT', {
    sealSessionKey: (original) => (world, key) => original(world, key, newPrivateKey().point),
  }),
  fault('session-key-is-another', 'SESSION-KEY-SIGNS', {
    sealSessionKey: (original) => (world, _key, client) => original(world, newPrivateKey(), client),
  }),
  fault('passkey-session-signs-nothing', 'SESSION-KEY-SIGNS', {
    sessionIsLive: (original) => (world, session) =>
      session.type === 'PASSKEY'
        ? refuse(world.behaviour.refuseSigner('Weak session.'))
        : original(world, session),
  }),
  fault('token-signature-checked-in-sandbox', 'OIDC-SANDBOX-SIGNATURE-SKIPPED', {
    tokenSignature: () => (world, token) =>
      Buffer.from(token.split('.')[2] ?? '', 'base64url').length === 256
        ? undefined
        : refuse(world.behaviour.refuseProof('The token is not signed by its issuer.')),
  }),
  fault('malformed-token-read', 'OIDC-MALFORMED', {
    refuseMalformedToken: (original) => (world, token) => {
      const claims = jsonOf(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
      return isObject(claims) ? claims : original(world, token);
    },
  }),
  fault('old-token-registers', 'OIDC-CREATE-TOO-OLD', { registrationTokenIsCurrent: objectsNever }),
  fault('token-too-young-to-register-after-twenty-seconds', 'OIDC-AGE-WITHIN-LIMIT', {
    registrationTokenIsCurrent: (original) => (world, claims, now) => {
      if (now / 1000 - Number(claims['iat']) > 20)
        refuse(new Refusal(400, 'INVALID_INPUT', 'The token is too old.'));
      return original(world, claims, now);
    },
  }),
  fault('old-token-logs-in', 'OIDC-VERIFY-TOO-OLD', { loginTokenIsCurrent: objectsNever }),
  fault('token-age-in-minutes', 'OIDC-VERIFY-TOO-OLD', {
    loginTokenIsCurrent: (original) => (world, claims, now) =>
      original(
        world,
        {
          ...claims,
          iat: Math.max(Number(claims['iat']), Math.min(now / 1000, Number(claims['iat']) + 540)),
        },
        now,
      ),
  }),
  fault('young-token-too-old', 'OIDC-AGE-WITHIN-LIMIT', {
    tokenIsYoung: (original) => (world, claims, now) =>
      original(world, claims, now) && now / 1000 - Number(claims['iat']) <= 20,
  }),
  fault('token-of-any-issuer', 'OIDC-ISS', { isSameIssuer: objectsNever }),
  fault('token-for-any-audience', 'OIDC-AUD', { isSameAudience: objectsNever }),
  fault('token-of-any-subject', 'OIDC-SUB', { isSameSubject: objectsNever }),
  fault('nonce-unchecked', 'OIDC-NONCE', {
    nonceFits: (original) => (world, claims, key) =>
      claims['nonce'] === undefined ? original(world, claims, key) : undefined,
  }),
  fault('nonce-optional', 'OIDC-NONCE-MISSING', { refuseMissingNonce: objectsNever }),
];

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
