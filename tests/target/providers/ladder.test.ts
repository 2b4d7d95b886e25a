import { expect, test } from '@playwright/test';
import { Ladder, isShared, preparedBy, type Refusals } from '../../../target/providers/ladder.ts';
import {
  CannotPrepare,
  PreparationFailed,
  type StateProvider,
  type StateValues,
} from '../../../target/providers/state-provider.ts';

/** A provider that has these states, and what it was asked for. */
function having(
  name: string,
  states: Readonly<Record<string, StateValues | Error>>,
): StateProvider & { readonly asked: string[]; readonly removed: string[] } {
  const asked: string[] = [];
  const removed: string[] = [];
  return {
    name,
    asked,
    removed,
    setUp: (state) => {
      asked.push(state);
      const found = states[state] ?? new CannotPrepare(`${name} has no ${state}`, 404);
      return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
    },
    forbids: (operation) => (name === 'fixtures' ? `not ${operation}` : undefined),
    tearDown: (state) => Promise.resolve(void removed.push(state)),
  };
}

/** A URL that serves one state, public calls, a file. */
function three(refusals?: Refusals) {
  const url = having('provider-states', { 'sca-customer': { customerId: 'served' } });
  const calls = having('public-calls', { agent: { agentId: 'made' } });
  const file = having('fixtures', { agent: { agentId: 'kept' }, terms: { version: 'kept' } });
  return { url, calls, file, ladder: new Ladder([url, calls, file], refusals) };
}

test('each state comes from the first who has it, and goes back to him', async () => {
  const { ladder, url, calls, file } = three();
  for (const [state, name] of [
    ['sca-customer', 'provider-states'],
    ['agent', 'public-calls'],
    ['terms', 'fixtures'],
  ] as const) {
    const values = await ladder.setUp(state, {});
    expect(preparedBy(values)).toBe(name);
    expect(isShared(values)).toBe(name === 'fixtures');
    await ladder.tearDown(state, values);
  }
  expect([url.removed, calls.removed, file.removed]).toEqual([['sca-customer'], ['agent'], ['terms']]);
  expect(ladder.forbids('deleteAgent')).toBe('not deleteAgent');
});

test('what nobody has is refused with the reasons of all, and with what would mend it', async () => {
  const refused = new CannotPrepare('the target refused it', 400, 'let `createAgent` take it');
  const ladder = new Ladder([having('provider-states', {}), having('public-calls', { agent: refused })]);
  await expect(ladder.setUp('agent', {})).rejects.toMatchObject({
    name: 'CannotPrepare',
    message: 'provider-states has no agent; the target refused it',
    mend: 'let `createAgent` take it',
  });
});

test('a failure is no refusal: nobody else is asked', async () => {
  const url = having('provider-states', { agent: new PreparationFailed('it broke') });
  const calls = having('public-calls', { agent: {} });
  await expect(new Ladder([url, calls]).setUp('agent', {})).rejects.toThrow(PreparationFailed);
  expect(calls.asked).toEqual([]);
});

test('a state that a URL does not serve is asked for once', async () => {
  const refusals: Refusals = new Map();
  const first = three(refusals);
  await first.ladder.setUp('agent', {});
  const second = three(refusals);
  await second.ladder.setUp('agent', { balance: 1 });
  await second.ladder.setUp('sca-customer', {});
  expect(first.url.asked).toEqual(['agent']);
  expect(second.url.asked).toEqual(['sca-customer']);
});

test('what public calls have made serves no other test where a URL has prepared something too', async () => {
  const handed: StateValues[] = [];
  const { url, calls } = three();
  const ladder = new Ladder([url, { ...calls, handOn: (values) => void handed.push(values) }]);
  const values = await ladder.setUp('agent', {});
  ladder.handOn(values);
  await ladder.setUp('sca-customer', {});
  ladder.handOn(values);
  expect(handed).toEqual([values]);
});

/** Who refuses a state with which status, and how often he is asked for it in three tests, two of them with like params. */
for (const [what, name, status, times] of [
  ['params that a URL does not take', 'provider-states', 422, 3],
  ['what public calls never make', 'public-calls', undefined, 2],
  ['a route that is not there', 'public-calls', 404, 2],
  ['a body that was refused', 'public-calls', 400, 3],
] as const)
  test(`${what}: asked for ${times} times`, async () => {
    const provider = having(name, { agent: new CannotPrepare('no', status) });
    const ladder = new Ladder([provider]);
    for (const balance of [1, 1, 2]) await ladder.setUp('agent', { balance }).catch(() => undefined);
    expect(provider.asked).toHaveLength(times);
  });
