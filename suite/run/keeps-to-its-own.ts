import type { RecordedExchange } from '../../journal/types.ts';

const ACCOUNT_VALUES = ['accountId', 'sourceAccountId', 'internalAccountId'];
/** A customer, or any account that it was made with. */
const ID = /\b(?:Customer|InternalAccount):[0-9a-f-]{36}\b/gi;
/** What prepares and removes is known to keep to it. */
const OF_PREPARATION = /^(?:preparing|cleaning up): /;

/**
 * Whether a test has changed nothing of its customers but the accounts that it was given: no request that may have changed
 * something names a customer, or another account.
 *
 * @param states values of its states
 */
export function keepsToItsOwn(
  exchanges: readonly RecordedExchange[],
  states: readonly Readonly<Record<string, unknown>>[],
): boolean {
  const own = new Set(
    states.flatMap((values) => ACCOUNT_VALUES.map((name) => String(values[name]).toLowerCase())),
  );
  return exchanges
    .filter((exchange) => mayHaveChanged(exchange) && !OF_PREPARATION.test(exchange.label))
    .every(({ request }) =>
      [...`${decoded(request.url)} ${request.body ?? ''}`.matchAll(ID)].every(([id]) =>
        own.has(id.toLowerCase()),
      ),
    );
}

function mayHaveChanged({ request, response }: RecordedExchange): boolean {
  const status = response?.status ?? 0;
  return request.method !== 'GET' && !(status >= 400 && status < 500);
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
