import './target/refuse-old-node.ts';
import { join } from 'node:path';
import { defineConfig, type Project, type ReporterDescription } from '@playwright/test';
import { chosenBaseline } from './reports/folder/baseline.ts';
import { checkReportFolder, refuseForeignFiles, reportDir } from './reports/folder/folder.ts';
import { chosenReporters, endWithTwoUntilBegun, onlyLists } from './reports/command-line.ts';
import { CLOCK_TAG } from './suite/clock.ts';
import { DEFAULT_SEED } from './suite/explore.ts';
import { AGAIN_TAG } from './suite/verifies.ts';
import { embeddedFromEnvironment, sandboxServerOf } from './suite/run/embedded-sandbox.ts';
import { readSettings, type Settings } from './target/read-settings.ts';
import { depthOf, wholeNumber } from './target/environment-variables.ts';
import { UsageError } from './target/usage-error.ts';
import { latencyOf, waitingWorkers, workersFor } from './target/workers.ts';

// Node 22 and later keep what they have compiled: each worker and the sandbox would compile a megabyte again.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/assay/node');

if (process.env['TEST_WORKER_INDEX'] === undefined) endWithTwoUntilBegun();

/** Where money moves. */
const OF_MONEY = /specs\/(accounts|agents|limits|quotes|sca)\//;

const ci = Boolean(process.env['CI']);
const { profile, workers: usualWorkers } = settingsOrExit();
const workers = await workersOfRun();
const waiting = waitingWorkers(profile, process.env);

// Reporters of the command line replace those below: without this one there would be no verdict, and no red test. A shard
// that only writes its blob has no verdict.
const chosen = chosenReporters(process.argv);
if (chosen.length > 0)
  process.env['PW_TEST_REPORTER'] ??= join(
    import.meta.dirname,
    chosen.every((name) => name === 'blob') ? 'reports/colours.ts' : 'reports/reporter.ts',
  );

const reporters: ReporterDescription[] = [
  ['./reports/colours.ts'],
  ['./reports/live.ts'],
  ['./reports/allure.ts', { resultsDir: `${reportDir()}/allure-results` }],
  ['./reports/reporter.ts'],
];

export default defineConfig({
  testDir: 'specs',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results/conformance',
  fullyParallel: true,
  workers: workers + waiting,
  forbidOnly: ci,
  // What fails or meets trouble is seen once more; both times stand in the report, and the verdict reads both.
  retries: 1,
  timeout: 60_000,
  reporter: reporters,
  globalSetup: './global-setup.ts',
  projects: inOrder(),
  metadata: {
    assay: {
      target: {
        name: profile.name,
        baseUrl: profile.embedded ? 'the embedded sandbox' : profile.baseUrl,
        brand: profile.brand,
        embedded: profile.embedded,
        capabilities: profile.capabilities,
        preparation: profile.preparation,
      },
      cleanUp: profile.cleanUp,
      gate: profile.gate,
      vouchedFor: profile.vouchedFor,
      ...(profile.accepted ? { accepted: profile.accepted } : {}),
      ...(profile.knownFailures ? { knownFailures: profile.knownFailures } : {}),
      seed: wholeNumber(process.env, 'SEED', DEFAULT_SEED, Number.NEGATIVE_INFINITY),
    },
  },
  ...(profile.embedded
    ? {
        webServer: sandboxServerOf(profile.brand),
      }
    : {}),
});

/**
 * What is run before what. A target that takes few requests a second shows its money first. Tests that move a clock which is
 * one for everybody come last: it moves only while nobody does anything else.
 */
function inOrder(): Project[] {
  const apart = new RegExp(CLOCK_TAG);
  const isApart = profile.clock === 'target' || waiting > 0;
  const isSlow = profile.manners?.pace !== undefined;
  const leftOut = depthOf() === 'quick' ? [new RegExp(AGAIN_TAG)] : [];
  const usual = { grepInvert: isApart ? [...leftOut, apart] : leftOut, ...(waiting > 0 && { workers }) };
  // A worker of another project is a process of its own, which takes seconds of a core until its code is compiled.
  const atTheClock = { grep: apart, grepInvert: leftOut, workers: waiting || Math.ceil(workers / 3) };
  return [
    ...(isSlow ? [{ name: 'money', testMatch: OF_MONEY, ...usual }] : []),
    { name: 'conformance', ...(isSlow ? { testIgnore: OF_MONEY } : {}), ...usual },
    ...(isApart ? [{ name: 'clock', ...atTheClock }] : []),
  ];
}

/** A distant target takes more tests at once: while one waits for its answer, another has the core. */
async function workersOfRun(): Promise<number> {
  const isWorker = process.env['TEST_WORKER_INDEX'] !== undefined;
  if (isWorker || profile.embedded || process.env['WORKERS']) return usualWorkers;
  return workersFor(process.env, await latencyOf(profile));
}

/** Bad input ends here: one sentence, exit code 2. */
function settingsOrExit(): Settings {
  try {
    const settings = readSettings(process.env, embeddedFromEnvironment(process.env, ''));
    chosenBaseline(process.env);
    if (process.env['TEST_WORKER_INDEX'] === undefined) {
      checkReportFolder(reportDir());
      if (!onlyLists(process.argv)) refuseForeignFiles(reportDir());
    }
    return settings;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return process.exit(2);
  }
}
