import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claimFolder } from '../../reports/folder.ts';
import { expect, test } from '@playwright/test';
import { alsoGood, childProject, good, runChild } from './child-run.ts';

const allure = fileURLToPath(new URL('../../reports/allure.ts', import.meta.url));
const reporter = fileURLToPath(new URL('../../reports/reporter.ts', import.meta.url));
const resultsIn = (dir: string) =>
  readdirSync(join(dir, 'allure-results')).filter((name) => name.endsWith('-result.json'));

test.describe.configure({ timeout: 60_000 });

test('results lie beside the other reports, without those of the last run', async () => {
  const child = childProject(
    { 'a.spec.ts': [good, alsoGood] },
    {},
    `reporter: [['dot'], [${JSON.stringify(allure)}], [${JSON.stringify(reporter)}, options]],`,
  );
  mkdirSync(join(child.reports, 'allure-results'), { recursive: true });
  writeFileSync(join(child.reports, 'allure-results', 'old-result.json'), '{}');
  claimFolder(child.reports);
  const run = await runChild(child);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(resultsIn(child.reports)).toHaveLength(2);
  expect(resultsIn(child.reports)).not.toContain('old-result.json');
});
