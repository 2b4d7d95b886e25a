import fc from 'fast-check';
import { answerThenEnd } from '../../../../sandbox/areas/transfers/operations.ts';
import { createWorld, type World } from '../../../../sandbox/world/world.ts';
import { rulesWith } from '../../../../sandbox/areas/replacement.ts';
import { Refusal } from '../../../../sandbox/server/refusal.ts';
import { actions } from '../../../../sandbox/areas/transfers/records.ts';
import { agents, type Agent } from '../../../../sandbox/areas/agents/records.ts';
import { executionFailureState } from '../../../../sandbox/areas/transfers/states.ts';
import { agentState } from '../../../../sandbox/areas/agents/states.ts';
import { variantFor } from '../../../../sandbox/variants/index.ts';
import { expect, test } from '../../support/test.ts';

const step = fc.oneof(
  fc.record({
    do: fc.constant('transfer' as const),
    who: fc.nat(2),
    amount: fc.bigInt({ min: 1n, max: 700n }),
  }),
  fc.record({ do: fc.constantFrom('approve' as const, 'reject' as const), which: fc.nat(30) }),
);

const config = { clientId: 'c', clientSecret: 's', brand: 'Service', latency: 0, bodyLimit: 1000 };

for (const seed of ['default', '1', '2', '3']) {
  test(`money is neither made nor lost, and moves once for each executed action (${seed})`, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const taken =
          seed === 'default' ? [] : variantFor(seed).filter(({ choice }) => !choice.startsWith('execution-'));
        const world = createWorld('test', rulesWith(taken.map(({ replace }) => replace)), config);
        const prepared = [
          agentState.setup(world, { balance: 2000, approvalThreshold: 300 }),
          agentState.setup(world, { balance: 5000, execution: 'APPROVAL_REQUIRED' }),
          executionFailureState.setup(world, { balance: 2000, approvalThreshold: 500 }),
        ] as Record<string, string>[];
        for (const one of steps) {
          if (one.do === 'transfer') transfer(world, prepared[one.who]!, one.amount);
          else decide(world, one.do, one.which);
          expect(world.ledger.total('USD')).toBe(0n);
        }
        for (const [index, balance] of [2000n, 5000n, 2000n].entries()) {
          expect(world.ledger.balance(prepared[index]!['sourceAccountId']!, 'USD')).toBe(
            balance - executed(world, prepared[index]!),
          );
        }
      }),
    );
  });
}

function transfer(world: World, values: Record<string, string>, amount: bigint): void {
  const agent = agents.get(world, values['agentId']!) as Agent;
  const body = {
    source: { accountId: values['sourceAccountId'] },
    destination: { accountId: values['destinationAccountId'] },
    amount,
  };
  unlessRefusal(() =>
    answerThenEnd(world, world.rules.submitTransferOut(agent, body), world.rules.presentTransferOut),
  );
}

function decide(world: World, decision: 'approve' | 'reject', which: number): void {
  const all = actions.all(world);
  const action = all[which % Math.max(all.length, 1)];
  if (!action) return;
  unlessRefusal(() => {
    const objection = decision === 'approve' ? world.rules.mayApprove(action) : world.rules.mayReject(action);
    if (objection) throw objection;
    return decision === 'approve'
      ? world.rules.approveAction(action)
      : world.rules.rejectAction(action, undefined);
  });
}

function executed(world: World, values: Record<string, string>): bigint {
  return actions
    .all(world)
    .filter(({ agentId, status }) => agentId === values['agentId'] && status === 'APPROVED')
    .reduce((sum, { transfer: moved }) => sum + moved!.amount, 0n);
}

function unlessRefusal(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}
