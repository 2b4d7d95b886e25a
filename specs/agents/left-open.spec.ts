import { randomUUID } from 'node:crypto';
import { movesClock, test } from '../../suite/index.ts';
import { MAY_SEND, createAgent, addAgent } from '../support/agents.ts';
import { objectsIn } from '../support/actions.ts';

const DAY_SECONDS = 24 * 60 * 60;
const MANY_DAYS = 30;

test('whether a refusal is replayed for its Idempotency-Key', async ({ given, need, observe }) => {
  const agent = await given.agent();
  const idempotencyKey = randomUUID();
  const refused = await agent.transferOut(
    { source: undefined },
    { idempotencyKey, label: 'a transfer-out that is refused' },
  );
  need(refused).refused();
  const again = await agent.transferOut({}, { idempotencyKey, label: 'the same key with the cause gone' });
  observe('idempotency-replay-of-refusal', again, refused);
});

test('which Idempotency-Keys are taken', async ({ given, observe }) => {
  const agent = await given.agent();
  await agent.mustTransfer({}, { idempotencyKey: randomUUID() });
  for (const [what, key] of Object.entries({
    empty: '',
    'one character': randomUUID().slice(0, 1),
    '255 characters': randomUUID().padEnd(255, 'k'),
    '1000 characters': randomUUID().padEnd(1_000, 'k'),
    punctuation: `${randomUUID()} /:"<>`,
  }))
    observe('idempotency-key-form', {
      [what]: (await agent.transferOut({}, { idempotencyKey: key, label: `a key: ${what}` })).outcome,
    });
});

test(
  'whether one key serves several operations, and for how long',
  movesClock({}),
  async ({ given, clock, observe }) => {
    const agent = await given.agent();
    const idempotencyKey = randomUUID();
    const first = await agent.mustTransfer({}, { idempotencyKey });
    const other = await agent.transferIn(
      {},
      { label: 'a transfer-in with the same key', headers: { 'idempotency-key': idempotencyKey } },
    );
    const shown = objectsIn(other).some((one) => one['id'] === first.body?.id)
      ? 'the first response'
      : other.outcome;
    observe('idempotency-same-agent-other-operation', shown, other);
    await clock.advance(DAY_SECONDS, agent.state.customerId);
    const later = await agent.transferOut({}, { idempotencyKey, label: 'the same key a day later' });
    observe(
      'idempotency-key-lifetime',
      later.exchange.response && later.accepted && later.body?.id === first.body?.id
        ? 'a day and more'
        : `less than a day (${later.outcome})`,
      later,
    );
  },
);

test(
  'what becomes of a pending action and a token in time',
  movesClock({}),
  async ({ given, need, clock, observe }) => {
    const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
    const pending = await agent.mustTransfer();
    const id = need.offered(pending.body?.id, 'the action came without an id');
    await clock.advance(MANY_DAYS * DAY_SECONDS, agent.state.customerId);
    const read = await agent.readAction(id);
    observe('agent-token-lifetime', `after ${MANY_DAYS} days: ${read.outcome}`, read);
    const approved = await agent.approve(id, `an approval after ${MANY_DAYS} days`);
    observe('approval-expiry', `after ${MANY_DAYS} days: ${approved.outcome}`, approved);
  },
);

test('how approvals go astray', async ({ given, need, platform, observe }) => {
  const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
  const other = await given.agent();
  const pending = await agent.mustTransfer();
  const id = need.offered(pending.body?.id, 'the action came without an id');
  observe('approve-other-agents-action', await other.approve(id, "an approval below another agent's path"));
  const transactionId =
    (pending.body as { transaction?: { id?: string } }).transaction?.id ?? `Transaction:${randomUUID()}`;
  observe(
    'second-approve-path',
    await platform.call('approveTransaction', { label: 'the second approval path', path: { transactionId } }),
  );
});

test('how agents are created, and what siblings see', async ({ given, need, observe }) => {
  const agent = await given.agent();
  const sent = await agent.mustTransfer();
  const created = await createAgent(agent, MAY_SEND, 'the platform creates an agent');
  observe(
    'agent-creation',
    {
      status: created.outcome,
      shown: Object.keys((created.exchange.response && (created.body as object | undefined)) || {}),
    },
    created,
  );
  const sibling = await addAgent(agent, MAY_SEND);
  observe('device-code-redeem-operation', sibling.redeemed);
  const seen = await agent.readAction(need.offered(sent.body?.id, 'the action came without an id'), {
    authorization: sibling.authorization,
    label: "a sibling reads the agent's action",
  });
  observe('agent-reads-of-sibling', seen);
});

test('whether transfers-in need approval under the same policy', async ({ given, observe }) => {
  const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
  await agent.mustTransfer();
  const answer = await agent.transferIn();
  observe(
    'agent-quote-approval',
    {
      'transfer-in':
        objectsIn(answer)
          .map((one) => one['status'])
          .find((status) => typeof status === 'string') ?? answer.outcome,
    },
    answer,
  );
});
