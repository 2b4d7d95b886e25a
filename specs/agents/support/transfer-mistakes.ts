import type { Mistake } from '../../../generators/mistakes.ts';

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
