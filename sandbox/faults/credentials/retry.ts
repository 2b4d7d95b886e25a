import { signatureHeader } from '../../areas/credentials/signed-operation.ts';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Replacements, BehaviourSet } from '../../areas/behaviour.ts';
import {
  type SignedRequest,
  signedRequests,
  credentials,
  sessions,
} from '../../areas/credentials/records.ts';
import { refusalOf, Refusal, refuse } from '../../server/refusal.ts';
import { mintId } from '../../world/world.ts';
import { giving, where, coded, nothing, yes } from '../../areas/replacements.ts';
import { breaking, RACE_MILLISECONDS, anyMoveOf, fault, refused, type Fault } from '../fault.ts';

const made = new WeakSet<SignedRequest>();
const busy = new WeakSet<SignedRequest>();
const refusedBefore = new WeakSet<SignedRequest>();

/** A request that has served is refused once, and serves from then on. */
export function servesAThirdTime(isIt: (request: SignedRequest) => boolean = () => true): Replacements {
  const isOver = (request: SignedRequest) => request.status === 'USED' && isIt(request);
  return {
    requestIsUnused: (original) => (world, request) => {
      if (isOver(request) && refusedBefore.has(request)) return;
      if (isOver(request)) refusedBefore.add(request);
      return original(world, request);
    },
    useRequest: (original) => (world, request) => (isOver(request) ? undefined : original(world, request)),
  };
}

/** Another first call of one operation, given by its method and path. */
function firstCall(operation: string, other: NonNullable<Replacements['askForSignature']>): Replacements {
  return {
    askForSignature: (original) => {
      const instead = other(original);
      return (world, print, work) => (print.operation === operation ? instead : original)(world, print, work);
    },
  };
}

/** The operation is done at the first call. */
const unsigned = (operation: string): Replacements =>
  firstCall(operation, () => (_world, _print, work) => {
    work.check?.(true);
    return work.complete();
  });

/** The first call asks for a signature, with a success of another status. */
const askedWith = (status: number, operation: string): Replacements =>
  firstCall(operation, (original) => async (world, print, work) => ({
    ...(await original(world, print, work)),
    status,
  }));

/** The operation is done at the first call, which asks for a signature all the same. */
const done = (operation: string): Replacements =>
  firstCall(operation, (original) => async (world, print, work) => {
    const reply = await original(world, print, work);
    await work.complete();
    return reply;
  });

/** What each operation of the signed retry does without a signature, and the rule that asks for one. */
const UNSIGNED = {
  'POST /auth/credentials/:credentialId/verify': ['otp-login-unsigned', 'RETRY-OTP-VERIFY'],
  'DELETE /auth/credentials/:credentialId': ['revocation-unsigned', 'RETRY-CREDENTIAL-REVOKE'],
  'POST /auth/sessions/:sessionId/refresh': ['refresh-unsigned', 'RETRY-SESSION-REFRESH'],
  'DELETE /auth/sessions/:sessionId': ['session-revocation-unsigned', 'RETRY-SESSION-REVOKE'],
  'POST /internal-accounts/:accountId/export': ['export-unsigned', 'RETRY-WALLET-EXPORT'],
  'PATCH /internal-accounts/:accountId': ['privacy-unsigned', 'RETRY-WALLET-PRIVACY'],
  'PATCH /customers/:customerId': ['email-unsigned', 'RETRY-CUSTOMER-EMAIL'],
} as const;

const withoutAccount = (body: string): string => body.replace(/"accountId":"[^"]*"/, '');

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

function isTextMessageLogin({ type, print }: Pick<SignedRequest, 'type' | 'print'>): boolean {
  return type === 'SMS_OTP' && print.operation.endsWith('/verify');
}

/** The signed retry, whatever the operation. */
export const retryFaults = [
  ...Object.entries(UNSIGNED).map(([operation, [name, rule]]) => fault(name, rule, unsigned(operation))),
  fault('registration-asks-with-200', ['RETRY-CREDENTIAL-CREATE', 'CREDENTIAL-CREATE-STATUS'], {
    ...askedWith(200, 'POST /auth/credentials'),
  }),
  fault('revocation-never-begins', 'RETRY-CREDENTIAL-REVOKE', {
    ...firstCall('DELETE /auth/credentials/:credentialId', () => () => refused('Credentials stay.')),
  }),
  fault('otp-verify-asks-with-200', 'RETRY-OTP-VERIFY', {
    ...askedWith(200, 'POST /auth/credentials/:credentialId/verify'),
  }),
  ...breaking('RETRY-FIRST-CALL-CHANGES-NOTHING', {
    'first-call-registers': { ...done('POST /auth/credentials'), credentialIsNew: nothing },
    'first-call-changes-privacy': done('PATCH /internal-accounts/:accountId'),
    'first-call-refreshes': done('POST /auth/sessions/:sessionId/refresh'),
    'first-call-changes-email': done('PATCH /customers/:customerId'),
  }),
  fault('request-id-repeated', 'RETRY-REQUEST-ID-NEW', {
    newRequestId: () => (_world, print) => {
      const hex = createHash('sha256').update(JSON.stringify(print)).digest('hex');
      return `Request:${hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
    },
  }),
  fault('request-id-reusable', 'RETRY-REQUEST-ID-SINGLE-USE', {
    completeSigned: (original) => async (world, operation, proof) => {
      if (busy.has(proof.request)) throw world.behaviour.refuseRequestId('The Request-Id is in use.');
      busy.add(proof.request);
      await delay(RACE_MILLISECONDS);
      try {
        return await original(world, operation, proof);
      } finally {
        busy.delete(proof.request);
      }
    },
    useRequest: nothing,
  }),
  fault('request-id-refused-a-second-time-only', 'RETRY-REQUEST-ID-SINGLE-USE', servesAThirdTime()),
  fault('retries-race', 'RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT', {
    completeSigned:
      () =>
      async (world, operation, { request, stamp }) => {
        world.behaviour.maySign(request.signers, stamp.publicKey);
        await delay(RACE_MILLISECONDS);
        if (operation.type !== 'OAUTH') operation.check?.(true);
        world.behaviour.useRequest(request);
        return operation.complete();
      },
    ...anyMoveOf('signed request'),
  }),
  fault('retries-race-unseen', 'RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT', {
    completeSigned:
      () =>
      async (world, operation, { request, stamp }) => {
        world.behaviour.maySign(request.signers, stamp.publicKey);
        await delay(RACE_MILLISECONDS);
        if (request.status === 'OPEN' && operation.type !== 'OAUTH') operation.check?.(true);
        const answer = operation.complete();
        world.behaviour.useRequest(request);
        return answer;
      },
    ...anyMoveOf('signed request'),
  }),
  fault('request-id-never-issued', 'RETRY-REQUEST-ID-UNKNOWN', {
    refuseUnknownRequest: () => (world, stamp, print) => {
      const request: SignedRequest = {
        id: mintId(world, 'Request'),
        print,
        signers: { customerId: '', accountIds: [], key: stamp.publicKey },
        payload: '',
        expiresAt: Number.MAX_SAFE_INTEGER,
        customerId: '',
        status: 'OPEN',
      };
      made.add(request);
      return request;
    },
    judgeStamp: where((request) => made.has(request), undefined),
  }),
  ...breaking(['RETRY-BOUND-TO-OPERATION', 'RETRY-SAME-BODY', 'RETRY-BOUND-TO-ACCOUNT'], {
    'request-id-bound-to-nothing': { requestFits: nothing },
  }),
  fault('request-id-of-any-account', ['RETRY-BOUND-TO-ACCOUNT', 'RETRY-BOUND-TO-OPERATION'], {
    sameTarget: yes,
    sameBody:
      () =>
      (_world, { print }, retried) =>
        withoutAccount(print.body) === withoutAccount(retried.body),
  }),
  fault('retried-body-code', 'RETRY-SAME-BODY', { refuseOtherBody: coded('WALLET_SIGNATURE_INVALID') }),
  ...breaking('RETRY-REQUEST-ID-MISSING', {
    'request-id-optional': {
      readProof: (original) => (world, call, print) => {
        const isSigned = call.headers[signatureHeader(world).toLowerCase()] !== undefined;
        const fitting = signedRequests
          .all(world)
          .filter((request) => !refusalOf(() => world.behaviour.requestFits(request, print)))
          .at(-1);
        if (!isSigned || call.headers['request-id'] !== undefined || !fitting)
          return original(world, call, print);
        return original(world, { ...call, headers: { ...call.headers, 'request-id': fitting.id } }, print);
      },
    },
  }),

  // What a wallet signature is, and whose.
  ...breaking('STAMP-EXACT-BYTES-ACCEPTED', {
    'payload-trimmed': { signedTexts: () => (_world, payload) => [payload.trim()] },
    'payload-reserialised': { signedTexts: () => (_world, payload) => [reserialised(payload)] },
  }),
  ...breaking('STAMP-ALTERED-BYTES-REFUSED', {
    'trimmed-payload-accepted': { signedTexts: alsoSigned((payload) => payload.trim()) },
    'reserialised-payload-accepted': { signedTexts: alsoSigned(reserialised) },
    'line-end-accepted': { signedTexts: alsoSigned((payload) => `${payload}\n`) },
    'payload-of-any-request-accepted': {
      signedTexts: giving((texts, world) => [
        ...texts,
        ...signedRequests.all(world).map(({ payload }) => payload),
      ]),
    },
    'request-id-signed-instead': {
      judgeStamp: (original) => (world, request, stamp) => {
        if (!world.behaviour.signatureVerifies(stamp, Buffer.from(request.id)))
          return original(world, request, stamp);
        world.behaviour.maySign(request.signers, stamp.publicKey);
      },
    },
  }),
  fault('stamp-of-a-text-message-login-unread', 'STAMP-INVALID', {
    judgeStamp: (original) => (world, request, stamp) =>
      isTextMessageLogin(request)
        ? world.behaviour.maySign(request.signers, stamp.publicKey)
        : original(world, request, stamp),
  }),
  fault('text-message-login-takes-any-body', 'RETRY-SAME-BODY', {
    sameBody: where(isTextMessageLogin, true),
  }),
  fault('invented-code-for-a-missing-signature', ['STAMP-MISSING', 'ERROR-CODE-401'], {
    refuseMissingSignature: coded('NOT_SIGNED'),
  }),
  fault('signature-optional', 'STAMP-MISSING', {
    readProof: (original) => (world, call, print) => {
      const request = signedRequests.get(world, call.headers['request-id'] ?? '');
      const isSigned = call.headers[signatureHeader(world).toLowerCase()] !== undefined;
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
  fault('any-key-signs', ['STAMP-UNKNOWN-KEY', 'WALLET-PAYMENT-NEEDS-SESSION'], {
    maySign: (original) => (world, signers, publicKey) => {
      const isKnown = sessions.all(world).some((session) => session.publicKey === publicKey);
      return signers.key === undefined && !isKnown ? undefined : original(world, signers, publicKey);
    },
  }),
  fault('revoked-session-signs', 'STAMP-REVOKED-SESSION', {
    sessionIsRevoked: (original) => (world, session) =>
      original(world, session) && credentials.get(world, session.credentialId)?.status === 'REVOKED',
  }),
  fault('sms-otp-session-signs-nothing', 'SESSION-ANY-CREDENTIAL', {
    sessionIsLive: (original) => (world, session) =>
      session.type === 'SMS_OTP'
        ? refuse(world.behaviour.refuseSigner('Weak session.'))
        : original(world, session),
  }),
];
