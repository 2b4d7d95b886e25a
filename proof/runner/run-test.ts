import type { TestCase, TestResult } from '@playwright/test/reporter';
import { attemptOf, type Attempt } from '../../reports/attempt.ts';
import { inTrouble } from '../../reports/weigh.ts';
import type { Workbench } from '../../suite/workbench.ts';
import { attemptTest } from './attempt.ts';
import type { DeclaredTest } from './declared.ts';
import type { Sheet } from './sheet.ts';

/**
 * Runs a test in a world as a run of the suite does: what met trouble comes again, since it accuses only when it comes back.
 * What was clear the first time is not repeated: it counts as it is (reports/weigh.ts).
 *
 * @param bench of the world
 * @returns without the exchanges, which no verdict reads
 */
export async function runTest(test: DeclaredTest, bench: Workbench, world: string): Promise<Attempt[]> {
  const first = attemptFrom(await attemptTest(test, { bench, world }, 0));
  if (first.outcome !== 'failed' || (first.journal && !inTrouble(first.journal))) return [first];
  return [first, attemptFrom(await attemptTest(test, { bench, world }, 1))];
}

function attemptFrom(sheet: Sheet): Attempt {
  const { status, annotations, attachments, errors } = sheet;
  const result = { status, annotations, attachments, errors } as unknown as TestResult;
  const { journal, ...attempt } = attemptOf({ annotations: [] } as Pick<TestCase, 'annotations'>, result);
  return journal ? { ...attempt, journal: { ...journal, exchanges: [], observations: [] } } : attempt;
}
