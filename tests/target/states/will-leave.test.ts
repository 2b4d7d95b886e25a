import { expect, test } from '@playwright/test';
import { willLeave } from '../../../target/states/will-leave.ts';

const RUN = {
  left: {
    'agents/a.spec.ts': {
      tests: 4,
      standard: { Customer: 8, ExternalAccount: 1 },
      quick: { Customer: 6 },
      states: { Agent: 2 },
    },
    'quotes/q.spec.ts': { tests: 1, standard: { Customer: 1 }, quick: { Customer: 1 }, states: {} },
  },
};
const BY_CALLS = { preparation: 'public-calls', cleanUp: {} } as const;
const ALL = { 'agents/a.spec.ts': 4, 'quotes/q.spec.ts': 1 };

test('what public calls leave is told, with each way to leave less', () => {
  expect(willLeave(ALL, BY_CALLS, false, RUN)).toEqual([
    'It will leave about 9 customers, 1 external account on the target.',
    'To leave less: DEPTH=quick leaves 7 customers; one area such as specs/agents 8 customers.',
  ]);
  expect(willLeave({ 'agents/a.spec.ts': 2 }, BY_CALLS, true, RUN)[0]).toBe(
    'It will leave about 3 customers on the target.',
  );
});

test('served states leave what the tests make, public calls behind them at most the rest', () => {
  expect(willLeave(ALL, { preparation: 'provider-states', cleanUp: {} }, false, RUN)[0]).toBe(
    'It will leave at most 9 customers, 1 external account, and where all states are served 2 agents on the target.',
  );
  expect(willLeave(ALL, { preparation: 'fixtures', cleanUp: {} }, false, RUN)).toEqual([
    'It will leave about 2 agents on the target.',
    'To leave less: one area such as specs/agents 0 customers; cleanUp of the profile removes agents.',
  ]);
});

test('what is cleaned up is not counted, and where nothing is left nothing is said', () => {
  const cleans = { preparation: 'fixtures', cleanUp: { Agent: 'DELETE /agents/{id}' } } as const;
  expect(willLeave(ALL, cleans, false, RUN)).toEqual([]);
});
