import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { areas } from '../../../sandbox/areas/index.ts';
import { STATE_NAMES } from '../../../target/states/catalogue.ts';
import { FixturesFile } from '../../../target/providers/fixtures-file.ts';
import { scratch } from '../../support/run-assay.ts';

function file(text: string): FixturesFile {
  const path = join(scratch('fixtures'), 'fixtures.yaml');
  writeFileSync(path, text);
  return new FixturesFile(path);
}

const STATES = `states:
  agent:
    - values: { agentId: plain }
    - params: { approvalThreshold: 10, currency: USD }
      values: { agentId: limited }`;

test('a state fits when its params are exactly those that are asked for, in any order', async () => {
  expect(await file(STATES).setUp('agent', {})).toEqual({ agentId: 'plain' });
  expect(await file(STATES).setUp('agent', { currency: 'USD', approvalThreshold: 10 })).toEqual({
    agentId: 'limited',
  });
});

test('of several rows that fit each test takes the next one', async () => {
  const three = ['a', 'b', 'c'].map((id) => `    - values: { accountId: ${id} }`).join('\n');
  const taken = [];
  for (let count = 0; count < 6; count += 1)
    taken.push((await file(`states:\n  wallet-account:\n${three}`).setUp('wallet-account', {}))['accountId']);
  expect(new Set(taken.slice(0, 3))).toEqual(new Set(['a', 'b', 'c']));
  expect(taken.slice(3)).toEqual(taken.slice(0, 3));
});

test('anything else cannot be prepared, and the reason names it', async () => {
  await expect(file(STATES).setUp('agent', { approvalThreshold: 11 })).rejects.toThrow(
    'has no state "agent" with params {"approvalThreshold":11}',
  );
  await expect(file(STATES).setUp('clock', {})).rejects.toThrow('has no state "clock" with params {}');
});

test('params that nearly match are suggested', async () => {
  await expect(file(STATES).setUp('agent', { currency: 'USD', approvalThreshold: 100 })).rejects.toThrow(
    /; did you mean \{"approvalThreshold":10,"currency":"USD"\} to be it\?$/,
  );
});

test('a mistyped state is refused at once', () => {
  expect(() => file('states: { agnet: [{ values: {} }] }')).toThrow(
    /has an unknown state agnet; did you mean agent\?$/,
  );
});

test('what nobody would read or ask for is refused with its line', () => {
  const row = (text: string) => () => file(`states:\n  agent:\n    - ${text}`);
  expect(row('{ values: {}, spendabel: true }')).toThrow(
    /, line 3, has an unknown key spendabel; did you mean spendable\?$/,
  );
  expect(row('{ values: {}, params: { approvalTreshold: 5 } }')).toThrow(
    /, line 3, has an unknown param approvalTreshold of agent; did you mean approvalThreshold\?$/,
  );
});

test('the known states are those that the sandbox serves', () => {
  const served = areas.flatMap((area) => area.states).map(({ name }) => name);
  expect([...STATE_NAMES].sort()).toEqual(served.sort());
});

test('nothing of a row is spent or changed beyond what it allows', async () => {
  const fixtures = file(`states:
  agent:
    - values: { agentId: kept }
    - { params: { balance: 1 }, values: { agentId: rich }, spendable: true }`);
  expect(fixtures.forbids('transferOut')).toBeUndefined();
  await fixtures.setUp('agent', { balance: 1 });
  expect(fixtures.forbids('transferOut')).toBeUndefined();
  expect(fixtures.forbids('deleteAgent')).toBe(
    'the check calls deleteAgent, which changes its records, and the fixtures file\'s row of "agent" does not say changeable: true',
  );
  await fixtures.setUp('agent', {});
  expect(fixtures.forbids('transferOut')).toMatch(/does not say spendable: true$/);
  expect(fixtures.forbids('getMyAction')).toBeUndefined();
});
