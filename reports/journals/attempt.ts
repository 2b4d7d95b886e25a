import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import type { Journal } from '../../journal/types.ts';
import { type Standing, type TestRecord } from './evidence.ts';
import { readJournal } from '../../journal/read-journal.ts';
import { findingsOf } from '../../journal/findings.ts';

/** One run of a test. A test that failed or met trouble has two. */
export interface Attempt {
  readonly standing: Standing;
  readonly reason?: string;
  readonly outcome: TestRecord['outcome'];
  readonly journal?: Journal;
}

/** How the suite starts the reason of a check that failed over a mistake of its own. */
const ENGINE_ERROR = 'engine error';
/** The suite throws these where an answer never came, and where it wants a second attempt: trouble, not a mistake. */
const TROUBLE = /^(?:Error: |GivenUp: )?(?:Unanswered|repeated after trouble):/;
const DECLINED = new Set(['skip', 'fixme']);

/** What one result of a Playwright test says, in the words of the reports. */
export function attemptOf(test: Pick<TestCase, 'annotations'>, result: TestResult): Attempt {
  let journal: Journal | undefined;
  try {
    journal = readJournal(result.attachments);
  } catch (error) {
    return { standing: 'crashed', reason: (error as Error).message, outcome: 'failed' };
  }
  const { standing, reason } = standingOf(test, result, journal);
  return {
    standing,
    ...(reason === undefined ? {} : { reason }),
    outcome: outcomeOf(result, standing),
    ...(journal ? { journal } : {}),
  };
}

function standingOf(
  test: Pick<TestCase, 'annotations'>,
  result: TestResult,
  journal: Journal | undefined,
): { standing: Standing; reason?: string | undefined } {
  if (result.status === 'interrupted') return { standing: 'did not run' };
  // A mistake of the suite comes first: nothing that the target did may hide it.
  const crash = crashOf(result, journal);
  if (crash !== undefined) return { standing: 'crashed', reason: crash };
  if (journal?.gone) return { standing: 'did not run', reason: journal.gone.why };
  if (journal?.unprepared !== undefined) return { standing: 'unprepared', reason: journal.unprepared };
  if (journal?.refused !== undefined) return { standing: 'refused', reason: journal.refused };
  if (journal?.inconclusive !== undefined) return { standing: 'inconclusive', reason: journal.inconclusive };
  if (result.status === 'skipped') {
    const annotation = [...result.annotations, ...test.annotations].find((each) => DECLINED.has(each.type));
    return annotation ? { standing: 'skipped', reason: annotation.description } : { standing: 'did not run' };
  }
  if (result.status === 'passed') return { standing: 'completed' };
  if (journal && findingsOf(journal).length > 0)
    return { standing: 'stopped', reason: 'Its test failed over another rule before it came to this one.' };
  return { standing: 'inconclusive', reason: journal?.trouble ?? firstLine(result.errors[0]?.message) };
}

/**
 * An error that nothing the target did explains: a mistake of the suite. It counts even beside a finding, since a
 * finding that is known must not hide it.
 */
function crashOf(result: TestResult, journal: Journal | undefined): string | undefined {
  const engine = (journal?.checks ?? []).find(({ reason }) => reason?.startsWith(ENGINE_ERROR));
  if (engine) return firstLine(engine.reason);
  if (result.status === 'passed' || result.status === 'skipped') return undefined;
  if (result.status === 'timedOut')
    return journal?.trouble === undefined && !journal?.gone ? 'the test ran out of time' : undefined;
  const errors = result.errors.map(({ message }) => stripVTControlCharacters(message ?? ''));
  const strange = errors.find((error) => !isExplained(error, journal));
  if (strange !== undefined) return firstLine(strange) ?? 'the test failed without a message';
  return errors.length === 0 && !(journal && (findingsOf(journal).length > 0 || journal.trouble))
    ? 'the test failed without a message'
    : undefined;
}

function isExplained(error: string, journal: Journal | undefined): boolean {
  if (TROUBLE.test(error)) return true;
  if (!journal) return false;
  const told = [journal.trouble, journal.inconclusive, journal.unprepared, journal.gone?.why];
  return (
    told.some((text) => text !== undefined && text !== '' && error.includes(text)) ||
    findingsOf(journal).some(({ rule, message }) => error.includes(rule) || error.includes(message))
  );
}

function outcomeOf(result: TestResult, standing: Standing): TestRecord['outcome'] {
  if (standing === 'did not run') return 'did not run';
  if (result.status === 'passed' || result.status === 'skipped') return result.status;
  return 'failed';
}

/** The first line of an error, without colours, stack and the word "Error". */
export function firstLine(message: string | undefined): string | undefined {
  const line = stripVTControlCharacters(message ?? '')
    .split('\n')
    .map((each) => each.trim())
    .find((each) => each !== '');
  return line?.replace(/^(?:\w*Error: )+/, '');
}
