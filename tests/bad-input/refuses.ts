import { expect, test } from '@playwright/test';
import { evaluate } from '../support/evaluate.ts';
import { reportIn, runAssay, scratch } from '../support/run-assay.ts';

/** One small file is enough: nothing of it may run. */
const SPEC = 'specs/agents/acceptance.spec.ts';

/**
 * Bad input ends with one clear sentence, exit code 2, no stack trace and no accusation.
 *
 * @param alone in a process of its own, as a user runs it; else in one that only reads the configuration and sets up
 */
export async function refuses(
  env: Readonly<Record<string, string>>,
  sentence: string | RegExp,
  alone?: 'alone',
): Promise<void> {
  // Starting a process takes its time on a busy machine.
  test.setTimeout(90_000);
  const { code, output, report } = await (alone ? runAssay(env, [SPEC]) : beginRun(env));
  const lines = output
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^npm warn|^\(node:|^\(Use `node/.test(line));
  if (typeof sentence === 'string') expect(lines).toEqual([sentence]);
  else expect(lines.join('\n')).toMatch(sentence);
  expect(lines, 'one sentence').toHaveLength(1);
  expect(output).not.toMatch(/^\s+at .+:\d+/m);
  expect(code).toBe(2);
  const accused =
    report?.rules.filter((rule) => rule.verdict === 'violated' || rule.verdict === 'verified') ?? [];
  expect(accused).toEqual([]);
  if (report) expect(report.verdict).toBe('not judged');
}

async function beginRun(env: Readonly<Record<string, string>>) {
  const folder = scratch('report');
  const { code, output } = await evaluate({
    script: 'tests/bad-input/as-playwright.ts',
    args: ['test', SPEC],
    env: { REPORT_DIR: folder, WORKERS: '1', ...env },
  });
  return { code, output, report: reportIn(folder) };
}

export const CREDENTIALS = { CLIENT_ID: 'some-id', CLIENT_SECRET: 'some-secret' };
