import { randomUUID } from 'node:crypto';
import { expect, test } from '../../support/test.ts';

test('a replay is the first response to the letter, also after a decision', async ({ caller }) => {
  const agent = await caller.state('agent', { execution: 'APPROVAL_REQUIRED' });
  const headers = { 'idempotency-key': randomUUID() };
  const first = await caller.transfer(agent, {}, headers);
  await caller.decide(agent, first.body.id as string, 'approve');
  const again = await caller.transfer(agent, {}, headers);
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(await caller.actionIds(agent)).toEqual([first.body.id]);
});

test('many at once with one key are one action', async ({ caller }) => {
  const agent = await caller.state('agent');
  const headers = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all(Array.from({ length: 25 }, () => caller.transfer(agent, {}, headers)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await caller.actionIds(agent)).toHaveLength(1);
  expect(await caller.balance(agent)).toBe(999_900);
});

test('many at once with keys of their own are as many actions', async ({ caller }) => {
  const agent = await caller.state('agent');
  await Promise.all(
    Array.from({ length: 25 }, () => caller.transfer(agent, {}, { 'idempotency-key': randomUUID() })),
  );
  expect(new Set(await caller.actionIds(agent)).size).toBe(25);
  expect(await caller.balance(agent)).toBe(997_500);
});

test('a refusal is remembered too, and another body changes nothing', async ({ caller }) => {
  const agent = await caller.state('agent', { balance: 50 });
  const headers = { 'idempotency-key': 'k' };
  const refused = await caller.transfer(agent, {}, headers);
  expect(refused.status).toBe(400);
  expect((await caller.transfer(agent, { amount: 10 }, headers)).text).toBe(refused.text);
  expect(await caller.actionIds(agent)).toEqual([]);
});

test('a key of one agent means nothing for another', async ({ caller }) => {
  const headers = { 'idempotency-key': 'shared' };
  const one = await caller.state('agent');
  const other = await caller.state('agent');
  const first = await caller.transfer(one, {}, headers);
  const second = await caller.transfer(other, {}, headers);
  expect(second.body.agentId).toBe(other.agentId);
  expect(second.body.id).not.toBe(first.body.id);
});
