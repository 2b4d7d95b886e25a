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
  [
    'what-follows-an-id-ignored',
    'GENERAL-ID-NAMES-NO-RECORD',
    'Text behind the uuid of an id in a path is cut off.',
    {
      identifyCaller: (original) => (world, call, route) => {
        for (const [name, value] of Object.entries(call.params))
          Object.assign(call.params, {
            [name]: /^\w+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(value)?.[0] ?? value,
          });
        return original(world, call, route);
      },
    },
  ],
]);
