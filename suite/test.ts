import { test as base, type TestInfo } from '@playwright/test';
import { Secrets } from '../client/http/secrets.ts';
import { loadProfile } from '../target/load-profile.ts';
import type { Profile } from '../target/profile.ts';
import { openProvider } from '../target/providers/open-provider.ts';
import type { StateProvider } from '../target/providers/state-provider.ts';
import { Answer } from './answer.ts';
import { Apart, RUN_FOLDER_ENV } from './apart.ts';
import { Platform } from './api/platform.ts';
import { makeCheck, type Check } from './check.ts';
import { Clock, CLOCK_TAG } from './clock.ts';
import { embeddedFromEnvironment } from './embedded.ts';
import { Given } from './given.ts';
import { JournalWriter } from './journal/journal-writer.ts';
import { JOURNAL_ATTACHMENT } from './journal/types.ts';
import { makeNeed, type Need } from './need.ts';
import { makeObserve, type Observe } from './observe.ts';
import { Recorder } from './recorder.ts';
import { rulesNamedBy } from './verifies.ts';
import { Webhooks } from './webhooks.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

export interface Fixtures {
  /** Prepares states. */
  given: Given;
  /** Shows one rule kept or broken. */
  check: Check;
  /** Controls and conditions: without them the rest proves nothing. */
  need: Need;
  /** Records what the target does where the interface is silent. */
  observe: Observe;
  /** Calls as the platform. */
  platform: Platform;
  /** The target's time. */
  clock: Clock;
  /** Receives events. */
  webhooks: Webhooks;
  /** Sends and records any call. */
  recorder: Recorder;
  /** The service under test. */
  profile: Profile;
}

interface Internals {
  secrets: Secrets;
  journal: JournalWriter;
  provider: StateProvider;
  turn: void;
}

interface WorkerFixtures {
  /** World of the embedded sandbox: its own faults and variants. Empty: the world that the environment names. */
  world: string;
  bench: Workbench;
}

/** Playwright's `test` with the fixtures of Assay. */
export const test = base.extend<Fixtures & Internals, WorkerFixtures>({
  world: ['', { option: true, scope: 'worker' }],
  bench: [
    async ({ world }, use) => {
      const bench = await openWorkbench(
        loadProfile(process.env, embeddedFromEnvironment(process.env, world)),
      );
      await use(bench);
      await bench.close();
    },
    { scope: 'worker' },
  ],
  secrets: async ({ bench }, use) => {
    const { clientId, clientSecret, providerStates } = bench.profile;
    const secrets = new Secrets();
    secrets.addPair(clientId, clientSecret);
    secrets.add(providerStates?.token);
    await use(secrets);
  },
  journal: [
    async ({ bench, secrets }, use, testInfo) => {
      const journal = new JournalWriter(rulesNamedBy(testInfo.annotations), bench.known);
      await use(journal);
      await finish(journal, secrets, testInfo);
    },
    { auto: true },
  ],
  profile: async ({ bench }, use) => use(bench.profile),
  recorder: async ({ bench, secrets, journal }, use, testInfo) => {
    const { profile, contract, validator, http } = bench;
    await use(
      new Recorder({
        contract,
        validator,
        http,
        secrets,
        journal,
        baseUrl: profile.baseUrl,
        testId: testInfo.testId,
      }),
    );
  },
  platform: async ({ recorder, profile }, use) =>
    use(new Platform(recorder, profile.clientId, profile.clientSecret)),
  turn: [
    async ({ bench }, use, testInfo) => {
      const leave = await takeTurn(bench.profile, testInfo);
      await use();
      leave();
    },
    // Waiting for the others is no part of the test's own time.
    { auto: true, timeout: 0 },
  ],
  provider: async ({ bench, platform }, use) =>
    use(openProvider(bench.profile, bench.http, (operation, parts) => platform.call(operation, parts))),
  clock: async ({ bench, provider, profile, journal }, use, testInfo) =>
    use(new Clock({ provider, profile, journal, testInfo, leads: bench.leads })),
  given: async ({ provider, recorder, journal, platform, profile, clock }, use, testInfo) => {
    const given = new Given({
      provider,
      recorder,
      secrets: recorder.secrets,
      journal,
      testInfo,
      platform,
      profile,
      clock,
    });
    await use(given);
    await given.tearDown();
  },
  webhooks: async ({ recorder, given }, use) => {
    const webhooks = new Webhooks({ recorder, given });
    await use(webhooks);
    await webhooks.close();
  },
  check: async ({ journal, recorder }, use) => use(makeCheck(journal, (text) => recorder.secrets.mask(text))),
  need: async ({ journal }, use, testInfo) => use(makeNeed(journal, testInfo)),
  observe: async ({ journal }, use) =>
    use(makeObserve(journal, (value): value is Answer => value instanceof Answer)),
});

/** Tests that may be red before the rest of a run's findings are told by the reports alone. */
const RED_TESTS = 20;

/** Where the target has one clock for everybody, tests that move it run apart from all others. */
async function takeTurn(profile: Profile, testInfo: TestInfo): Promise<() => void> {
  const folder = process.env[RUN_FOLDER_ENV];
  if (profile.clock !== 'target' || folder === undefined) return () => undefined;
  const apart = new Apart(folder);
  return testInfo.tags.includes(CLOCK_TAG) ? apart.alone() : apart.beside(testInfo.testId);
}

/**
 * Hands the journal to the reporters and gives the test its colour: red for a new finding or an error of the suite,
 * expected failure for known ones, skipped where it could not prove what it is for.
 */
async function finish(journal: JournalWriter, secrets: Secrets, testInfo: TestInfo): Promise<void> {
  // Masked once more: a secret may have been learned after the exchange that carries it was recorded.
  const masked = secrets.maskDeep(journal.toJournal());
  await testInfo.attach(JOURNAL_ATTACHMENT, {
    body: JSON.stringify(masked),
    contentType: 'application/json',
  });
  const [engineError] = journal.engineErrors;
  if (engineError !== undefined)
    throw engineError instanceof Error ? engineError : new Error(String(engineError));
  // Runs over planted faults read the journals alone: a red test would restart its worker each time.
  if (process.env['ASSAY_QUIET_FINDINGS'] === '1') return;
  if (journal.findings.length > 0) {
    const fresh = journal.findings.filter((finding) => finding.known === undefined);
    if (fresh.length === 0) {
      // A test that gave up after a known finding stays skipped: its end cannot be expected to be two things.
      if (testInfo.expectedStatus === 'skipped') return;
      testInfo.fail(true, `known: ${journal.findings[0]?.known ?? ''}`);
    }
    // Each red test costs a new worker. After many of them the rest are marked as expected failures: the verdict is read from
    // the journals, and a badly broken target does not take an hour.
    if (
      fresh.length > 0 &&
      testInfo.workerIndex >= testInfo.config.workers + RED_TESTS &&
      testInfo.expectedStatus === 'passed'
    )
      testInfo.fail(true, 'violated; one of many');
    throw new Error(secrets.mask(describe(fresh.length > 0 ? fresh : journal.findings)));
  }
  if (journal.doubt !== undefined && testInfo.status === 'passed')
    testInfo.skip(true, `inconclusive: ${journal.doubt}`);
}

function describe(findings: readonly { rule: string; message: string }[]): string {
  const lines = new Set(findings.map((finding) => `${finding.rule}: ${finding.message}`));
  return [...lines].join('\n');
}
