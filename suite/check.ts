import { stripVTControlCharacters } from 'node:util';
import { test } from '@playwright/test';
import { ruleOf } from '../schemas/rules.ts';
import { Unanswered, type Answer } from './answer.ts';
import { CounterexampleFound } from './counterexample-found.ts';
import { isAssertion } from './is-assertion.ts';
import type { JournalWriter } from './journal/journal-writer.ts';
import { Reads, withReads } from './reads.ts';

/**
 * Shows one rule kept or broken. A failing assertion blames this rule alone and the test goes on.
 *
 * @param rule id from rules.yaml, named by the test's `verifies`
 * @param run assertions over answers; it must look at one at least, or name its `evidence`
 * @returns true when the rule was kept: later checks that stand on it may be left out
 */
export type Check = (rule: string, run: () => unknown, evidence?: readonly Answer[]) => Promise<boolean>;

/** @param mask removes secrets from messages */
export function makeCheck(journal: JournalWriter, mask: (text: string) => string): Check {
  return async (rule, run, evidence = []) => {
    const { statement } = ruleOf(rule);
    if (!journal.rules.includes(rule))
      throw new Error(`check('${rule}') is not named by verifies() of its test`);
    const reads = new Reads();
    for (const answer of evidence) reads.note(answer);
    try {
      await test.step(`${rule} · ${statement}`, () => withReads(reads, async () => masked(run, mask)), {
        box: true,
      });
    } catch (error) {
      // A preparation or a condition within the check has ended the test already.
      if (testIsSkipped()) throw error;
      settle(journal, rule, reads, error, mask);
      return false;
    }
    const exchanges = reads.answers.map((answer) => answer.id);
    if (exchanges.length > 0) {
      journal.check({ rule, outcome: 'passed', exchanges });
      return true;
    }
    const error = new Error(`check('${rule}') looked at no answer, so it proves nothing`);
    journal.engineError(error);
    journal.check({ rule, outcome: 'inconclusive', reason: `engine error: ${error.message}`, exchanges });
    return false;
  };
}

/** Other reporters show the step's error as it is thrown. */
async function masked(run: () => unknown, mask: (text: string) => string): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Error) {
      error.message = mask(error.message);
      if (error.stack !== undefined) error.stack = mask(error.stack);
    }
    throw error;
  }
}

function testIsSkipped(): boolean {
  return test.info().expectedStatus === 'skipped';
}

function settle(
  journal: JournalWriter,
  rule: string,
  reads: Reads,
  error: unknown,
  mask: (text: string) => string,
): void {
  const exchanges = reads.answers.map((answer) => answer.id);
  const doubt = doubtOf(reads, error);
  if (doubt !== undefined) {
    journal.check({ rule, outcome: 'inconclusive', reason: doubt, exchanges });
    return;
  }
  if (!isAssertion(error)) {
    journal.engineError(error);
    journal.check({
      rule,
      outcome: 'inconclusive',
      reason: `engine error: ${mask(String((error as Error).message))}`,
      exchanges,
    });
    return;
  }
  const message = mask(plain(error));
  const counterexample =
    error instanceof CounterexampleFound
      ? { ...error.counterexample, input: mask(error.counterexample.input) }
      : undefined;
  journal.check({ rule, outcome: 'failed', reason: message, exchanges });
  journal.find({ rule, place: rule, message, exchanges, ...(counterexample ? { counterexample } : {}) });
}

function doubtOf(reads: Reads, error: unknown): string | undefined {
  return error instanceof Unanswered ? error.message : reads.doubt();
}

function plain(error: Error): string {
  return stripVTControlCharacters(error.message)
    .replace(/\n\s*\n/g, '\n')
    .trim();
}
