import { credentials, sessions, signedRequests } from '../../areas/credentials/records.ts';
import type { BehaviourSet } from '../../areas/behaviour.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import { type Row, coded, faultsOf } from '../fault.ts';

/** One part of the header gets another code when it cannot be read. */
const partCoded =
  (part: 'encoding' | 'structure' | 'fields', code: string, status = 401) =>
  (original: BehaviourSet['refuseMalformedSignature']): BehaviourSet['refuseMalformedSignature'] =>
  (world, seen, why) => {
    const refusal = original(world, seen, why);
    return seen === part ? new Refusal(status, code, refusal.message) : refusal;
  };

/** Texts that count as signed, besides the payload. */
const alsoSigned =
  (change: (payload: string) => string) =>
  (original: BehaviourSet['signedTexts']): BehaviourSet['signedTexts'] =>
  (world, payload) => [...original(world, payload), change(payload)];

function reserialised(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload));
  } catch {
    return payload;
  }
}

/** What a wallet signature is, and whose. */
export const stampFaults = faultsOf([
  [
    'payload-trimmed',
    'STAMP-EXACT-BYTES-ACCEPTED',
    'The payload is trimmed before the signature is verified.',
    {
      signedTexts: () => (_world, payload) => [payload.trim()],
    },
  ],
  [
    'payload-reserialised',
    'STAMP-EXACT-BYTES-ACCEPTED',
    'The payload is parsed and written again before the signature is verified.',
    {
      signedTexts: () => (_world, payload) => [reserialised(payload)],
    },
  ],
  [
    'trimmed-payload-accepted',
    'STAMP-ALTERED-BYTES-REFUSED',
    'A signature over the payload without its outer white space is taken too.',
    {
      signedTexts: alsoSigned((payload) => payload.trim()),
    },
  ],
  [
    'reserialised-payload-accepted',
    'STAMP-ALTERED-BYTES-REFUSED',
    'A signature over the payload parsed and written again is taken too.',
    {
      signedTexts: alsoSigned(reserialised),
    },
  ],
  [
    'line-end-accepted',
    'STAMP-ALTERED-BYTES-REFUSED',
    'A signature over the payload with one more line end is taken too.',
    {
      signedTexts: alsoSigned((payload) => `${payload}\n`),
    },
  ],
  [
    'request-id-signed-instead',
    'STAMP-ALTERED-BYTES-REFUSED',
    'A signature over the requestId is taken for one over the payload.',
    {
      judgeStamp: (original) => (world, request, stamp) => {
        if (!world.behaviour.signatureVerifies(stamp, Buffer.from(request.id)))
          return original(world, request, stamp);
        world.behaviour.maySign(request.signers, stamp.publicKey);
      },
    },
  ],
  [
    'signature-missing-code',
    'STAMP-MISSING',
    'A missing signature is told as UNAUTHORIZED.',
    {
      refuseMissingSignature: coded('UNAUTHORIZED'),
    },
  ],
  [
    'signature-optional',
    'STAMP-MISSING',
    'The Request-Id alone completes a request.',
    {
      readProof: (original) => (world, call, print) => {
        const request = signedRequests.get(world, call.headers['request-id'] ?? '');
        const isSigned = call.headers[world.behaviour.signatureHeader().toLowerCase()] !== undefined;
        if (!request || isSigned || request.status === 'USED') return original(world, call, print);
        const stamp = { point: Buffer.alloc(0), publicKey: 'nobody', signature: Buffer.alloc(0) };
        return { request: { ...request, signers: { ...request.signers, key: 'nobody' } }, stamp };
      },
    },
  ],
  ...(['encoding', 'structure', 'fields'] as const).flatMap((part): readonly Row[] => {
    const rule = `STAMP-MALFORMED-${part.toUpperCase()}`;
    return [
      [
        `malformed-${part}-code`,
        rule,
        `A signature header whose ${part} cannot be read is told as invalid.`,
        {
          refuseMalformedSignature: partCoded(part, 'WALLET_SIGNATURE_INVALID'),
        },
      ],
      [
        `malformed-${part}-answers-400`,
        rule,
        `A signature header whose ${part} cannot be read answers 400.`,
        {
          refuseMalformedSignature: partCoded(part, 'INVALID_REQUEST_FORMAT', 400),
        },
      ],
    ];
  }),
  [
    'invalid-signature-code',
    'STAMP-INVALID',
    'A signature that does not verify is told as malformed.',
    {
      refuseInvalidSignature: coded('WALLET_SIGNATURE_MALFORMED'),
    },
  ],
  [
    'signature-not-verified',
    'STAMP-INVALID',
    'It is enough to name the right key.',
    {
      stampVerifies: () => () => true,
    },
    ['STAMP-ALTERED-BYTES-REFUSED'],
  ],
  [
    'any-key-signs',
    'STAMP-UNKNOWN-KEY',
    'A key that no session has may sign.',
    {
      maySign: (original) => (world, signers, publicKey) => {
        const isKnown = sessions.all(world).some((session) => session.publicKey === publicKey);
        return signers.key === undefined && !isKnown ? undefined : original(world, signers, publicKey);
      },
    },
  ],
  [
    'session-of-any-account-signs',
    'STAMP-OTHER-ACCOUNT-SESSION',
    'A session signs for every account.',
    {
      sessionBelongs: () => () => true,
    },
  ],
  [
    'revoked-session-signs',
    'STAMP-REVOKED-SESSION',
    'A session that was revoked by itself goes on signing.',
    {
      sessionIsRevoked: (original) => (world, session) =>
        original(world, session) && credentials.get(world, session.credentialId)?.status === 'REVOKED',
    },
  ],
  [
    'expired-session-signs',
    'STAMP-EXPIRED-SESSION',
    'A session goes on signing after expiresAt.',
    {
      sessionEndsAt: () => () => Infinity,
    },
  ],
  [
    'session-expires-early',
    'SESSION-VALID-UNTIL-EXPIRY',
    'A session ends five minutes before expiresAt.',
    {
      sessionEndsAt: (original) => (world, session) => original(world, session) - 5 * 60_000,
    },
  ],
  [
    'sms-otp-session-signs-nothing',
    'SESSION-ANY-CREDENTIAL',
    'A session from SMS_OTP authorizes nothing.',
    {
      sessionIsLive: (original) => (world, session) =>
        session.type === 'SMS_OTP'
          ? refuse(world.behaviour.refuseSigner('Weak session.'))
          : original(world, session),
    },
  ],
]);
