import { credentials, sessions, signedRequests } from '../../areas/credentials/records.ts';
import type { BehaviourSet } from '../../areas/behaviour.ts';
import { refuse, Refusal } from '../../server/refusal.ts';
import { type Fault, coded, fault } from '../fault.ts';

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
export const stampFaults = [
  fault('payload-trimmed', 'STAMP-EXACT-BYTES-ACCEPTED', {
    signedTexts: () => (_world, payload) => [payload.trim()],
  }),
  fault('payload-reserialised', 'STAMP-EXACT-BYTES-ACCEPTED', {
    signedTexts: () => (_world, payload) => [reserialised(payload)],
  }),
  fault('trimmed-payload-accepted', 'STAMP-ALTERED-BYTES-REFUSED', {
    signedTexts: alsoSigned((payload) => payload.trim()),
  }),
  fault('reserialised-payload-accepted', 'STAMP-ALTERED-BYTES-REFUSED', {
    signedTexts: alsoSigned(reserialised),
  }),
  fault('line-end-accepted', 'STAMP-ALTERED-BYTES-REFUSED', {
    signedTexts: alsoSigned((payload) => `${payload}\n`),
  }),
  fault('request-id-signed-instead', 'STAMP-ALTERED-BYTES-REFUSED', {
    judgeStamp: (original) => (world, request, stamp) => {
      if (!world.behaviour.signatureVerifies(stamp, Buffer.from(request.id)))
        return original(world, request, stamp);
      world.behaviour.maySign(request.signers, stamp.publicKey);
    },
  }),
  fault('signature-missing-code', 'STAMP-MISSING', { refuseMissingSignature: coded('UNAUTHORIZED') }),
  fault('signature-optional', 'STAMP-MISSING', {
    readProof: (original) => (world, call, print) => {
      const request = signedRequests.get(world, call.headers['request-id'] ?? '');
      const isSigned = call.headers[world.behaviour.signatureHeader().toLowerCase()] !== undefined;
      if (!request || isSigned || request.status === 'USED') return original(world, call, print);
      const stamp = { point: Buffer.alloc(0), publicKey: 'nobody', signature: Buffer.alloc(0) };
      return { request: { ...request, signers: { ...request.signers, key: 'nobody' } }, stamp };
    },
  }),
  ...(['encoding', 'structure', 'fields'] as const).flatMap((part): readonly Fault[] => {
    const rule = `STAMP-MALFORMED-${part.toUpperCase()}`;
    return [
      fault(`malformed-${part}-code`, rule, {
        refuseMalformedSignature: partCoded(part, 'WALLET_SIGNATURE_INVALID'),
      }),
      fault(`malformed-${part}-answers-400`, rule, {
        refuseMalformedSignature: partCoded(part, 'INVALID_REQUEST_FORMAT', 400),
      }),
    ];
  }),
  fault('invalid-signature-code', 'STAMP-INVALID', {
    refuseInvalidSignature: coded('WALLET_SIGNATURE_MALFORMED'),
  }),
  fault('signature-not-verified', ['STAMP-INVALID', 'STAMP-ALTERED-BYTES-REFUSED'], {
    stampVerifies: () => () => true,
  }),
  fault('any-key-signs', 'STAMP-UNKNOWN-KEY', {
    maySign: (original) => (world, signers, publicKey) => {
      const isKnown = sessions.all(world).some((session) => session.publicKey === publicKey);
      return signers.key === undefined && !isKnown ? undefined : original(world, signers, publicKey);
    },
  }),
  fault('session-of-any-account-signs', 'STAMP-OTHER-ACCOUNT-SESSION', { sessionBelongs: () => () => true }),
  fault('revoked-session-signs', 'STAMP-REVOKED-SESSION', {
    sessionIsRevoked: (original) => (world, session) =>
      original(world, session) && credentials.get(world, session.credentialId)?.status === 'REVOKED',
  }),
  fault('expired-session-signs', 'STAMP-EXPIRED-SESSION', { sessionEndsAt: () => () => Infinity }),
  fault('session-expires-early', 'SESSION-VALID-UNTIL-EXPIRY', {
    sessionEndsAt: (original) => (world, session) => original(world, session) - 5 * 60_000,
  }),
  fault('sms-otp-session-signs-nothing', 'SESSION-ANY-CREDENTIAL', {
    sessionIsLive: (original) => (world, session) =>
      session.type === 'SMS_OTP'
        ? refuse(world.behaviour.refuseSigner('Weak session.'))
        : original(world, session),
  }),
];
