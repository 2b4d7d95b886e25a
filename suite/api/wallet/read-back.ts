import { type Answer, succeeded } from '../../answer.ts';
import type { Wallet } from '../wallet.ts';

/** What the target shows of something that a request may have changed. */
export interface ReadBack {
  readonly answer: Answer;
  /** Undefined where the target shows nothing that could be recognised. */
  readonly value: unknown;
}

/** One entry of a list of credentials, as far as it can be trusted. */
export interface Listed {
  readonly id?: string;
  readonly accountId?: string;
  readonly type?: string;
  readonly nickname?: string;
  readonly credentialId?: string;
}

/** The entries of a list answer; none when the answer is no list, which is another rule's concern. */
export function entriesOf(list: Answer): readonly Listed[] {
  const data: unknown = list.body?.data;
  return Array.isArray(data) ? (data as Listed[]) : [];
}

/** Ids, comparable: the digits of a uuid mean the same in either case. */
export function idsOf(list: Answer): readonly string[] {
  return entriesOf(list).map((entry) => lower(entry.id));
}

/** The same, sorted, without entries that say that they are another account's: these are a rule of their own. */
export function ownIds(list: Answer, { accountId }: Wallet): readonly string[] {
  return entriesOf(list)
    .filter((entry) => entry.accountId === undefined || lower(entry.accountId) === lower(accountId))
    .map((entry) => lower(entry.id))
    .sort();
}

export function lower(text: unknown): string {
  return typeof text === 'string' ? text.toLowerCase() : '';
}

/** Ids of the account's credentials. */
export async function readCredentials(wallet: Wallet): Promise<ReadBack> {
  const answer = await wallet.list();
  return { answer, value: succeeded(answer) ? ownIds(answer, wallet) : undefined };
}

/** Ids and ends of the account's sessions. */
export async function readSessions(wallet: Wallet): Promise<ReadBack> {
  const answer = await wallet.listSessions();
  const sessions = dataOf(answer);
  return {
    answer,
    value: sessions?.map(({ id, expiresAt }) => `${lower(id)} until ${String(expiresAt)}`).sort(),
  };
}

/** Whether the wallet is private. How an account is read, and how its fields are called, is not shown. */
export async function readPrivacy(wallet: Wallet): Promise<ReadBack> {
  const answer = await wallet.send({
    operation: 'listInternalAccounts',
    label: "reading the wallet's privacy",
    query: { customerId: wallet.customerId },
  });
  const account = dataOf(answer)?.find(({ id }) => lower(id) === lower(wallet.accountId));
  return { answer, value: account?.['privateEnabled'] };
}

/** The customer's e-mail. How a customer is read, and how its fields are called, is not shown. */
export async function readEmail(wallet: Wallet): Promise<ReadBack> {
  const answer = await wallet.send({
    operation: 'getCustomer',
    label: "reading the customer's e-mail",
    path: { customerId: wallet.customerId },
  });
  const isRead = answer.exchange.response?.status === 200;
  return { answer, value: isRead ? (answer.body as { email?: unknown } | undefined)?.email : undefined };
}

function dataOf(answer: Answer): readonly Readonly<Record<string, unknown>>[] | undefined {
  if (answer.exchange.response?.status !== 200) return undefined;
  const data: unknown = (answer.body as { data?: unknown } | undefined)?.data;
  return Array.isArray(data) ? (data as Readonly<Record<string, unknown>>[]) : undefined;
}
