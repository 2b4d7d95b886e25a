import { createHash } from 'node:crypto';
import { open, seal, sealedText, type SealForm } from '../../crypto/hpke.ts';
import { refuse } from '../../server/refusal.ts';
import type { Dialect } from '../choice.ts';

const OTP_SEAL: SealForm = { info: 'acme one-time code', aad: 'none' };
const KEY_SEAL: SealForm = { info: 'acme session key', aad: 'keys' };
const SMS_CODE = '424242';
const IDENTITY = { iss: 'https://appleid.apple.com', aud: 'acme-app' };
const PASSKEY = { origin: 'https://app.acme.example' };
const FIELDS = { EMAIL_OTP: 'email', SMS_OTP: 'phoneNumber' } as const;

/** Other ways with wallet credentials and sessions. */
export const credentialDialects: readonly Dialect[] = [
  {
    key: 'stamp',
    says: 'stamps name the scheme ACME_P256 and are base64 with padding',
    replace: {
      decodeStamp: () => (world, header) =>
        /^[A-Za-z0-9+/]+={0,2}$/.test(header) && header.length % 4 === 0
          ? Buffer.from(header, 'base64').toString('utf8')
          : refuse(world.rules.refuseMalformedSignature('encoding', 'it is not base64 with padding')),
      stampFieldsFault: (original) => (world, fields) =>
        original(world, { ...fields, scheme: 'SIGNATURE_SCHEME_TK_API_P256' }) ??
        (fields['scheme'] === 'ACME_P256' ? undefined : 'scheme is unknown'),
    },
  },
  {
    key: 'otpSeal',
    says: 'codes are sealed under another info, without additional data',
    replace: { openBundle: () => (_world, challenge, sealed) => open(challenge.target, sealed, OTP_SEAL) },
  },
  {
    key: 'sessionKeySeal',
    says: 'session keys are sealed under another info',
    replace: {
      sealSessionKey: () => async (_world, key, client) =>
        sealedText(await seal(client, key.scalar, KEY_SEAL)),
    },
  },
  {
    key: 'smsCode',
    says: 'text messages carry another code, which no state tells',
    replace: {
      issueOtpChallenge: (original) => (world, credential) => {
        const challenge = original(world, credential);
        return credential.type === 'SMS_OTP' ? Object.assign(challenge, { code: SMS_CODE }) : challenge;
      },
      toldCode: () => () => undefined,
    },
  },
  {
    key: 'oidcToken',
    says: 'identity tokens are of one provider and for one audience',
    replace: {
      judgeRegistrationToken: (original) => (world, token, now) => {
        const claims = original(world, token, now);
        if (claims['iss'] !== IDENTITY.iss) throw world.rules.refuseClaims('iss is no known provider');
        if (claims['aud'] !== IDENTITY.aud) throw world.rules.refuseClaims('aud is not this service');
        return claims;
      },
    },
  },
  {
    key: 'oidcNonce',
    says: 'the nonce of an identity token is base64url',
    replace: {
      nonceFits: (original) => (world, claims, clientPublicKey) => {
        const hash = createHash('sha256').update(clientPublicKey);
        const { nonce } = claims;
        if (nonce === undefined) return original(world, claims, clientPublicKey);
        return nonce === hash.digest('base64url')
          ? undefined
          : refuse(world.rules.refuseClaims('nonce is of another clientPublicKey'));
      },
    },
  },
  {
    key: 'passkey',
    says: 'passkeys belong to another domain',
    replace: {
      registrationOrigin: (original) => (world, attestation) => {
        const origin = original(world, attestation);
        return origin === PASSKEY.origin ? origin : 'https://unknown.invalid';
      },
    },
  },
  {
    key: 'credentialBody',
    says: 'one-time codes are registered with the address that they go to',
    replace: {
      readRegistration: (original) => async (world, account, body) => {
        const field = FIELDS[body['type'] as keyof typeof FIELDS] as string | undefined;
        return field === undefined || typeof body[field] === 'string'
          ? original(world, account, body)
          : refuse(world.rules.refuseField(field, 'is missing'));
      },
    },
  },
];
