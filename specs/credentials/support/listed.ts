import type { Answer, Wallet } from '../../../suite/index.ts';

/** One entry of a list of credentials, as far as it can be trusted. */
export interface Listed {
  readonly id?: string;
  readonly accountId?: string;
  readonly type?: string;
  readonly nickname?: string;
  readonly credentialId?: string;
}

/** The entries of a list answer; none when the answer is no list, which is another rule's concern. */
export function entriesOf(answer: Answer): readonly Listed[] {
  const data: unknown = answer.body?.data;
  return Array.isArray(data) ? (data as Listed[]) : [];
}

/** Ids, comparable: the digits of a uuid mean the same in either case. */
export function idsOf(answer: Answer): readonly string[] {
  return entriesOf(answer).map((entry) => lower(entry.id));
}

/** The same, sorted, without entries that say that they are another account's: these are a rule of their own. */
export function ownIds(answer: Answer, { accountId }: Wallet): readonly string[] {
  return entriesOf(answer)
    .filter((entry) => entry.accountId === undefined || lower(entry.accountId) === lower(accountId))
    .map((entry) => lower(entry.id))
    .sort();
}

export function lower(text: unknown): string {
  return typeof text === 'string' ? text.toLowerCase() : '';
}

/** The list, now. */
export function listOf(wallet: Wallet, label = "listing the account's credentials"): Promise<Answer> {
  return wallet.list({ label });
}
