import { expect, test } from '@playwright/test';
import { costOf } from '../../doctor/cost.ts';
import { planFor } from '../../doctor/plan.ts';
import { loadRules } from '../../schemas/rules.ts';
import type { MeasuredRun } from '../../target/states/measured.ts';
import { profileOf } from './profile-of.ts';

const [A, B, C, D] = loadRules()
  .filter(({ excluded }) => excluded === undefined)
  .map(({ id }) => id) as [string, string, string, string];
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
    { parts: [], tests: 2, setups: 0, calls: { getEndUserTerms: 4 }, longest: 2 },
    {
      parts: ['agent'],
      tests: 10,
      setups: 10,
      calls: { transferOut: 80, challengeCredential: 10 },
      longest: 20,
    },
  ],
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

test('the cost counts the tests that run, and their setups', () => {
  const cost = (latency: number, workers: number, pace?: number) =>
    costOf(
      planFor(profile, () => true, new Set(), RUN),
      pace === undefined ? profile : { ...profile, manners: { pace } },
      workers,
      latency,
    );
  expect(cost(5, 2)).toMatchObject({ requests: 114, customers: 10, challenges: 10, messages: 10 });
  expect(cost(500, 2).minutes).toBeGreaterThan(cost(5, 2).minutes);
  // The longest chain bounds what workers can do.
  expect(cost(500, 100).minutes).toBe(cost(500, 1_000).minutes);
  expect(cost(5, 2, 1).minutes).toBeCloseTo(8 / 60 + 114 / 60, 5);
});
