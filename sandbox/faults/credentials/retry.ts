import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type SignedRequest, signedRequests } from '../../areas/credentials/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import { refusalOf } from '../../server/refusal.ts';
import { mintId } from '../../world/world.ts';
import { RACE_MILLISECONDS, anyMoveOf, coded, fault, objectsNever, refused } from '../fault.ts';

const made = new WeakSet<SignedRequest>();
const busy = new WeakSet<SignedRequest>();

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

/** The signed retry, whatever the operation. */
export const retryFaults = [
  ...Object.entries(UNSIGNED).map(([operation, [name, rule]]) => fault(name, rule, unsigned(operation))),
  fault('further-credential-unsigned', 'RETRY-CREDENTIAL-CREATE', { needsNoSignature: () => () => true }),
  fault(
    'registration-asks-with-200',
    ['RETRY-CREDENTIAL-CREATE', 'CREDENTIAL-CREATE-STATUS'],
    askedWith(200, 'POST /auth/credentials'),
  ),
  fault(
    'revocation-never-begins',
    'RETRY-CREDENTIAL-REVOKE',
    firstCall('DELETE /auth/credentials/:credentialId', () => () => refused('Credentials stay.')),
  ),
  fault(
    'otp-verify-asks-with-200',
    'RETRY-OTP-VERIFY',
    askedWith(200, 'POST /auth/credentials/:credentialId/verify'),
  ),
  fault('first-call-registers', 'RETRY-FIRST-CALL-CHANGES-NOTHING', {
    ...done('POST /auth/credentials'),
    credentialIsNew: objectsNever,
  }),
  fault(
    'first-call-changes-privacy',
    'RETRY-FIRST-CALL-CHANGES-NOTHING',
    done('PATCH /internal-accounts/:accountId'),
  ),
  fault(
    'first-call-refreshes',
    'RETRY-FIRST-CALL-CHANGES-NOTHING',
    done('POST /auth/sessions/:sessionId/refresh'),
  ),
  fault('first-call-changes-email', 'RETRY-FIRST-CALL-CHANGES-NOTHING', done('PATCH /customers/:customerId')),
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
    useRequest: () => () => {},
  }),
  fault('request-id-never-used-up', 'RETRY-REQUEST-ID-SINGLE-USE', { useRequest: () => () => {} }),
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
    judgeStamp: (original) => (world, request, stamp) =>
      made.has(request) ? undefined : original(world, request, stamp),
  }),
  fault('request-id-of-any-operation', 'RETRY-BOUND-TO-OPERATION', {
    requestFits: (original) => (world, request, print) =>
      request.print.operation === print.operation ? original(world, request, print) : undefined,
  }),
  fault(
    'request-id-bound-to-nothing',
    ['RETRY-BOUND-TO-OPERATION', 'RETRY-SAME-BODY', 'RETRY-BOUND-TO-ACCOUNT'],
    { requestFits: objectsNever },
  ),
  fault('request-id-of-any-account', ['RETRY-BOUND-TO-ACCOUNT', 'RETRY-BOUND-TO-OPERATION'], {
    sameTarget: () => () => true,
    sameBody:
      () =>
      (_world, { print }, retried) =>
        withoutAccount(print.body) === withoutAccount(retried.body),
  }),
  fault('request-never-expires', 'RETRY-EXPIRED', { requestEndsAt: () => () => Infinity }),
  fault('request-expires-early', 'RETRY-VALID-UNTIL-EXPIRY', {
    requestEndsAt: (original) => (world, request) => original(world, request) - 60_000,
  }),
  fault('retried-body-unchecked', ['RETRY-SAME-BODY', 'RETRY-BOUND-TO-ACCOUNT'], {
    sameBody: () => () => true,
  }),
  fault('retried-body-code', 'RETRY-SAME-BODY', { refuseOtherBody: coded('WALLET_SIGNATURE_INVALID') }),
  fault('request-id-missing-code', 'RETRY-REQUEST-ID-MISSING', {
    refuseMissingRequestId: coded('UNAUTHORIZED'),
  }),
  fault('request-id-optional', 'RETRY-REQUEST-ID-MISSING', {
    readProof: (original) => (world, call, print) => {
      const isSigned = call.headers[world.behaviour.signatureHeader().toLowerCase()] !== undefined;
      const fitting = signedRequests
        .all(world)
        .filter((request) => !refusalOf(() => world.behaviour.requestFits(request, print)))
        .at(-1);
      if (!isSigned || call.headers['request-id'] !== undefined || !fitting)
        return original(world, call, print);
      return original(world, { ...call, headers: { ...call.headers, 'request-id': fitting.id } }, print);
    },
  }),
];

const withoutAccount = (body: string): string => body.replace(/"accountId":"[^"]*"/, '');
