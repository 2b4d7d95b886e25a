import { expect, test, verifies } from '../../suite/index.ts';
import {
  ABOVE,
  BELOW,
  idOf,
  mustApprove,
  pending,
  readUntil,
  sightingOf,
  THRESHOLD,
} from '../support/actions.ts';
import { SourceAccount } from '../support/source-account.ts';

test(
  'after the approval the execution begins by itself, and the action carries its transaction',
  verifies('ACTION-APPROVE-BEGINS-EXECUTION'),
  async ({ given, need, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const { id } = await pending(agent);
    const decided = await mustApprove(agent, id);
    const seen = need.offered(
      decided.action.transaction
        ? decided
        : await readUntil(agent, id, ({ action }) => Boolean(action.transaction)),
      'this target shows no action after its approval',
    );
    // The text names no time for it.
    await check(
      'ACTION-APPROVE-BEGINS-EXECUTION',
      () => expect(seen.action.transaction ?? null).not.toBeNull(),
      { assumes: ['effectSeconds'] },
    );
  },
);

test(
  'after its approval a transfer-in begins by itself, too',
  verifies('ACTION-APPROVE-BEGINS-EXECUTION'),
  async ({ given, need, check }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const answer = await agent.transferIn({ amount: ABOVE }, 'a transfer-in that waits for approval');
    need(answer).available();
    // Which transfers a policy wants approved is said of the transfer-out alone.
    need.offered(
      sightingOf(answer, answer.body?.id)?.action.status === 'PENDING_APPROVAL',
      'it does not wait',
    );
    const id = idOf(agent, answer);
    const decided = await mustApprove(agent, id);
    const seen = need.offered(
      decided.action.transaction
        ? decided
        : await readUntil(agent, id, ({ action }) => Boolean(action.transaction)),
      'this target shows no action after its approval',
    );
    await check(
      'ACTION-APPROVE-BEGINS-EXECUTION',
      () => expect(seen.action.transaction ?? null).not.toBeNull(),
      { evidence: [seen.answer], assumes: ['effectSeconds'] },
    );
  },
);

test(
  'an approved action takes its amount once, also when it is approved again',
  verifies('ACTION-APPROVE-MONEY-ONCE'),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent({ approvalThreshold: THRESHOLD });
    const account = await SourceAccount.of(agent);
    const plain = await account.mustMove(BELOW);

    const { id } = await pending(agent, ABOVE);
    const before = await account.taken();
    await mustApprove(agent, id);
    need.that(
      (await account.untilTaken(plain + ABOVE)).amount >= plain + ABOVE,
      'the approved amount did not leave in time',
    );
    observe('approve-twice', await agent.approve(id, 'the platform approves the action again'));

    // Measured by what an executed transfer-out costs here, fees included, from before the approval on.
    const single = (plain / BELOW) * ABOVE;
    const forbidden = before.amount + single + ABOVE / 2;
    const after = await account.watch(forbidden);
    await check('ACTION-APPROVE-MONEY-ONCE', () => expect(after.amount).toBeLessThan(forbidden), [
      after.answer,
    ]);
  },
);
