import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claimFolder } from '../../reports/folder.ts';
import { expect, test } from '@playwright/test';
import { childProject, passed, runChild, type ChildTest } from './child-run.ts';

const allure = fileURLToPath(new URL('../../reports/allure.ts', import.meta.url));
const reporter = fileURLToPath(new URL('../../reports/reporter.ts', import.meta.url));
const one: ChildTest = { title: 'one', rules: ['THING-A'], journal: { checks: [passed('THING-A')] } };
const two: ChildTest = { title: 'two', rules: ['THING-B'], journal: { checks: [passed('THING-B')] } };
const project = () =>
  childProject(
    { 'a.spec.ts': [one], 'b.spec.ts': [two] },
    {},
    `reporter: [['dot'], [${JSON.stringify(allure)}], [${JSON.stringify(reporter)}, options]],`,
  );

const resultsIn = (dir: string) =>
  readdirSync(join(dir, 'allure-results')).filter((name) => name.endsWith('-result.json'));

test.describe.configure({ timeout: 60_000 });

test('results lie beside the other reports, without those of the last run', async () => {
  const child = project();
  mkdirSync(join(child.reports, 'allure-results'), { recursive: true });
  writeFileSync(join(child.reports, 'allure-results', 'old-result.json'), '{}');
  claimFolder(child.reports);
  const run = await runChild(child);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(resultsIn(child.reports)).toHaveLength(2);
  expect(resultsIn(child.reports)).not.toContain('old-result.json');
});

test('merging blobs works with it', async () => {
  const child = project();
  for (const shard of [1, 2]) {
    const env = { PLAYWRIGHT_BLOB_OUTPUT_FILE: join(child.dir, 'blobs', `${shard}.zip`) };
    await runChild(child, ['test', `--shard=${shard}/2`, '--reporter=blob'], { env });
  }
  const merged = await runChild(child, [
    'merge-reports',
    '-c',
    'playwright.config.ts',
    join(child.dir, 'blobs'),
  ]);
  expect(merged.code, merged.stdout + merged.stderr).toBe(0);
  expect(resultsIn(child.reports)).toHaveLength(2);
  expect(merged.report.totals.MUST.verified).toBe(2);
});
