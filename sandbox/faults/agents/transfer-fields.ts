import type { Replacements } from '../../core/replacement.ts';
import type { Fault } from '../fault.ts';
import { bare, field } from '../fields.ts';

const OTHER = '00000000-0000-4000-8000-000000000000';

/** AgentTransferDetails, shown wrongly: name, broken rule, what it looks like, how. */
const rows: readonly (readonly [name: string, breaks: string, says: string, replace: Replacements])[] = [
  [
    'transfer-amount-as-text',
    'ACTION-TRANSFER-AMOUNT',
    'The amount of a transfer is text.',
    field('presentTransferDetails', 'amount').map(String),
  ],
  [
    'transfer-without-amount',
    'ACTION-TRANSFER-AMOUNT',
    'A transfer shows no amount.',
    field('presentTransferDetails', 'amount').drop(),
  ],
  [
    'transfer-amount-in-main-unit',
    'ACTION-TRANSFER-AMOUNT',
    'The amount of a transfer is in the main unit, with a fraction.',
    field('presentTransferDetails', 'amount').map((amount) => Number(amount) / 100 + 0.001),
  ],
  [
    'transfer-currency-lower-case',
    'ACTION-TRANSFER-CURRENCY',
    'The currency of a transfer is in small letters.',
    field('presentTransferDetails', 'currency').mapText((code) => code.toLowerCase()),
  ],
  [
    'transfer-currency-as-object',
    'ACTION-TRANSFER-CURRENCY',
    'The currency of a transfer is an object.',
    field('presentTransferDetails', 'currency').mapText((code) => ({ code })),
  ],
  [
    'transfer-without-source',
    'ACTION-TRANSFER-SOURCE',
    'A transfer shows no sourceAccountId.',
    field('presentTransferDetails', 'sourceAccountId').drop(),
  ],
  [
    'transfer-source-bare-uuid',
    'ACTION-TRANSFER-SOURCE',
    'The sourceAccountId of a transfer is a bare uuid.',
    field('presentTransferDetails', 'sourceAccountId').mapText(bare),
  ],
  [
    'transfer-without-destination',
    'ACTION-TRANSFER-DESTINATION',
    'A transfer shows no destinationAccountId.',
    field('presentTransferDetails', 'destinationAccountId').drop(),
  ],
  [
    'transfer-destination-bare-uuid',
    'ACTION-TRANSFER-DESTINATION',
    'The destinationAccountId of a transfer is a bare uuid.',
    field('presentTransferDetails', 'destinationAccountId').mapText(bare),
  ],
  [
    'details-show-another-amount',
    'TRANSFER-DETAILS-AMOUNT-ECHO',
    'The amount shown is one unit less than what was asked for.',
    field('presentTransferDetails', 'amount').map((amount) => BigInt(amount as number) - 1n),
  ],
  [
    'details-show-another-currency',
    'TRANSFER-DETAILS-CURRENCY-ECHO',
    'The currency shown is not that of the source.',
    field('presentTransferDetails', 'currency').set('CHF'),
  ],
  [
    'details-show-another-source',
    'TRANSFER-DETAILS-SOURCE-ECHO',
    'The source shown is another account.',
    field('presentTransferDetails', 'sourceAccountId').set(`InternalAccount:${OTHER}`),
  ],
  [
    'details-show-another-destination',
    'TRANSFER-DETAILS-DESTINATION-ECHO',
    'The destination shown is another account.',
    field('presentTransferDetails', 'destinationAccountId').set(`ExternalAccount:${OTHER}`),
  ],
];

export const transferFieldFaults: readonly Fault[] = rows.map(([name, breaks, says, replace]) => ({
  name,
  breaks,
  says,
  replace,
}));
