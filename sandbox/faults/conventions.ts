import type { JsonObject } from '../core/json.ts';
import { field } from './fields.ts';
import { faultsOf } from './row.ts';

/** Conventions of records whose fields are not shown. */
export const conventionFaults = faultsOf([
  [
    'transaction-id-without-uuid',
    'GENERAL-ID-FORM',
    'A transaction is named by its type and a number.',
    field('presentTransaction', 'id').set('Transaction:1001'),
  ],
  [
    'balance-in-major-units',
    'GENERAL-AMOUNT-INTEGER',
    'The balance of an account is told in dollars and cents.',
    field('presentInternalAccount', 'balance').map((balance) => ({
      ...(balance as JsonObject),
      amount: Number((balance as JsonObject)['amount']) / 100 + 0.01,
    })),
  ],
]);
