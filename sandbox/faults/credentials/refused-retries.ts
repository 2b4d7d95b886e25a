import type { Replacements } from '../../areas/behaviour.ts';
import { type SignedRequest, signedRequests } from '../../areas/credentials/records.ts';
import type { SignedOperation } from '../../areas/credentials/signed-operation.ts';
import { isObject } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import { fault, type Fault } from '../fault.ts';

/** Operations of the signed retry whose effect a read shows, by what people call them. */
const VISIBLE = {
  registration: 'POST /auth/credentials',
  revocation: 'DELETE /auth/credentials/:credentialId',
  refresh: 'POST /auth/sessions/:sessionId/refresh',
  'end-of-a-session': 'DELETE /auth/sessions/:sessionId',
  privacy: 'PATCH /internal-accounts/:accountId',
  email: 'PATCH /customers/:customerId',
} as const;

const begun = new Map<string, SignedOperation>();

/** An operation whose retry is refused, and done all the same. @param isIt which refusals that happens to */
function doneAllTheSame(
  operation: string,
  isIt: (request: SignedRequest, refusal: Refusal) => boolean,
): Replacements {
  return {
    askForSignature: (original) => (world, print, signed) => {
      const reply = original(world, print, signed);
      if ('body' in reply && isObject(reply.body)) begun.set(String(reply.body['requestId']), signed);
      return reply;
    },
    readProof: (original) => (world, call, print) => {
      try {
        return original(world, call, print);
      } catch (error) {
        const id = call.headers['request-id'] ?? '';
        const [request, signed] = [signedRequests.get(world, id), begun.get(id)];
        const isMeant = request?.print.operation === operation && error instanceof Refusal;
        if (signed && isMeant && isIt(request, error)) {
          begun.delete(id);
          void signed.complete();
        }
        throw error;
      }
    },
  };
}

/** Retries that are refused, and have done what they asked for. */
export const refusedRetryFaults = Object.entries(VISIBLE).flatMap(([what, operation]): readonly Fault[] => [
  fault(
    `retry-of-${what}-with-a-wrong-stamp-is-done`,
    ['STAMP-INVALID', ...(what === 'revocation' ? ['CREDENTIAL-REVOKE-OWN-SESSION'] : [])],
    doneAllTheSame(
      operation,
      ({ status }, { code }) => status === 'OPEN' && code === 'WALLET_SIGNATURE_INVALID',
    ),
  ),
  fault(`expired-retry-of-${what}-is-done`, 'RETRY-EXPIRED', {
    ...doneAllTheSame(operation, ({ status }) => status === 'EXPIRED'),
  }),
  ...(operation.startsWith('DELETE ')
    ? []
    : [
        fault(`retry-of-${what}-with-another-body-is-done`, 'RETRY-SAME-BODY', {
          ...doneAllTheSame(operation, (_, { code }) => code === 'WALLET_SIGNATURE_BODY_MISMATCH'),
        }),
      ]),
]);
