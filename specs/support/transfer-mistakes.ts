import type { Mistake } from '../../generators/mistakes.ts';
import { Unanswered } from '../../suite/answer.ts';
import { expect, type Answer, type Check } from '../../suite/index.ts';

/**
 * A request that must not succeed did not. With which status it failed is a rule of its own; but the answer must be the
 * service's own, or it shows nothing.
 *
 * @throws Unanswered where something in between may have answered
 */
export function notAccepted(answer: Answer): void {
  if (answer.cameFromBetween)
    throw new Unanswered(
      `"${answer.label}" was answered ${answer.outcome}, which may come from something in between`,
    );
  expect(answer).not.toBeAccepted();
}

/**
 * Holds requests with one invalid parameter each to the two halves of "invalid parameters answer 400": that they do not
 * succeed is the parameter's own rule; with which status is TRANSFER-INVALID-STATUS, looked at where the first holds.
 *
 * @param statuses those that the text allows here; none for every 4xx
 */
export async function refusedAsInvalid(
  check: Check,
  rule: string,
  answers: readonly Answer[],
  statuses: readonly number[] = [400],
): Promise<void> {
  if (!(await check(rule, () => answers.forEach(notAccepted)))) return;
  await check('TRANSFER-INVALID-STATUS', () => {
    for (const answer of answers) expect(answer).toBeRefused(...statuses);
  });
}

type Of = (one: Mistake) => boolean;

/** The rule that each single mistake of a transfer-out breaks, by the field it is made in; the first that fits. */
const RULES: readonly (readonly [rule: string, of: Of])[] = [
  ['TRANSFER-SOURCE-REQUIRED', ({ field, kind }) => field === 'source' && kind === 'missing'],
  ['TRANSFER-DESTINATION-REQUIRED', ({ field, kind }) => field === 'destination' && kind === 'missing'],
  [
    'TRANSFER-SOURCE-ACCOUNT-ID-REQUIRED',
    ({ field, kind }) => field === 'source.accountId' && kind === 'missing',
  ],
  [
    'TRANSFER-DESTINATION-ACCOUNT-ID-REQUIRED',
    ({ field, kind }) => field === 'destination.accountId' && kind === 'missing',
  ],
  ['TRANSFER-SOURCE-FORM', ({ field, kind }) => field === 'source.accountId' && kind === 'not of its form'],
  [
    'TRANSFER-DESTINATION-FORM',
    ({ field, kind }) => field === 'destination.accountId' && kind === 'not of its form',
  ],
  ['TRANSFER-REFERENCE-TYPES', ({ field }) => /^(source|destination)(\.accountId)?$/.test(field)],
  ['TRANSFER-RAIL-UNKNOWN', ({ field }) => field === 'destination.paymentRail'],
  ['TRANSFER-AMOUNT-FRACTION', ({ kind }) => kind === 'a fraction'],
  ['TRANSFER-AMOUNT-BEYOND-INT64', ({ kind }) => kind === 'beyond 64 bits'],
  ['TRANSFER-AMOUNT-TEXT', ({ field }) => field === 'amount'],
  ['TRANSFER-REMITTANCE-MAX', ({ kind }) => kind === 'too long'],
  ['TRANSFER-REMITTANCE-TYPE', ({ field }) => field === 'remittanceInformation'],
  ['TRANSFER-PURPOSE-UNKNOWN', ({ field }) => field === 'purposeOfPayment'],
];

/** Every rule that a mistake of a transfer-out can break. */
export const MISTAKE_RULES: readonly string[] = RULES.map(([rule]) => rule);

/** The rule that a mistake breaks; undefined where none speaks of it. */
export function ruleOfMistake(mistake: Mistake): string | undefined {
  return RULES.find(([, of]) => of(mistake))?.[0];
}

/**
 * Whether the text settles the status. An id of the wrong form may as well name no account, and an amount beyond 64 bits be
 * over a limit.
 */
export function isInvalidParameter({ kind }: Mistake): boolean {
  return kind !== 'not of its form' && kind !== 'beyond 64 bits';
}
