import { expect, test } from '@playwright/test';
import { runAssay } from '../support/run-assay.ts';

/** One small file is enough: nothing of it may run. */
const SPEC = 'specs/agents/acceptance.spec.ts';

/** Bad input ends with one clear sentence, exit code 2, no stack trace and no accusation. */
export async function refuses(
  env: Readonly<Record<string, string>>,
  sentence: string | RegExp,
): Promise<void> {
  // Starting a process takes its time on a busy machine.
  test.setTimeout(90_000);
  const { code, output, report } = await runAssay(env, [SPEC]);
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

export const CREDENTIALS = { CLIENT_ID: 'some-id', CLIENT_SECRET: 'some-secret' };
