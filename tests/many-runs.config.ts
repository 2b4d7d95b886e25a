import { defineConfig } from '@playwright/test';
import unit from './playwright.config.ts';
import { NIGHTLY } from './support/run-assay.ts';

/**
 * Many runs of parts of the suite: targets that do mischief, every key of the dialect, nights as a CI server plays them, and
 * unit tests that are marked as long.
 */
export default defineConfig(unit, {
  testIgnore: [],
  grepInvert: [],
  // A night is a whole run in two parts, several times.
  timeout: 3_600_000,
  projects: [
    ...[
      ['hostile', 'hostile'],
      ['dialect', 'dialect'],
      ['nights', 'ci'],
    ].map(([name = '', testDir = '']) => ({ name, testDir, outputDir: `../test-results/${name}` })),
    { name: 'long', testIgnore: unit.testIgnore!, grep: new RegExp(NIGHTLY.tag) },
  ],
});
