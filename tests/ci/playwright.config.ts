import { defineConfig } from '@playwright/test';
import unit from '../playwright.config.ts';
import { NIGHTLY } from '../support/run-assay.ts';

/** What takes long: nights, played as a CI server plays them, each a whole run in two parts; and tests that are marked so. */
export default defineConfig({
  testMatch: '**/*.test.ts',
  workers: 1,
  timeout: 3_600_000,
  reporter: [['list', { printSteps: false }]],
  outputDir: '../../test-results/nights',
  projects: [
    { name: 'nights', testDir: '.' },
    { name: 'long', testDir: '..', testIgnore: unit.testIgnore!, grep: new RegExp(NIGHTLY.tag) },
  ],
});
