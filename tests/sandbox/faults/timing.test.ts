import { type Caller, expect, test } from '../support/test.ts';

type Body = Record<string, unknown>;
const key = (value: string) => ({ 'idempotency-key': value });

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
      for (const value of [one, other]) await at.transfer(agent, {}, key(value));
      return (await at.actionIds(agent)).length;
    };
    expect(await both(caller, fault, actionsOf)).toEqual({ faulty: 1, sound: 2 });
  }
});

test('what broke after its commit is done again when it is sent again', async ({ caller }) => {
  const faulty = caller.in('fault.key-lost-on-500-after-the-commit');
  const agent = await faulty.state('agent');
  const headers = key(crypto.randomUUID());
  expect((await faulty.transfer(agent, {}, headers)).status).toBe(500);
  const again = await faulty.transfer(agent, {}, headers);
  expect(again.status).toBe(201);
  expect((await faulty.transfer(agent, {}, headers)).text).toBe(again.text);
  expect(await faulty.actionIds(agent)).toHaveLength(2);
});
