import { Refusal } from '../../core/refusal.ts';
import type { Rules } from '../../rules/index.ts';
import { credentials } from '../../domain/credential.ts';
import { sessions } from '../../domain/session.ts';
import { signedRequests } from '../../domain/signed-request.ts';
import type { Fault } from '../fault.ts';
import { coded, fault } from './bend.ts';

/** One part of the header gets another code when it cannot be read. */
const partCoded =
  (part: 'encoding' | 'structure' | 'fields', code: string, status = 401) =>
  (original: Rules['refuseMalformedSignature']): Rules['refuseMalformedSignature'] =>
  (world, seen, why) => {
    const refusal = original(world, seen, why);
    return seen === part ? new Refusal(status, code, refusal.message) : refusal;
  };

/** Texts that count as signed, besides the payload. */
const alsoSigned =
  (change: (payload: string) => string) =>
  (original: Rules['signedTexts']): Rules['signedTexts'] =>
  (world, payload) => [...original(world, payload), change(payload)];

function reserialised(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload));
  } catch {
    return payload;
  }
}

/** What a wallet signature is, and whose. */
export const stampFaults: readonly Fault[] = [
  fault(
    'payload-trimmed',
    'STAMP-EXACT-BYTES-ACCEPTED',
    'The payload is trimmed before the signature is verified.',
    {
      signedTexts: () => (_world, payload) => [payload.trim()],
    },
  ),
  fault(
    'payload-reserialised',
    'STAMP-EXACT-BYTES-ACCEPTED',
    'The payload is parsed and written again before the signature is verified.',
    {
      signedTexts: () => (_world, payload) => [reserialised(payload)],
    },
  ),
  fault(
    'trimmed-payload-accepted',
    'STAMP-ALTERED-BYTES-REFUSED',
    'A signature over the payload without its outer white space is taken too.',
    {
      signedTexts: alsoSigned((payload) => payload.trim()),
    },
  ),
  fault(
    'reserialised-payload-accepted',
    'STAMP-ALTERED-BYTES-REFUSED',
    'A signature over the payload parsed and written again is taken too.',
    {
      signedTexts: alsoSigned(reserialised),
    },
  ),
  fault(
    'line-end-accepted',
    'STAMP-ALTERED-BYTES-REFUSED',
    'A signature over the payload with one more line end is taken too.',
    {
      signedTexts: alsoSigned((payload) => `${payload}\n`),
    },
  ),
  fault('signature-missing-code', 'STAMP-MISSING', 'A missing signature is told as UNAUTHORIZED.', {
    refuseMissingSignature: coded('UNAUTHORIZED'),
  }),
  fault('signature-optional', 'STAMP-MISSING', 'The Request-Id alone completes a request.', {
    readProof: (original) => (world, call, print) => {
      const request = signedRequests.get(world, call.headers['request-id'] ?? '');
      const isSigned = call.headers[world.rules.signatureHeader(world).toLowerCase()] !== undefined;
      if (!request || isSigned || request.isUsed) return original(world, call, print);
      const stamp = { point: Buffer.alloc(0), publicKey: 'nobody', signature: Buffer.alloc(0) };
      return { request: { ...request, signers: { ...request.signers, key: 'nobody' } }, stamp };
    },
  }),
  ...(['encoding', 'structure', 'fields'] as const).flatMap((part) => {
    const rule = `STAMP-MALFORMED-${part.toUpperCase()}`;
    return [
      fault(
        `malformed-${part}-code`,
        rule,
        `A signature header whose ${part} cannot be read is told as invalid.`,
        {
          refuseMalformedSignature: partCoded(part, 'WALLET_SIGNATURE_INVALID'),
        },
      ),
      fault(
        `malformed-${part}-answers-400`,
        rule,
        `A signature header whose ${part} cannot be read answers 400.`,
        {
          refuseMalformedSignature: partCoded(part, 'INVALID_REQUEST_FORMAT', 400),
        },
      ),
    ];
  }),
  fault('invalid-signature-code', 'STAMP-INVALID', 'A signature that does not verify is told as malformed.', {
    refuseInvalidSignature: coded('WALLET_SIGNATURE_MALFORMED'),
  }),
  fault('signature-not-verified', 'STAMP-INVALID', 'It is enough to name the right key.', {
    stampVerifies: () => () => true,
  }),
  fault('any-key-signs', 'STAMP-UNKNOWN-KEY', 'A key that no session has may sign.', {
    maySign: (original) => (world, signers, publicKey) => {
      const isKnown = sessions.all(world).some((session) => session.publicKey === publicKey);
      return signers.key === undefined && !isKnown ? undefined : original(world, signers, publicKey);
    },
  }),
  fault('session-of-any-account-signs', 'STAMP-OTHER-ACCOUNT-SESSION', 'A session signs for every account.', {
    sessionBelongs: () => () => true,
  }),
  fault(
    'revoked-session-signs',
    'STAMP-REVOKED-SESSION',
    'A session that was revoked by itself goes on signing.',
    {
      sessionIsRevoked: (original) => (world, session) =>
        original(world, session) && credentials.get(world, session.credentialId) === undefined,
    },
  ),
  fault('expired-session-signs', 'STAMP-EXPIRED-SESSION', 'A session goes on signing after expiresAt.', {
    sessionIsExpired: () => () => false,
  }),
  fault(
    'session-expires-early',
    'SESSION-VALID-UNTIL-EXPIRY',
    'A session ends five minutes before expiresAt.',
    {
      sessionIsExpired: (original) => (world, session) =>
        original(world, { ...session, expiresAt: session.expiresAt - 5 * 60_000 }),
    },
  ),
  fault(
    'sms-otp-session-signs-nothing',
    'SESSION-ANY-CREDENTIAL',
    'A session from SMS_OTP authorizes nothing.',
    {
      sessionIsLive: (original) => (world, session) =>
        session.type === 'SMS_OTP'
          ? world.rules.refuseSigner(world, 'Weak session.')
          : original(world, session),
    },
  ),
];
