import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import type { Journal } from '../suite/journal/types.ts';
import { findingsOf, type Standing, type TestRecord } from './evidence.ts';
import { readJournal } from './read-journal.ts';

const RULE_TAG = /^@([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+)$/;
/** How the suite starts the reason of a check that failed over a mistake of its own. */
const ENGINE_ERROR = 'engine error';
const DECLINED = new Set(['skip', 'fixme']);

/** What a Playwright test and its last result say, in the words of the reports. */
export function recordOf(test: TestCase): TestRecord {
  const result = test.results.at(-1);
  const label = labelOf(test);
  const tagged = test.tags.flatMap((tag) => RULE_TAG.exec(tag)?.[1] ?? []);
  let journal: Journal | undefined;
  let unreadable: string | undefined;
  try {
    journal = result && readJournal(result.attachments);
  } catch (error) {
    unreadable = (error as Error).message;
  }
  const rules = [...new Set([...tagged, ...(journal?.rules ?? [])])];
  const { standing, reason } =
    unreadable === undefined
      ? standingOf(test, result, journal)
      : { standing: 'crashed' as const, reason: unreadable };
  return {
    label,
    rules,
    standing,
    ...(reason === undefined ? {} : { reason }),
    outcome: outcomeOf(result, standing),
    ...(journal ? { journal } : {}),
  };
}

/** File and titles; the root, the project and absolute paths are left out. */
function labelOf(test: TestCase): string {
  const [file = '', ...titles] = test.titlePath().slice(2);
  return [file.replaceAll('\\', '/'), ...titles].filter((part) => part !== '').join(' › ');
}

function standingOf(
  test: TestCase,
  result: TestResult | undefined,
  journal: Journal | undefined,
): { standing: Standing; reason?: string | undefined } {
  if (!result || result.status === 'interrupted') return { standing: 'did not run' };
  if (journal?.unprepared !== undefined) return { standing: 'unprepared', reason: journal.unprepared };
  if (journal?.inconclusive !== undefined) return { standing: 'inconclusive', reason: journal.inconclusive };
  if (result.status === 'skipped') {
    const annotation = [...result.annotations, ...test.annotations].find((each) => DECLINED.has(each.type));
    return annotation ? { standing: 'skipped', reason: annotation.description } : { standing: 'did not run' };
  }
  if (result.status === 'passed') return { standing: 'completed' };
  const [crash] = unexplained(result, journal);
  return crash === undefined
    ? { standing: 'stopped', reason: 'Its test failed over another rule before it came to this one.' }
    : { standing: 'crashed', reason: crash };
}

/**
 * Errors of a failed test that no finding speaks of: mistakes of the suite, never of the target. They count even
 * beside a finding, since a finding that is known must not hide them.
 */
function unexplained(result: TestResult, journal: Journal | undefined): string[] {
  if (result.status === 'timedOut') return ['the test ran out of time'];
  const findings = journal ? findingsOf(journal) : [];
  const engine = (journal?.checks ?? []).flatMap(({ reason }) =>
    reason?.startsWith(ENGINE_ERROR) ? [reason] : [],
  );
  const errors = result.errors.map(({ message }) => stripVTControlCharacters(message ?? ''));
  const strange = errors.filter(
    (error) => !findings.some(({ rule, message }) => error.includes(rule) || error.includes(message)),
  );
  const lines = [...engine, ...strange].map(
    (error) => firstLine(error) ?? 'the test failed without a message',
  );
  return lines.length === 0 && findings.length === 0 ? ['the test failed without a message'] : lines;
}

function outcomeOf(result: TestResult | undefined, standing: Standing): TestRecord['outcome'] {
  if (!result || standing === 'did not run') return 'did not run';
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
