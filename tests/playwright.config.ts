import { defineConfig } from '@playwright/test';

/** Tests of Assay itself; the conformance run on a target has its own configuration at the top level. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  testIgnore: ['browser/**', 'dialect/**', 'hostile/**', 'reproduce/**', 'ci/**'],
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env['CI']),
  failOnFlakyTests: true,
  reporter: [['list', { printSteps: false }]],
  outputDir: '../test-results/unit',
});
