import { giving, nothing } from '../areas/replacements.ts';
import { createHash } from 'node:crypto';
import { refuseClaims } from '../areas/credentials/records.ts';
import { open, seal, sealedText, type SealForm } from '../crypto/keys.ts';
import { refuse } from '../server/refusal.ts';
import type { Dialect } from './index.ts';

const OTP_SEAL: SealForm = { info: 'acme one-time code', aad: 'none' };

const KEY_SEAL: SealForm = { info: 'acme session key', aad: 'keys' };

const SMS_CODE = '424242';

const IDENTITY = { iss: 'https://appleid.apple.com', aud: 'acme-app' };

const PASSKEY = { origin: 'https://app.acme.example' };

/** What a registration names its address, by type. */
const ADDRESS_FIELDS = { EMAIL_OTP: 'email', SMS_OTP: 'phoneNumber' } as const;

const credentialDialects: readonly Dialect[] = [
  {
    key: 'stamp',
    says: 'stamps name the scheme ACME_P256 and are base64 with padding',
    replace: {
      decodeStamp: () => (world, header) =>
        /^[A-Za-z0-9+/]+={0,2}$/.test(header) && header.length % 4 === 0
          ? Buffer.from(header, 'base64').toString('utf8')
          : refuse(world.behaviour.refuseMalformedSignature('encoding', 'it is not base64 with padding')),
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
      issueOtpChallenge: giving((challenge, world, credential) =>
        credential.type === 'SMS_OTP' ? Object.assign(challenge, { code: SMS_CODE }) : challenge,
      ),
      toldCode: nothing,
    },
  },
  {
    key: 'oidcToken',
    says: 'identity tokens are of one provider and for one audience',
    replace: {
      judgeRegistrationToken: giving((claims, world) => {
        if (claims['iss'] !== IDENTITY.iss) throw refuseClaims(world, 'iss is no known provider');
        if (claims['aud'] !== IDENTITY.aud) throw refuseClaims(world, 'aud is not this service');
        return claims;
      }),
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
          : refuse(refuseClaims(world, 'nonce is of another clientPublicKey'));
      },
    },
  },
  {
    key: 'passkey',
    says: 'passkeys belong to another domain',
    replace: {
      registrationOrigin: giving((origin) =>
        origin === PASSKEY.origin ? origin : 'https://unknown.invalid',
      ),
    },
  },
  {
    key: 'credentialBody',
    says: 'one-time codes are registered with the address that they go to',
    replace: {
      readRegistration: (original) => async (world, account, body) => {
        const field = ADDRESS_FIELDS[body['type'] as keyof typeof ADDRESS_FIELDS] as string | undefined;
        return field === undefined || typeof body[field] === 'string'
          ? original(world, account, body)
          : refuse(world.behaviour.refuseField(field, 'is missing'));
      },
    },
  },
];

/** Paths of operations that the interface does not give, as they are served here. */
const PATHS: readonly (readonly [here: RegExp, usual: string])[] = [
  [/^\/orders\/([^/]+)$/, '/quotes/$1'],
  [/^\/orders\/([^/]+)\/run$/, '/quotes/$1/execute'],
  [/^\/agents\/me\/history\/([^/]+)$/, '/agents/me/actions/$1'],
  [/^\/wallet-sessions$/, '/auth/sessions'],
  [/^\/payments\/([^/]+)$/, '/transactions/$1'],
  [/^\/beneficiaries\/([^/]+)$/, '/customers/external-accounts/$1'],
  [/^\/people\/([^/]+)$/, '/customers/$1'],
];

/** The usual places, where nothing is found here. */
const LEFT: readonly RegExp[] = [
  /^\/quotes\/[^/]+$/,
  /^\/quotes\/[^/]+\/execute$/,
  /^\/agents\/me\/actions\/[^/]+$/,
  /^\/auth\/sessions$/,
  /^\/transactions\/[^/]+$/,
  /^\/customers\/external-accounts\/[^/]+$/,
];

/** Fields that bodies must hold here. */
const MORE_FIELDS: Readonly<Record<string, string>> = {
  'POST /quotes': 'reference',
  'POST /agents': 'role',
  'POST /customers': 'region',
};

/** Name of the field that holds the code of a text message. */
const PROOF_FIELD = 'otp';

const PROOF_CODE = '654321';

const callDialects: readonly Dialect[] = [
  {
    key: 'agentToken',
    says: "agents' tokens travel in a header of their own",
    replace: {
      identifyCaller: (original) => (world, call, route) => {
        const { authorization = '', ...others } = call.headers;
        const token = call.headers['x-acme-agent'];
        const shown = token === undefined ? authorization.replace(/^Bearer .*$/i, '') : `Bearer ${token}`;
        const headers = shown === '' ? others : { ...others, authorization: shown };
        return original(world, { ...call, headers }, route);
      },
    },
  },
  {
    key: 'scaProof',
    says: 'the code of a text message is another one, under another name, and no state tells it',
    replace: {
      codeHolds: () => (_world, _challenge, proof) => proof[PROOF_FIELD] === PROOF_CODE,
      toldScaCode: nothing,
    },
  },
  {
    key: 'paths',
    says: 'some operations whose paths are not given have others',
    replace: {
      servedPath: () => (_world, path) => {
        const found = PATHS.find(([here]) => here.test(path));
        if (found) return path.replace(...found);
        return LEFT.some((usual) => usual.test(path)) ? '/nothing-here' : path;
      },
    },
  },
  {
    key: 'bodies',
    says: 'quotes, agents and customers are created with one more field',
    replace: {
      readBody: giving((body, world, call, route) => {
        const field = MORE_FIELDS[`${route.method} ${route.path}`];
        if (field !== undefined && (body as Record<string, unknown>)[field] === undefined)
          throw world.behaviour.refuseField(field, 'is missing');
        return body;
      }),
    },
  },
];

/** Longer than known deployments take, in milliseconds; an execution ends within the time that its profile tells. */
const BEGIN_MS = 11_000;

const END_MS = 6_000;

const EVENT_MS = 7_000;

/** Other times: nothing is wrong with a slow service. */
const timeDialects: readonly Dialect[] = [
  {
    key: 'effectSeconds',
    says: 'an approved action begins to be executed eleven seconds later',
    replace: {
      whenExecutionBegins: () => (_world, begin) => void setTimeout(begin, BEGIN_MS).unref(),
      whenExecutionEnds: () => (_world, end) => void setTimeout(end, END_MS).unref(),
    },
  },
  {
    key: 'eventSeconds',
    says: 'events arrive seven seconds later',
    replace: {
      sendLater: (original) => (world, url, send) =>
        void setTimeout(() => original(world, url, send), EVENT_MS).unref(),
    },
  },
];

/** Everything that a client has to know and the interface does not show, each done in another way. */
export const dialects: readonly Dialect[] = [...credentialDialects, ...callDialects, ...timeDialects];

/** The dialects of the world `dialect.<name>`: one key, or `all`. Undefined when the name means nothing. */
export function dialectsNamed(name: string): readonly Dialect[] | undefined {
  if (name === 'all') return dialects;
  const found = dialects.filter(({ key }) => key === name);
  return found.length > 0 ? found : undefined;
}
