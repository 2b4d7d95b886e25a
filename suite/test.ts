import { _baseTest as base, type PlaywrightWorkerOptions, type TestInfo } from '@playwright/test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange, SentRequest } from '../client/http/http-client.ts';
import { loadProfile } from '../target/read-settings.ts';
import { type Profile, preparations } from '../target/profile.ts';
import { preparedBy, openProvider } from '../target/providers/ladder.ts';
import type { StateProvider } from '../target/providers/state-provider.ts';
import { Answer } from './answers/answer.ts';
import { cleanUp } from './run/left-behind.ts';
import { Platform } from './api/platform.ts';
import { type Check, type Observe, makeCheck, makeObserve } from './check.ts';
import { Clock } from './clock.ts';
import { ClockTurns } from './run/clock-turns.ts';
import { embeddedFromEnvironment } from './run/embedded-sandbox.ts';
import { finish } from './run/finish.ts';
import { Given } from './given.ts';
import { JournalWriter, type KnownHere } from '../journal/journal-writer.ts';
import { maskErrors } from './run/error-text.ts';
import { measure } from './run/test-cost.ts';
import { makeNeed, type Need, giveUpOf } from './need.ts';
import { Patience } from './answers/patience.ts';
import { Recorder } from './answers/recorder.ts';
import { rulesNamedBy } from './verifies.ts';
import { RUN_FOLDER_ENV } from './run/run-folder.ts';
import type { StatesWatch } from './watch/states-watch.ts';
import { Webhooks } from './webhooks.ts';
import { openWorkbench, type Workbench } from './run/workbench.ts';
import { troubleIn } from '../doubt/answer.ts';

interface Fixtures {
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
  journal: JournalWriter;
  provider: StateProvider;
  turns: ClockTurns | undefined;
}

interface WorkerFixtures {
  /** World of the embedded sandbox: its own faults and variants. Empty: the world that the environment names. */
  world: string;
  bench: Workbench;
  /** Playwright's own setting of that name: it is read by name, and by `--ui` too. */
  trace: PlaywrightWorkerOptions['trace'];
}

/** A fixture that is no step of the test: each step costs a stack trace when it begins and another when it ends. */
const UNSHOWN = { box: 'self' } as const;

/**
 * Playwright's `test` without what it keeps for browsers, with the fixtures of Assay. The settings of a browser that nobody
 * opens would cost every test some sixty steps, each with a stack trace.
 */
export const test = base.extend<Fixtures & Internals, WorkerFixtures>({
  world: ['', { option: true, scope: 'worker' }],
  trace: ['off', { option: true, scope: 'worker' }],
  bench: [
    async ({ world }, use) => {
      const bench = await openWorkbench(
        loadProfile(process.env, embeddedFromEnvironment(process.env, world)),
      );
      await use(bench);
      await bench.close();
    },
    { scope: 'worker', ...UNSHOWN },
  ],
  journal: [
    async ({ bench }, use, testInfo) => {
      const { secrets, known } = bench;
      const title = titleOf(testInfo);
      const knownHere: KnownHere = (finding) => known.reasonOf(finding, title);
      await use(
        new JournalWriter(rulesNamedBy(testInfo.annotations), knownHere, (text) => secrets.mask(text)),
      );
    },
    UNSHOWN,
  ],
  profile: [async ({ bench }, use) => use(bench.profile), UNSHOWN],
  recorder: [
    async ({ bench, journal }, use, testInfo) => {
      const { secrets, watch } = bench;
      maskErrors(testInfo, (text) => secrets.mask(text));
      const recorder = new Recorder({
        bench,
        journal,
        giveUp: giveUpOf(journal, testInfo),
        prefix: testInfo.retry > 0 ? `${testInfo.testId}.again` : testInfo.testId,
        extend: (ms) => testInfo.setTimeout(testInfo.timeout + ms),
      });
      const startedAt = Date.now();
      const gone = await watch.ready();
      if (gone) {
        journal.foundGone(gone);
        await finish(bench, journal, recorder, startedAt, testInfo);
        testInfo.skip(true, 'the target has gone away');
      }
      await use(recorder);
      measure(journal, recorder, testInfo.file, bench.spares);
      await finish(bench, journal, recorder, startedAt, testInfo);
    },
    { auto: true, ...UNSHOWN },
  ],
  platform: [
    async ({ recorder, profile }, use) => use(new Platform(recorder, profile.clientId, profile.clientSecret)),
    UNSHOWN,
  ],
  turns: [
    async ({ bench }, use, testInfo) => {
      const turns = await turnsAtClock(bench.profile, testInfo);
      await use(turns);
      turns?.end();
    },
    // Waiting for the others is no part of the test's own time.
    { auto: true, timeout: 0, ...UNSHOWN },
  ],
  provider: [
    async ({ bench, platform, journal, recorder }, use, testInfo) => {
      const extend = (ms: number) => testInfo.setTimeout(testInfo.timeout + ms);
      const patience = new Patience(bench.watch, bench.profile.rateLimit);
      const sender = statesSender({ states: bench.states, journal, extend, patience });
      const provider = openProvider(
        bench.profile,
        sender,
        (operation, parts) => platform.call(operation, parts),
        bench.refusals,
        // What a repeated test meets is no other test's doing.
        testInfo.retry > 0
          ? undefined
          : {
              spares: bench.spares,
              record: (label, creation) => recorder.recall('createCustomer', label, creation),
            },
      );
      recorder.forbids = (operation) => provider.forbids?.(operation);
      await use(noted(provider, recorder, journal));
    },
    UNSHOWN,
  ],
  clock: [
    async ({ bench, provider, profile, journal, turns }, use, testInfo) =>
      use(
        new Clock({
          turns,
          provider,
          profile,
          testInfo,
          offsets: bench.offsets,
          giveUp: giveUpOf(journal, testInfo),
        }),
      ),
    UNSHOWN,
  ],
  given: [
    async ({ bench, provider, recorder, journal, platform, profile, clock }, use, testInfo) => {
      const giveUp = giveUpOf(journal, testInfo);
      const { later } = bench;
      const parts = { provider, recorder, journal, testInfo, platform, profile, clock, giveUp, later };
      const given = new Given(parts);
      await use(given);
      await given.tearDown();
      if (preparations(profile).includes('public-calls'))
        await cleanUp(platform, recorder.left, profile.cleanUp);
    },
    UNSHOWN,
  ],
  webhooks: [
    async ({ bench, recorder, given, journal, profile }, use, testInfo) => {
      const folder = process.env[RUN_FOLDER_ENV];
      const relay = profile.webhooks && folder ? { url: profile.webhooks.url, folder } : undefined;
      const webhooks = new Webhooks({
        recorder,
        given,
        relay,
        profile,
        http: bench.http,
        leave: (reason) => giveUpOf(journal, testInfo)('unprepared', reason),
      });
      await use(webhooks);
      await webhooks.close();
    },
    UNSHOWN,
  ],
  check: [async ({ journal }, use, testInfo) => use(makeCheck(journal, testInfo.retry > 0)), UNSHOWN],
  need: [async ({ journal }, use, testInfo) => use(makeNeed(journal, giveUpOf(journal, testInfo))), UNSHOWN],
  observe: [
    async ({ journal }, use) =>
      use(makeObserve(journal, (value): value is Answer => value instanceof Answer)),
    UNSHOWN,
  ],
});

/** A provider whose preparations are part of the record. */
function noted(provider: StateProvider, recorder: Recorder, journal: JournalWriter): StateProvider {
  return {
    name: provider.name,
    forbids: (operation) => provider.forbids?.(operation),
    async setUp(state, params) {
      const values = await provider.setUp(state, params);
      recorder.prepared(preparedBy(values) ?? provider.name, state, params, values);
      journal.ask({ state, params });
      return values;
    },
    tearDown: (state, values) => provider.tearDown(state, values),
    handOn: (values) => provider.handOn?.(values),
  };
}

/** File and titles, as reports name a test. */
function titleOf({ titlePath }: TestInfo): string {
  return titlePath
    .map((part) => part.replaceAll('\\', '/'))
    .filter((part) => part !== '')
    .join(' › ');
}

/** Requests to the provider-states URL; trouble with it is trouble of the test. */
function statesSender(parts: {
  states: StatesWatch;
  journal: JournalWriter;
  /** Gives the test more time, in milliseconds. */
  extend: (ms: number) => void;
  patience: Patience;
}): Pick<StatesWatch, 'send'> {
  const { states, journal, extend, patience } = parts;
  const sendPatiently = async (sent: SentRequest): Promise<Exchange> => {
    for (let tries = 1; ; tries += 1) {
      const exchange = await states.send(sent);
      if (exchange.queuedMs !== undefined) extend(exchange.queuedMs);
      const wait = patience.spend(exchange, tries);
      if (wait === undefined) return exchange;
      extend(wait);
      await pause(wait);
    }
  };
  return {
    async send(sent) {
      const exchange = await sendPatiently(sent);
      const status = exchange.response?.status ?? 0;
      if (status < 400 && status >= 200) return exchange;
      const trouble =
        status >= 400 && status < 500 && status !== 429 ? undefined : troubleIn(exchange, undefined);
      if (trouble)
        journal.meetTrouble(`the provider-states URL gave ${trouble.what}`, {
          isHopeless: exchange.heldBack === true,
        });
      return exchange;
    },
  };
}

/** Where the target has one clock for everybody, tests take turns at moving it. */
async function turnsAtClock(profile: Profile, testInfo: TestInfo): Promise<ClockTurns | undefined> {
  const folder = process.env[RUN_FOLDER_ENV];
  if (profile.clock !== 'target' || folder === undefined) return undefined;
  return ClockTurns.begin(folder, `${testInfo.testId}-${testInfo.retry}`);
}
