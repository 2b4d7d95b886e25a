import { eventually, type Answer, type Need, type Platform } from '../../../suite/index.ts';
import { lower } from './listed.ts';

/** What an account holds, in the smallest unit of its currency, and the answer that shows it. */
export interface Balance {
  readonly amount: number;
  readonly answer: Answer;
}

/** How fields of an account are called is not shown: where no balance can be recognised, the test is not verified. */
export async function balanceOf(
  need: Need,
  platform: Platform,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
): Promise<Balance> {
  const answer = await platform.call('listInternalAccounts', {
    label: "reading the customer's accounts",
    query: { customerId },
  });
  const data: unknown =
    (answer.exchange.response?.status ?? 0) < 300 ? (answer.body as { data?: unknown })?.data : [];
  const account = (Array.isArray(data) ? (data as Record<string, unknown>[]) : []).find(
    ({ id }) => lower(id) === lower(accountId),
  );
  const amount = (account?.['balance'] as { amount?: unknown } | undefined)?.amount;
  need.offered(
    typeof amount === 'number',
    'the target shows no balance of the account that could be recognised',
  );
  return { amount: amount as number, answer };
}

/** Waits until the account holds less than it did; the last look, whether or not it does. */
export function untilLess(
  need: Need,
  platform: Platform,
  account: { readonly accountId: string; readonly customerId: string },
  than: number,
): Promise<Balance> {
  return eventually(
    () => balanceOf(need, platform, account),
    ({ amount }) => amount < than,
    platform.patienceMs,
  );
}
