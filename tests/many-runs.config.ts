import { defineConfig } from '@playwright/test';
import unit from './playwright.config.ts';

/** Many runs of parts of the suite, so commands of their own: targets that do mischief, and every key of the dialect. */
export default defineConfig(unit, {
  testIgnore: [],
  projects: ['hostile', 'dialect'].map((name) => ({
    name,
    testDir: name,
    outputDir: `../test-results/${name}`,
  })),
});
