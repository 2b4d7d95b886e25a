import { expect, test } from '@playwright/test';
import { costOf, type Circumstances } from '../../doctor/cost.ts';
import { planFor, seemLeftOut } from '../../doctor/plan.ts';
import { loadRules } from '../../schemas/rules.ts';
import { MEASURED, type MeasuredRun } from '../../target/states/measured.ts';
import type { Profile } from '../../target/profile.ts';
import { profileOf } from './profile-of.ts';

const [A, B, C, D] = loadRules()
  .filter(({ excluded }) => excluded === undefined)
  .map(({ id }) => id) as [string, string, string, string];
const cheap = { rounds: 4, busyMs: 100, spareable: 0 };
const RUN: MeasuredRun = {
  rules: {
    [A]: [[]],
    [B]: [
      ['agent', 'agent.approvalThreshold'],
      ['clock', 'customer'],
    ],
    [C]: [['agent']],
  },
  operations: { [A]: [], [B]: ['transferOut'], [C]: ['deleteAgent'] },
  tests: [
    { parts: [], tests: 2, setups: 0, calls: { getEndUserTerms: 4 }, ...cheap, longest: 2 },
    {
      parts: ['agent'],
      tests: 10,
      setups: 10,
      calls: { transferOut: 80, challengeCredential: 10 },
      rounds: 60,
      longest: 20,
      busyMs: 1_000,
      spareable: 6,
    },
  ],
  workMs: MEASURED.workMs,
  left: {},
};
const profile = profileOf('http://localhost/2025-10-13', 'provider-states');
const ordersOf = (serves: (part: string) => boolean, absent: readonly string[] = []) =>
  Object.fromEntries(
    planFor(profile, serves, new Set(absent), RUN).additions.flatMap(({ order, rules }) =>
      rules.map((rule) => [rule, order]),
    ),
  );

test('each rule is named under the least that would add it', () => {
  expect(ordersOf(() => true)).toEqual({});
  expect(ordersOf((part) => part === 'agent')).toEqual({
    [B]: 'serve the state agent with approvalThreshold',
  });
  expect(ordersOf((part) => part === 'customer')).toEqual({
    [B]: 'serve the state clock',
    [C]: 'serve the state agent',
  });
  expect(ordersOf(() => true, ['deleteAgent'])).toEqual({ [C]: 'offer the operation deleteAgent' });
});

test('rules that no measured test has verified are beyond what anybody can add', () => {
  const plan = planFor(profile, () => true, new Set(), RUN);
  expect(plan.verified).toEqual([A, B, C]);
  expect(plan.beyond).toContain(D);
});

test('tests of which nothing is expected cost nothing: their rules are not declared, or an operation is not there', () => {
  const tests = (absent: readonly string[]) => planFor(profile, () => true, new Set(absent), RUN).tests;
  expect(tests([])).toHaveLength(2);
  expect(tests(['deleteAgent', 'transferOut'])).toMatchObject([{ parts: [] }]);
  expect(tests(['challengeCredential'])[1]).toMatchObject({ calls: { transferOut: 80 }, spareable: 0 });
});

test('what seems not to be offered is named as the profile would', () => {
  const wallets = ['createCredential', 'verifyCredential', 'challengeCredential', 'listCredentials'];
  const quotes = ['createQuote', 'getQuote', 'executeQuote', 'authorizeQuote'];
  expect(seemLeftOut(profile, new Set())).toEqual([]);
  const leftOut = seemLeftOut(profile, new Set([...wallets, ...quotes]));
  for (const capability of ['credentials', 'passkey', 'quotes']) expect(leftOut).toContain(capability);
  for (const capability of ['agents', 'cards', 'sandbox', 'clock']) expect(leftOut).not.toContain(capability);
  const { capabilities } = profile;
  const told = { ...profile, capabilities: capabilities.filter((name) => name !== 'quotes') };
  expect(seemLeftOut(told, new Set(quotes))).not.toContain('quotes');
});

const AT_ONCE: Circumstances = {
  workers: 2,
  latencyMs: 0,
  statesMs: 0,
  atUrl: () => true,
  speed: { wallMs: MEASURED.workMs, cpuMs: MEASURED.workMs },
};
const cost = (circumstances: Partial<Circumstances>, more: Partial<Profile> = {}) =>
  costOf(
    planFor(profile, () => true, new Set(), RUN),
    { ...profile, ...more },
    { ...AT_ONCE, ...circumstances },
  );
const secondsOf = (...of: Parameters<typeof cost>) => cost(...of).minutes * 60;

test('the cost counts the tests that run, and their setups', () => {
  expect(cost({})).toMatchObject({ requests: 114, customers: 10, challenges: 10, messages: 10 });
  expect(cost({}, { sparing: true })).toMatchObject({ requests: 114, challenges: 4, messages: 4 });
  // Public calls take more of them for what the URL does not serve.
  expect(cost({ atUrl: (part) => part !== 'agent' }).requests).toBeGreaterThan(114);
});

test('the time is that of the answers, shared by the workers, and at least that of the longest test', () => {
  const latencyMs = 10_000;
  // 64 rounds, one after the other in each worker.
  expect(secondsOf({ latencyMs }) - secondsOf({})).toBeCloseTo(320, -1);
  expect(secondsOf({ latencyMs, statesMs: 10_000 }) - secondsOf({ latencyMs })).toBeCloseTo(100, -1);
  // Its 20 requests, whoever else is at work.
  const crowded = secondsOf({ latencyMs: 2 * latencyMs, workers: 6 }) - secondsOf({ workers: 6 });
  expect(crowded).toBeGreaterThan(350);
  expect(crowded).toBeLessThan(401);
});

test('a slower machine, one that others use too, and a pace take longer', () => {
  const { workMs } = MEASURED;
  const usual = secondsOf({});
  expect(secondsOf({ speed: { wallMs: 3 * workMs, cpuMs: 3 * workMs } })).toBeCloseTo(3 * usual, 0);
  expect(secondsOf({ speed: { wallMs: 3 * workMs, cpuMs: workMs } })).toBeGreaterThan(2 * usual);
  expect(secondsOf({}, { manners: { pace: 1 } })).toBeCloseTo(8 + 114, 0);
});
