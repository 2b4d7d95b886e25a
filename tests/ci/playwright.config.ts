import { defineConfig } from '@playwright/test';

/** Nights, played as a CI server plays them: each is a whole run in two parts, so this takes minutes. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  workers: 1,
  timeout: 3_600_000,
  reporter: [['list', { printSteps: false }]],
  outputDir: '../../test-results/nights',
});
