import type { TestInfo } from '@playwright/test';
import type { GiveUpKind, JournalWriter } from '../journal/journal-writer.ts';
import { told } from './run/error-text.ts';

export type { GiveUpKind } from '../journal/journal-writer.ts';

/** Ends a test that met trouble, so that it runs again. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/**
 * Ends the test without accusing anybody: the reason is kept, and the test shows as skipped. A test that met trouble fails
 * in place of that the first time, since a skipped test is not repeated.
 *
 * @param reason why, in one sentence; secrets in it are masked
 * @param mend what would mend it, as an order: "serve the state `sca-customer`"
 */
export function giveUp(
  journal: JournalWriter,
  testInfo: TestInfo,
  kind: GiveUpKind,
  reason: string,
  mend?: string,
): never {
  const masked = journal.mask(reason);
  journal.stop(kind, masked, mend === undefined ? undefined : journal.mask(mend));
  if (testInfo.retry === 0 && journal.isWorthRepeating)
    throw told(new GivenUp(`repeated after trouble: ${journal.mask(journal.trouble ?? reason)}`));
  testInfo.skip(true, `${kind === 'unprepared' ? 'not verified' : 'inconclusive'}: ${masked}`);
  throw new Error('unreachable: skip ends the test');
}
