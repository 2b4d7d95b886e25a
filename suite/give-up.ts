import type { TestInfo } from '@playwright/test';
import type { GiveUpKind, JournalWriter } from './journal/journal-writer.ts';

export type { GiveUpKind } from './journal/journal-writer.ts';

/**
 * Ends the test without accusing anybody: the reason is kept, and the test shows as skipped.
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
  testInfo.skip(true, `${kind === 'unprepared' ? 'not verified' : 'inconclusive'}: ${masked}`);
  throw new Error('unreachable: skip ends the test');
}
