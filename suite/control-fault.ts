import { isWalletSigned } from '../client/signed-retry.ts';
import type { Finding } from '../journal/types.ts';
import type { DialectAssumption } from '../target/dialect/keys.ts';
import type { Answer } from './answers/answer.ts';

/**
 * What it shows when a control is answered with a fault of the service (section Errors, 500 codes): a request that obeys was
 * not answered. The rule that says so of its operation is blamed.
 *
 * @returns undefined for any other answer, and where no rule speaks of the operation
 */
export function findingOfControl(answer: Answer): (Finding & { readonly trouble: string }) | undefined {
  const { id, label, told, trouble, operation } = answer;
  if (!answer.isFault || !operation?.faultRule) return undefined;
  const { rule, signed = rule, guess = operation.factsOnly } = operation.faultRule;
  const blamed = isWalletSigned(answer.exchange.request) ? signed : rule;
  const assumes: readonly DialectAssumption[] = guess
    ? [`paths.${operation.id}`, `bodies.${operation.id}`]
    : [];
  return {
    rule: blamed,
    place: blamed,
    message: `"${label}", with nothing wrong in it: expected an answer, got ${told}, a fault inside the service`,
    exchanges: [id],
    looked: [{ exchange: id, pointers: ['#status'] }],
    trouble: `"${label}" was answered ${trouble?.what}`,
    faultOf: operation.id,
    ...(assumes.length > 0 ? { assumes } : {}),
  };
}
