import { expect, test, type Caller } from '../support/test.ts';

const key = () => ({ 'idempotency-key': crypto.randomUUID() });

test('a key stored after the work is not there for a twin', async ({ caller }) => {
  const faulty = caller.in('fault.key-checked-before-but-stored-after-the-work');
  const agent = await faulty.state('agent');
  const headers = key();
  const twins = await Promise.all([faulty.transfer(agent, {}, headers), faulty.transfer(agent, {}, headers)]);
  expect(twins[0].body.id).not.toBe(twins[1].body.id);
  const later = await faulty.transfer(agent, {}, headers);
  expect(twins.map(({ body }) => body.id as string)).toContain(later.body.id);
});

for (const [fault, actions, balance] of [
  ['replay-creates-second-action', 2, 999_900],
  ['replay-moves-money-again', 1, 999_800],
] as const) {
  test(`${fault} answers the same and does more`, async ({ caller }) => {
    const faulty = caller.in(`fault.${fault}`);
    const agent = await faulty.state('agent');
    const headers = key();
    const first = await faulty.transfer(agent, {}, headers);
    expect((await faulty.transfer(agent, {}, headers)).text).toBe(first.text);
    expect(await faulty.actionIds(agent)).toHaveLength(actions);
    expect(await faulty.balance(agent)).toBe(balance);
  });
}

test('a key forgotten after the decision submits anew, and not before', async ({ caller }) => {
  const faulty = caller.in('fault.key-forgotten-after-decision');
  const agent = await faulty.state('agent', { execution: 'APPROVAL_REQUIRED' });
  const headers = key();
  const first = await faulty.transfer(agent, {}, headers);
  expect((await faulty.transfer(agent, {}, headers)).text).toBe(first.text);
  await faulty.decide(agent, first.body.id as string, 'approve');
  expect((await faulty.transfer(agent, {}, headers)).body.id).not.toBe(first.body.id);
});

test('equal bodies are one request only under that fault', async ({ caller }) => {
  const faulty = caller.in('fault.equal-bodies-are-one-request');
  const agent = await faulty.state('agent');
  const [one, two] = [await faulty.transfer(agent, {}, key()), await faulty.transfer(agent, {}, key())];
  expect(one.text).toBe(two.text);
  expect((await faulty.transfer(agent, { amount: 7 }, key())).text).not.toBe(one.text);
});

for (const [fault, decision, balance] of [
  ['approving-twice-moves-money-twice', 'approve', 999_800],
  ['approval-moves-money-twice', 'approve', 999_800],
  ['rejected-action-executed', 'reject', 999_900],
] as const) {
  test(`${fault}: the balance shows it, the status does not`, async ({ caller }) => {
    const faulty = caller.in(`fault.${fault}`);
    const agent = await faulty.state('agent', { execution: 'APPROVAL_REQUIRED' });
    const { id } = (await faulty.transfer(agent)).body as { id: string };
    await faulty.decide(agent, id, decision);
    expect((await faulty.decide(agent, id, decision)).status).toBe(409);
    const read = await faulty.agent(agent, 'GET', `/agents/me/actions/${id}`);
    expect(read.body.status).toBe(decision === 'approve' ? 'APPROVED' : 'REJECTED');
    expect(await faulty.balance(agent)).toBe(balance);
  });
}

test('a pending transfer that debits at once debits no second time', async ({ caller }) => {
  const faulty = caller.in('fault.pending-transfer-debits-at-once');
  const agent = await faulty.state('agent', { execution: 'APPROVAL_REQUIRED' });
  const [one, two] = [await faulty.transfer(agent), await faulty.transfer(agent)];
  expect(await faulty.balance(agent)).toBe(999_800);
  await faulty.decide(agent, one.body.id as string, 'approve');
  await faulty.decide(agent, two.body.id as string, 'reject');
  expect(await faulty.balance(agent)).toBe(999_800);
});

for (const [fault, status] of [
  ['failed-execution-stays-approved', 'APPROVED'],
  ['failed-execution-becomes-rejected', 'REJECTED'],
  ['failed-execution-waits-again', 'PENDING_APPROVAL'],
] as const) {
  test(`${fault}: it is ${status}`, async ({ caller }) => {
    const faulty = caller.in(`fault.${fault}`);
    const agent = await faulty.state('execution-failure', { approvalThreshold: 50 });
    const { id } = (await faulty.transfer(agent, { amount: 51 })).body as { id: string };
    await faulty.decide(agent, id, 'approve');
    expect((await faulty.agent(agent, 'GET', `/agents/me/actions/${id}`)).body.status).toBe(status);
  });
}

for (const [fault, field] of [
  ['action-id-changes-on-approval', 'id'],
  ['details-change-on-approval', 'transferDetails'],
  ['created-at-changes-on-decision', 'createdAt'],
  ['read-shows-the-first-status', 'status'],
] as const) {
  test(`${fault}: ${field} is wrong after a decision and right before it`, async ({ caller }) => {
    const faulty = caller.in(`fault.${fault}`);
    const agent = await faulty.state('agent', { execution: 'APPROVAL_REQUIRED' });
    const first = (await faulty.transfer(agent)).body as Record<string, unknown>;
    const path = `/agents/me/actions/${first['id'] as string}`;
    expect((await faulty.agent(agent, 'GET', path)).body).toEqual(first);
    await faulty.decide(agent, first['id'] as string, 'approve');
    const after = (await faulty.agent(agent, 'GET', path)).body as Record<string, unknown>;
    if (field === 'status') expect(after[field]).toBe('PENDING_APPROVAL');
    else expect(after[field]).not.toEqual(first[field]);
  });
}

for (const [fault, authorization] of [
  ['agent-operation-without-token', undefined],
  ['any-token-accepted', 'Bearer nonsense'],
  ['agent-operation-takes-platform-credentials', `Basic ${btoa('sandbox:sandbox-secret')}`],
] as const) {
  test(`${fault}: the transfer is accepted`, async ({ caller }) => {
    const faulty = caller.in(`fault.${fault}`);
    const agent = await faulty.state('agent');
    await faulty.state('agent');
    const body = {
      source: { accountId: agent.sourceAccountId },
      destination: { accountId: agent.destinationAccountId },
      amount: 5,
    };
    const answer = await faulty.send('POST', '/agents/me/transfer-out', authorization, body);
    expect(answer.status, answer.text).toBe(201);
  });
}

type Body = Record<string, unknown>;
const keyOf = (value: string) => ({ 'idempotency-key': value });

/** Calls that were made at once need not arrive at once on a busy machine: another round will do. */
const ROUNDS = { timeout: 20_000 };

/** Makes the calls at once in the world of a fault and, for comparison, in one without. */
async function both(caller: Caller, fault: string, run: (at: Caller) => Promise<number>) {
  return { faulty: await run(caller.in(`fault.${fault}`)), sound: await run(caller.in('default')) };
}

test('under the races of transfer-outs more is spent than there is, or than may be', async ({ caller }) => {
  const accepted =
    (params: Body, amount: number) =>
    async (at: Caller): Promise<number> => {
      const agent = await at.state('agent', params);
      const answers = await Promise.all([1, 2, 3].map(() => at.transfer(agent, { amount })));
      return answers.filter(({ status }) => status === 201).length;
    };
  for (const [fault, params] of [
    ['funds-race', { balance: 100 }],
    ['daily-limit-race', { dailyLimit: 100 }],
  ] as const)
    await expect(async () => {
      const { faulty, sound } = await both(caller, fault, accepted(params, 60));
      expect(sound).toBe(1);
      expect(faulty).toBeGreaterThan(1);
    }).toPass(ROUNDS);
});

for (const [fault, status, slow, quick] of [
  ['approval-race', 'APPROVED', 'approve', 'reject'],
  ['rejection-race', 'REJECTED', 'reject', 'approve'],
] as const)
  test(`${fault}: both decisions are answered with success`, async ({ caller }) => {
    const run = async (at: Caller) => {
      const agent = await at.state('agent', { execution: 'APPROVAL_REQUIRED' });
      const { id } = (await at.transfer(agent)).body as { id: string };
      const answers = await Promise.all([at.decide(agent, id, slow), at.decide(agent, id, quick)]);
      const read = await at.agent(agent, 'GET', `/agents/me/actions/${id}`);
      return { taken: answers.filter((answer) => answer.status === 200).length, status: read.body.status };
    };
    await expect(async () =>
      expect(await run(caller.in(`fault.${fault}`))).toEqual({ taken: 2, status }),
    ).toPass(ROUNDS);
    expect((await run(caller.in('default'))).taken).toBe(1);
  });

test('a key is folded, cut and forgotten under its own fault alone', async ({ caller }) => {
  for (const [fault, one, other] of [
    ['keys-compared-without-case', 'order-a', 'order-A'],
    ['keys-cut-to-64-characters', `${'k'.repeat(64)}1`, `${'k'.repeat(64)}2`],
    ['keys-without-punctuation', 'order-12', 'order-1-2'],
  ] as const) {
    const actionsOf = async (at: Caller) => {
      const agent = await at.state('agent');
      for (const value of [one, other]) await at.transfer(agent, {}, keyOf(value));
      return (await at.actionIds(agent)).length;
    };
    expect(await both(caller, fault, actionsOf)).toEqual({ faulty: 1, sound: 2 });
  }
});

test('what broke after its commit is done again when it is sent again', async ({ caller }) => {
  const faulty = caller.in('fault.key-lost-on-500-after-the-commit');
  const agent = await faulty.state('agent');
  const headers = keyOf(crypto.randomUUID());
  expect((await faulty.transfer(agent, {}, headers)).status).toBe(500);
  const again = await faulty.transfer(agent, {}, headers);
  expect(again.status).toBe(201);
  expect((await faulty.transfer(agent, {}, headers)).text).toBe(again.text);
  expect(await faulty.actionIds(agent)).toHaveLength(2);
});
