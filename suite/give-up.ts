import type { TestInfo } from '@playwright/test';
import type { JournalWriter } from './journal/journal-writer.ts';

/** `unprepared`: the target lacks something, open rules stay `not verified`. `inconclusive`: something went wrong. */
export type GiveUpKind = 'unprepared' | 'inconclusive';

/** Ends the test without accusing anybody: the reason is kept, and the test shows as skipped. */
export function giveUp(journal: JournalWriter, testInfo: TestInfo, kind: GiveUpKind, reason: string): never {
  journal[kind](reason);
  testInfo.skip(true, `${kind === 'unprepared' ? 'not verified' : 'inconclusive'}: ${reason}`);
  throw new Error('unreachable: skip ends the test');
}
