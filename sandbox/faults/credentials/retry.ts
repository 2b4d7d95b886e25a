import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type SignedRequest, signedRequests } from '../../areas/credentials/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import { refusalOf } from '../../server/refusal.ts';
import { mintId } from '../../world/world.ts';
import { RACE_MILLISECONDS, type Row, anyMoveOf, coded, faultsOf, objectsNever, refused } from '../fault.ts';

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

const OPERATIONS = [
  [
    'POST /auth/credentials/:credentialId/verify',
    'RETRY-OTP-VERIFY',
    'otp-login-unsigned',
    'A one-time code logs in without a signature.',
  ],
  [
    'DELETE /auth/credentials/:credentialId',
    'RETRY-CREDENTIAL-REVOKE',
    'revocation-unsigned',
    'A credential is revoked without a signature.',
  ],
  [
    'POST /auth/sessions/:sessionId/refresh',
    'RETRY-SESSION-REFRESH',
    'refresh-unsigned',
    'A session is refreshed without a signature.',
  ],
  [
    'DELETE /auth/sessions/:sessionId',
    'RETRY-SESSION-REVOKE',
    'session-revocation-unsigned',
    'A session is revoked without a signature.',
  ],
  [
    'POST /internal-accounts/:accountId/export',
    'RETRY-WALLET-EXPORT',
    'export-unsigned',
    'A wallet is exported without a signature.',
  ],
  [
    'PATCH /internal-accounts/:accountId',
    'RETRY-WALLET-PRIVACY',
    'privacy-unsigned',
    'The wallet privacy is changed without a signature.',
  ],
  [
    'PATCH /customers/:customerId',
    'RETRY-CUSTOMER-EMAIL',
    'email-unsigned',
    'A tied e-mail is changed without a signature.',
  ],
] as const;

/** The signed retry, whatever the operation. */
export const retryFaults = faultsOf([
  ...OPERATIONS.map(([operation, breaks, name, says]): Row => [name, breaks, says, unsigned(operation)]),
  [
    'further-credential-unsigned',
    'RETRY-CREDENTIAL-CREATE',
    'A further credential is registered without a signature.',
    {
      needsNoSignature: () => () => true,
    },
  ],
  [
    'registration-asks-with-200',
    'RETRY-CREDENTIAL-CREATE',
    'The first call of a registration answers 200 with what is to be signed.',
    askedWith(200, 'POST /auth/credentials'),
    ['CREDENTIAL-CREATE-STATUS'],
  ],
  [
    'revocation-never-begins',
    'RETRY-CREDENTIAL-REVOKE',
    'The first call of a revocation is refused.',
    firstCall('DELETE /auth/credentials/:credentialId', () => () => refused('Credentials stay.')),
  ],
  [
    'otp-verify-asks-with-200',
    'RETRY-OTP-VERIFY',
    'The first verify of a code answers 200 with what is to be signed.',
    askedWith(200, 'POST /auth/credentials/:credentialId/verify'),
  ],
  [
    'first-call-registers',
    'RETRY-FIRST-CALL-CHANGES-NOTHING',
    'The first call of a registration registers already.',
    {
      ...done('POST /auth/credentials'),
      credentialIsNew: objectsNever,
    },
  ],
  [
    'first-call-changes-privacy',
    'RETRY-FIRST-CALL-CHANGES-NOTHING',
    'The first call of a privacy update changes the setting already.',
    done('PATCH /internal-accounts/:accountId'),
  ],
  [
    'first-call-refreshes',
    'RETRY-FIRST-CALL-CHANGES-NOTHING',
    'The first call of a refresh mints a session already.',
    done('POST /auth/sessions/:sessionId/refresh'),
  ],
  [
    'first-call-changes-email',
    'RETRY-FIRST-CALL-CHANGES-NOTHING',
    'The first call of an e-mail update changes the customer already.',
    done('PATCH /customers/:customerId'),
  ],
  [
    'request-id-repeated',
    'RETRY-REQUEST-ID-NEW',
    'The same first call gets the same requestId again.',
    {
      newRequestId: () => (_world, print) => {
        const hex = createHash('sha256').update(JSON.stringify(print)).digest('hex');
        return `Request:${hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
      },
    },
  ],
  [
    'request-id-reusable',
    'RETRY-REQUEST-ID-SINGLE-USE',
    'A requestId that has completed a retry serves again, though not two at once.',
    {
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
    },
  ],
  [
    'request-id-never-used-up',
    'RETRY-REQUEST-ID-SINGLE-USE',
    'A requestId serves as often as one likes.',
    {
      useRequest: () => () => {},
    },
  ],
  [
    'retries-race',
    'RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT',
    'Retries with one requestId that arrive at once do not see each other.',
    {
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
    },
  ],
  [
    'retries-race-unseen',
    'RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT',
    'Retries with one requestId that arrive at once are all carried out; one alone is answered with success.',
    {
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
    },
  ],
  [
    'request-id-never-issued',
    'RETRY-REQUEST-ID-UNKNOWN',
    'A Request-Id that was never issued serves.',
    {
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
    },
  ],
  [
    'request-id-of-any-operation',
    'RETRY-BOUND-TO-OPERATION',
    'A requestId serves another operation than the one it was issued for.',
    {
      requestFits: (original) => (world, request, print) =>
        request.print.operation === print.operation ? original(world, request, print) : undefined,
    },
  ],
  [
    'request-id-bound-to-nothing',
    'RETRY-BOUND-TO-OPERATION',
    'A requestId serves whatever it is sent with.',
    {
      requestFits: objectsNever,
    },
    ['RETRY-SAME-BODY', 'RETRY-BOUND-TO-ACCOUNT'],
  ],
  [
    'request-id-of-any-account',
    'RETRY-BOUND-TO-ACCOUNT',
    'A requestId of one account serves the same operation on another.',
    {
      sameTarget: () => () => true,
      sameBody:
        () =>
        (_world, { print }, retried) =>
          withoutAccount(print.body) === withoutAccount(retried.body),
    },
    ['RETRY-BOUND-TO-OPERATION'],
  ],
  [
    'request-never-expires',
    'RETRY-EXPIRED',
    'A retry is taken long after expiresAt.',
    {
      requestEndsAt: () => () => Infinity,
    },
  ],
  [
    'request-expires-early',
    'RETRY-VALID-UNTIL-EXPIRY',
    'A retry is late a minute before expiresAt.',
    {
      requestEndsAt: (original) => (world, request) => original(world, request) - 60_000,
    },
  ],
  [
    'retried-body-unchecked',
    'RETRY-SAME-BODY',
    'The body of the retry may be another one.',
    {
      sameBody: () => () => true,
    },
    ['RETRY-BOUND-TO-ACCOUNT'],
  ],
  [
    'retried-body-code',
    'RETRY-SAME-BODY',
    'A changed body is told as an invalid signature.',
    {
      refuseOtherBody: coded('WALLET_SIGNATURE_INVALID'),
    },
  ],
  [
    'request-id-missing-code',
    'RETRY-REQUEST-ID-MISSING',
    'A missing Request-Id is told as UNAUTHORIZED.',
    {
      refuseMissingRequestId: coded('UNAUTHORIZED'),
    },
  ],
  [
    'request-id-optional',
    'RETRY-REQUEST-ID-MISSING',
    'A signature without a Request-Id counts for the newest request.',
    {
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
    },
  ],
]);

const withoutAccount = (body: string): string => body.replace(/"accountId":"[^"]*"/, '');
