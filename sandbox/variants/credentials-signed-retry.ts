import { giving, asking, coded } from '../areas/replacements.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Replacements } from '../areas/behaviour.ts';
import { REQUEST_LIFE, signedRequests } from '../areas/credentials/records.ts';
import {
  signatureHeader,
  jsonPayload,
  sameOperation,
  tokenPayload,
} from '../areas/credentials/signed-operation.ts';
import { Refusal, refuse, refusedAs } from '../server/refusal.ts';
import { changeStatus } from '../world/table.ts';
import type { Choices } from './index.ts';

const MINUTE = 60_000;

/** The signed retry and the wallet signature. */
export const signedRetryChoices: Choices = {
  'payload-to-sign': {
    open: 'payloadToSign is text to be stamped as it is; what it says is not stated.',
    'compact-json': {
      writePayload: (original) => (world, request) =>
        compact(original(world, { ...request, signers: unkeyed })),
    },
    'token-always': { writePayload: () => (world, request) => tokenPayload(request) },
    'json-always': { writePayload: () => (world, request) => jsonPayload(request) },
    'plain-text': {
      writePayload:
        () =>
        (_world, { id, print }) =>
          `  Approve “${print.operation}”\r\n\tas ${id} – ¥ 漢字 \u{1f511}\n\n`,
    },
    'json-with-doubled-keys': {
      writePayload: giving((usual) => `{"v": 1.0, "v": 1e0, "payload": ${JSON.stringify(usual)} }`),
    },
  },
  'repeated-first-call': {
    open: 'What the same first call gets that is sent again before its retry is not stated.',
    'gets-the-open-request': {
      issueRequest: (original) => (world, print, signers, type) =>
        signedRequests
          .all(world)
          .find(
            (one) => one.status === 'OPEN' && isDeepStrictEqual([one.print, one.signers], [print, signers]),
          ) ?? original(world, print, signers, type),
    },
  },
  'open-requests': {
    open: 'Whether a request still serves that was begun before another one of its account is not stated.',
    'one-at-a-time': {
      issueRequest: (original) => (world, print, signers, type) => {
        for (const one of signedRequests.all(world))
          if (one.status === 'OPEN' && isDeepStrictEqual(one.signers, signers))
            changeStatus(world, REQUEST_LIFE, one, 'EXPIRED');
        return original(world, print, signers, type);
      },
    },
  },
  'signer-of-a-login': {
    open: 'With which status a login is refused that another key has signed is not stated.',
    'answers-403': {
      isAnnouncedKey: (original) => (world, announced, key) =>
        refusedAs(
          () => original(world, announced, key),
          () => world.behaviour.refuseForbidden('This key is not the one in the bundle.'),
        ),
    },
  },
  'type-of-signed-requests': {
    open: 'The 202 of operations that are about no credential may do without a type, or have one.',
    'told-everywhere': {
      presentRequest: (original) => (world, request) => ({
        ...original(world, request),
        type: request.type ?? 'EMAIL_OTP',
      }),
    },
    'not-told-for-sessions': {
      presentRequest: (original) => (world, request) => ({
        ...original(world, request),
        ...(request.print.operation.includes('/auth/sessions') ? { type: undefined } : {}),
      }),
    },
  },
  'signing-window': {
    open: 'Five minutes is what is typical.',
    'two-minutes': { signingWindow: () => () => 2 * MINUTE },
    'eight-minutes': { signingWindow: () => () => 8 * MINUTE },
  },
  'request-id-code': {
    open: 'Which 401 code a Request-Id gets that is used, late or of another request is not stated.',
    unauthorized: requestIds('UNAUTHORIZED'),
    'invalid-signature': requestIds('INVALID_SIGNATURE'),
    'body-mismatch': requestIds('WALLET_SIGNATURE_BODY_MISMATCH'),
  },
  'code-of-bad-stamps': {
    open: 'INVALID_SIGNATURE means that the signature header is invalid, and the wallet signature is the only such header.',
    'invalid-signature': {
      refuseMalformedSignature: asInvalidSignature,
      refuseInvalidSignature: asInvalidSignature,
      refuseOtherBody: asInvalidSignature,
    },
  },
  'unknown-request-id': {
    open: 'What a Request-Id gets that was never issued is not stated.',
    'answers-400': {
      refuseUnknownRequest: () => () =>
        refuse(new Refusal(400, 'INVALID_INPUT', 'The Request-Id is unknown.')),
    },
    'answers-404': {
      refuseUnknownRequest: () => () =>
        refuse(new Refusal(404, 'REFERENCE_NOT_FOUND', 'The Request-Id is unknown.')),
    },
  },
  'used-request-id-of-gone-record': {
    open: 'Whether a request is looked for, or its Request-Id, when what it is about has ended is not stated.',
    'answers-400': {
      requestIsUnused: (original) => (world, request) =>
        request.status === 'USED' && request.print.operation.startsWith('DELETE ')
          ? refuse(new Refusal(400, 'INVALID_INPUT', 'There is nothing of this id any more.'))
          : original(world, request),
    },
  },
  'request-of-another-operation': {
    open: 'What a Request-Id gets on another operation is not stated.',
    'answers-400': {
      requestFits: (original) => (world, request, print) =>
        sameOperation(request, print)
          ? original(world, request, print)
          : refuse(new Refusal(400, 'INVALID_INPUT', 'The Request-Id is of another operation.')),
    },
  },
  'failed-retry': {
    open: 'Whether a retry that fails uses up its Request-Id is not stated.',
    'uses-up-the-request': {
      judgeStamp: (original) => (world, request, stamp) => {
        return refusedAs(
          () => original(world, request, stamp),
          (refusal) => {
            world.behaviour.useRequest(request);
            return refusal;
          },
        );
      },
    },
  },
  'wrong-signer': {
    open: 'A good signature of a key that may not sign is no authentication (401) or no permission (403).',
    'answers-403': {
      maySign: (original) => (world, signers, publicKey) => {
        return refusedAs(
          () => original(world, signers, publicKey),
          (refusal) =>
            refusal.status === 401 && signers.key === undefined
              ? world.behaviour.refuseForbidden(refusal.message)
              : refusal,
        );
      },
    },
    unauthorized: { refuseSigner: coded('UNAUTHORIZED', 401) },
  },
  'revocation-by-own-session': {
    open: 'What a revocation gets that a session of the revoked credential signed is not stated.',
    'answers-400': { refuseOwnSession: coded('INVALID_INPUT', 400) },
    'answers-403': { refuseOwnSession: coded('FORBIDDEN', 403) },
  },
  'same-body': {
    open: 'Whether a body that is only written otherwise is the same body is not stated.',
    'to-the-byte': { bodyPrint: () => (_world, call) => call.rawBody.toString('latin1') },
  },
  'signature-encoding': {
    open: 'How the signature header is encoded is not shown, so a reader may be lenient.',
    'any-base64': {
      decodeStamp: asking((header) => [header.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')]),
    },
  },
  'empty-signature-header': {
    open: 'An empty header may count as none.',
    'is-missing': {
      readProof: (original) => (world, call, print) => {
        const name = signatureHeader(world).toLowerCase();
        return original(
          world,
          call.headers[name] === '' ? { ...call, headers: { ...call.headers, [name]: undefined } } : call,
          print,
        );
      },
    },
  },
  'key-off-the-curve': {
    open: 'A public key that is no point can be called malformed or invalid.',
    'is-invalid': { refuseOffCurve: () => (world) => world.behaviour.refuseInvalidSignature() },
  },
};

/** A request that no key was announced for, so that its payload is JSON. */
const unkeyed = { customerId: '', accountIds: [] };

function compact(json: string): string {
  return JSON.stringify(JSON.parse(json));
}

function requestIds(code: string): Replacements {
  return { refuseRequestId: coded(code, 401) };
}

function asInvalidSignature(): () => Refusal {
  return () => new Refusal(401, 'INVALID_SIGNATURE', 'The wallet signature is invalid.');
}
