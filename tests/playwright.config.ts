import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { NIGHTLY } from './support/run-assay.ts';

/** Folders with a configuration of their own. */
const APART = ['browser', 'dialect', 'hostile', 'ci'];

/** Tests of Assay itself; the conformance run on a target has its own configuration at the top level. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  // Whole paths, as a pattern matches a folder of that name anywhere above the checkout too.
  testIgnore: APART.map((folder) => join(import.meta.dirname, folder, '**')),
  // They take long and are seldom needed: `npm run nights` runs them.
  grepInvert: new RegExp(NIGHTLY.tag),
  // Several times what the longest needs, as a machine may be busy.
  timeout: 90_000,
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env['CI']),
  failOnFlakyTests: true,
  reporter: [['list', { printSteps: false }]],
  outputDir: '../test-results/unit',
});
