import { expect, test } from '@playwright/test';
import { loadRules } from '../../../schemas/rules.ts';
import { MEASURED, digest, isWithin, rulesThatNeed } from '../../../target/states/measured.ts';
import { partsOf } from '../../../target/states/catalogue.ts';

test('the parts of a request name its params, and their values where they are few', () => {
  const params = {
    ...{ balance: 5, termsAccepted: false, ownership: 'PENDING', customerId: 'Customer:1' },
    ...{ credentials: ['EMAIL_OTP', 'SMS_OTP'], rails: [], purposes: ['PAYOUT', null] },
    ...{ limits: { velocity: 2 }, url: null },
  };
  expect(partsOf('customer', params).map((part) => part.replace('customer.', ''))).toEqual([
    ...['customer', 'balance', 'termsAccepted=false', 'ownership=PENDING', 'customerId'],
    ...['credentials=EMAIL_OTP+SMS_OTP', 'rails=none', 'purposes', 'limits.velocity', 'url'],
  ]);
});

const line = (parts: readonly string[], rules: readonly string[], calls: Record<string, number>) => ({
  parts,
  rules,
  calls,
  setups: parts.length,
  rounds: 3,
  busyMs: 20,
  spareable: 1,
  file: 'agents/x.spec.ts',
  left: { Customer: 2 },
});
const RUN = digest([
  line(['agent', 'clock'], ['A', 'B'], { x: 2, y: 1 }),
  line(['agent'], ['A'], { x: 1, other: 5 }),
  line(['agent'], ['A'], { x: 3 }),
  line(['customer'], ['A'], { x: 1, z: 1 }),
]);

test('a rule keeps its smallest needs; tests of like needs are added up', () => {
  expect(RUN.rules).toEqual({ A: [['agent'], ['customer']], B: [['agent', 'clock']] });
  // Those that all its tests called.
  expect(RUN.operations).toEqual({ A: ['x'], B: ['x', 'y'] });
  expect(RUN.tests.find(({ parts }) => parts.join() === 'agent')).toEqual({
    ...{ parts: ['agent'], tests: 2, setups: 2, calls: { other: 5, x: 4 }, rounds: 6 },
    // Its own rounds, and two requests for its state.
    longest: 5,
    ...{ busyMs: 40, spareable: 2 },
  });
});

test('a rule that can be reached in two ways needs neither state', () => {
  expect(isWithin('A', (part) => part === 'customer', RUN)).toBe(true);
  expect(isWithin('B', (part) => part === 'agent', RUN)).toBe(false);
  expect(isWithin('unknown', () => true, RUN)).toBe(false);
  expect(rulesThatNeed('agent', RUN)).toEqual(['B']);
  expect(rulesThatNeed('clock', RUN)).toEqual(['B']);
  expect(rulesThatNeed('customer', RUN)).toEqual([]);
});

test('the measured run knows every rule that can be shown, and no other; npm run states:measure brings it up to date', () => {
  const rules = loadRules();
  const known = new Set(rules.map(({ id }) => id));
  expect(Object.keys(MEASURED.rules).filter((id) => !known.has(id))).toEqual([]);
  const shown = rules.filter(({ excluded }) => excluded === undefined).map(({ id }) => id);
  expect(shown.filter((id) => MEASURED.rules[id] === undefined)).toEqual([]);
});
