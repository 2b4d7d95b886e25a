import { expect, type Answer, type Wallet } from '../../../suite/index.ts';
import { lower } from './listed.ts';
import type { Look } from './situation.ts';

/** Reads of what the interface names without showing how it is read (paths of the profile's facts): no value where they fail. */

/** Ids and ends of the account's sessions. */
export async function readSessions(wallet: Wallet): Promise<Look> {
  const answer = await wallet.listSessions({ label: "listing the account's sessions" });
  const data = entries(answer);
  return {
    answer,
    value: data?.map(({ id, expiresAt }) => `${lower(id)} until ${String(expiresAt)}`).sort(),
  };
}

/** Whether the wallet is private. */
export async function readPrivacy(wallet: Wallet): Promise<Look> {
  const answer = await wallet.send({
    operation: 'listInternalAccounts',
    label: "reading the wallet's privacy",
    query: { customerId: wallet.customerId },
  });
  return {
    answer,
    value: entries(answer)?.find(({ id }) => lower(id) === lower(wallet.accountId))?.['privateEnabled'],
  };
}

/** The customer's e-mail. */
export async function readEmail(wallet: Wallet): Promise<Look> {
  const answer = await wallet.send({
    operation: 'getCustomer',
    label: "reading the customer's e-mail",
    path: { customerId: wallet.customerId },
  });
  return {
    answer,
    value:
      answer.exchange.response?.status === 200
        ? (answer.body as { email?: unknown } | undefined)?.email
        : undefined,
  };
}

/** A value that is read back from this answer, within a check. */
export function expectSame({ answer, value }: Look, expected: unknown, what: string): void {
  expect(answer).toBeAccepted();
  expect(value, what).toEqual(expected);
}

function entries(answer: Answer): readonly Readonly<Record<string, unknown>>[] | undefined {
  if (answer.exchange.response?.status !== 200) return undefined;
  const data: unknown = (answer.body as { data?: unknown } | undefined)?.data;
  return Array.isArray(data) ? (data as Readonly<Record<string, unknown>>[]) : undefined;
}
