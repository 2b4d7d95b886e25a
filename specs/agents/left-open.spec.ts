import { randomUUID } from 'node:crypto';
import { movesClock, succeeded, test } from '../../suite/index.ts';
import { MAY_SEND, createAgent, addAgent } from '../support/agents.ts';
import { objectsIn } from '../support/actions.ts';

const DAY_SECONDS = 24 * 60 * 60;
const MANY_DAYS = 30;

test('which Idempotency-Keys are taken, and whether a refusal is replayed', async ({
  given,
  need,
  observe,
}) => {
  const agent = await given.agent();
  const idempotencyKey = randomUUID();
  const label = 'a transfer-out that is refused';
  const refused = await agent.transferOut({ source: undefined }, { idempotencyKey, label });
  need(refused).refused();
  const again = await agent.transferOut({}, { idempotencyKey, label: 'the same key with the cause gone' });
  observe('idempotency-replay-of-refusal', again, refused);
  await agent.needTransfer({}, { idempotencyKey: randomUUID() });
  for (const [what, key] of [
    ['empty', ''],
    ['one character', randomUUID().slice(0, 1)],
    ['255 characters', randomUUID().padEnd(255, 'k')],
    ['1000 characters', randomUUID().padEnd(1_000, 'k')],
    ['punctuation', `${randomUUID()} /:"<>`],
  ] as const) {
    const { outcome } = await agent.transferOut({}, { idempotencyKey: key, label: `a key: ${what}` });
    observe('idempotency-key-form', { [what]: outcome });
  }
});

test(
  'whether one key serves several operations, and for how long',
  movesClock({}),
  async ({ given, clock, observe }) => {
    const agent = await given.agent();
    const idempotencyKey = randomUUID();
    const first = await agent.needTransfer({}, { idempotencyKey });
    const headers = { 'idempotency-key': idempotencyKey };
    const other = await agent.transferIn({}, { label: 'a transfer-in with the same key', headers });
    const isFirst = objectsIn(other).some(({ id }) => id === first.body?.id);
    observe('idempotency-same-agent-other-operation', isFirst ? 'the first response' : other.outcome, other);
    await clock.advance(DAY_SECONDS, agent.state.customerId);
    const later = await agent.transferOut({}, { idempotencyKey, label: 'the same key a day later' });
    const isKnown = succeeded(later) && later.body?.id === first.body?.id;
    observe(
      'idempotency-key-lifetime',
      isKnown ? 'a day and more' : `less than a day (${later.outcome})`,
      later,
    );
  },
);

test(
  'what becomes of a pending action and a token in time',
  movesClock({}),
  async ({ given, need, clock, observe }) => {
    const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
    const pending = await agent.needTransfer();
    const id = need.offered(pending.body?.id, 'the action came without an id');
    await clock.advance(MANY_DAYS * DAY_SECONDS, agent.state.customerId);
    const read = await agent.readAction(id);
    observe('agent-token-lifetime', `after ${MANY_DAYS} days: ${read.outcome}`, read);
    const approved = await agent.approve(id, `an approval after ${MANY_DAYS} days`);
    observe('approval-expiry', `after ${MANY_DAYS} days: ${approved.outcome}`, approved);
  },
);

test('how approvals go astray, and whether transfers-in need one', async ({
  given,
  need,
  platform,
  observe,
}) => {
  const agent = await given.agent({ execution: 'APPROVAL_REQUIRED' });
  const other = await given.agent();
  const pending = await agent.needTransfer();
  const id = need.offered(pending.body?.id, 'the action came without an id');
  const nobody = 'AgentAction:00000000-0000-4000-8000-000000000000';
  observe('approve-unknown-action', await agent.approve(nobody, 'the platform approves an unknown action'));
  observe('approve-other-agents-action', await other.approve(id, "an approval below another agent's path"));
  const transactionId =
    (pending.body as { transaction?: { id?: string } }).transaction?.id ?? `Transaction:${randomUUID()}`;
  observe(
    'second-approve-path',
    await platform.call('approveTransaction', { label: 'the second approval path', path: { transactionId } }),
  );
  const pulled = await agent.transferIn();
  const statuses = objectsIn(pulled).map(({ status }) => status);
  const status = statuses.find((one) => typeof one === 'string') ?? pulled.outcome;
  observe('agent-quote-approval', { 'transfer-in': status }, pulled);
});

test('how agents are created, and what siblings see', async ({ given, need, observe }) => {
  const agent = await given.agent();
  const sent = await agent.needTransfer();
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
