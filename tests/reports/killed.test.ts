import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { ConformanceReport } from '../../reports/model.ts';
import { HISTORY_FILE } from '../../reports/history.ts';
import { childEnvironment, root, scratch } from '../support/run-assay.ts';

test('a run that is killed leaves the report of what has run, and says which part that is', async () => {
  test.setTimeout(120_000);
  const folder = scratch('killed');
  const file = join(folder, 'conformance.json');
  const args = ['test', '--output', join(folder, 'results'), 'specs/agents', 'specs/errors'];
  const child = spawn(process.execPath, [join(root, 'node_modules/@playwright/test/cli.js'), ...args], {
    cwd: root,
    env: childEnvironment({
      REPORT_DIR: folder,
      WORKERS: '1',
      ASSAY_WORLD: 'fault.approval-threshold-ignored',
    }),
    stdio: 'ignore',
    // A group of its own, so that workers and sandbox die with it at one stroke.
    detached: true,
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const report = () =>
    existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ConformanceReport) : undefined;
  await expect.poll(() => report()?.run.unfinished?.ran ?? 0, { timeout: 90_000 }).toBeGreaterThan(2);
  process.kill(-(child.pid as number), 'SIGKILL');
  await ended;

  const left = report() as ConformanceReport;
  const { unfinished, parts } = left.run;
  expect(unfinished?.of).toBeGreaterThan(unfinished?.ran ?? Number.POSITIVE_INFINITY);
  expect(parts?.['agents']?.ran).toBe(unfinished?.ran);
  expect(parts?.['errors']).toMatchObject({ ran: 0 });
  expect(left.verdict).not.toBe('conforming');
  expect(left.verdict).not.toBe('incomplete');
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  expect(page).toContain('This run is not at its end:');
  expect(page).toContain('Not at all: errors.');
  // The exchanges are there to the last test that ended, and no night counts half a run.
  const lines = readFileSync(join(folder, 'exchanges.ndjson'), 'utf8').trimEnd().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(left.run.exchanges);
  expect(existsSync(join(folder, HISTORY_FILE))).toBe(false);
  expect(existsSync(join(folder, 'baselines'))).toBe(false);
});
