import { defineConfig } from '@playwright/test';
import unit from '../playwright.config.ts';

/** Targets that do mischief: some ninety runs of parts of the suite, many of which wait, so a command of its own. */
export default defineConfig(unit, {
  testDir: '.',
  testIgnore: [],
  outputDir: '../../test-results/hostile',
});
