import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runAssay, scratch, type Outcome } from '../support/run-assay.ts';

/**
 * Runs small fixture specs with the real suite, configuration and reporters, in a process of their own.
 *
 * @param source TypeScript of the spec, without its import
 * @param more settings of Playwright, in TypeScript, with the reporters that are to write too; `folder` is for their files
 */
export async function runSpecs(
  source: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  { settings, reporters } = { settings: '', reporters: '' },
): Promise<Outcome> {
  const folder = scratch('specs');
  const from = (path: string) => JSON.stringify(join(root, path));
  writeFileSync(
    join(folder, 'fixture.spec.ts'),
    `import { test, expect, verifies, explore } from ${from('suite/index.ts')};\nimport fc from 'fast-check';\n${source}`,
  );
  writeFileSync(
    join(folder, 'playwright.config.ts'),
    `import base from ${from('playwright.config.ts')};
     const folder = process.env.REPORT_DIR;
     export default {
       ...base, testDir: '.', globalSetup: ${from('global-setup.ts')}, projects: undefined, ${settings}
       reporter: [
         ['list', { printSteps: true }],
         [${from('reports/allure.ts')}, { resultsDir: folder + '/allure-results' }],
         [${from('reports/reporter.ts')}],
         ${reporters}
       ],
     };`,
  );
  return runAssay(env, ['--config', folder, ...args]);
}
