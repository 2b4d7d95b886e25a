import { defineConfig } from '@playwright/test';
import unit from '../playwright.config.ts';

/** Every key of the dialect, untold and told: some fifty runs of parts of the suite, so a command of its own. */
export default defineConfig(unit, {
  testDir: '.',
  testIgnore: [],
  outputDir: '../../test-results/dialect',
});
