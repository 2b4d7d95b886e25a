import type { Recorder, Values } from './record.ts';

/** Agents and what they do: management, transfers, approvals, quotes. */
export async function recordAgents(recorder: Recorder): Promise<void> {
  const ready = await recorder.state('agent', { rails: ['ACH', 'WIRE'] });
  await manage(recorder, ready);
  await transfer(recorder, ready);
  await decide(recorder);
  await quote(recorder);
}

async function manage(recorder: Recorder, { customerId }: Values): Promise<void> {
  const policy = {
    permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'],
    defaultExecutionMode: 'AUTO',
    spendingLimits: { currency: 'USD', perTransactionLimit: 500_000, dailyLimit: 2_000_000 },
    approvalThresholds: { currency: 'USD', amount: 100_000 },
  };
  const { agent, deviceCode } = await recorder.call(
    'createAgent',
    'payables: An agent that pays bills, and asks above 1,000.00 USD.',
    {},
    { name: 'Payables assistant', customerId, policy },
  );
  const code = typeof deviceCode === 'string' ? deviceCode : String((deviceCode as Values)['code']);
  await recorder.call('redeemDeviceCode', 'redeemed: The token that the agent calls with.', { code });
  const of = { agentId: agent.id as string };
  await recorder.call('updateAgent', 'pause: Pause the agent.', of, { isPaused: true });
  const lower = { approvalThresholds: { currency: 'USD', amount: 25_000 } };
  await recorder.call('updateAgentPolicy', 'lowerThreshold: Ask above 250.00 USD.', of, lower);
  await recorder.call('deleteAgent', 'deleted', of);
}

async function transfer(recorder: Recorder, ready: Values): Promise<void> {
  const { accessToken: agent, sourceAccountId, destinationAccountId } = ready;
  const out = {
    source: { accountId: sourceAccountId },
    destination: { accountId: destinationAccountId, paymentRail: 'ACH' },
    amount: 12_500,
    remittanceInformation: 'Invoice 2025-104',
    purposeOfPayment: 'GOODS_OR_SERVICES',
  };
  const automatic = 'automatic: The policy permits automatic execution.';
  await recorder.call('transferOut', automatic, {}, out, { agent });
  const pull = {
    source: { accountId: destinationAccountId },
    destination: { accountId: sourceAccountId },
    amount: 5_000,
  };
  const pulled = 'pull: Pull 50.00 USD in from a bank account.';
  const { id } = await recorder.call('transferIn', pulled, {}, pull, { agent });
  const look = (operation: string, given = {}) =>
    recorder.call(operation, 'found: As the agent sees it.', given, undefined, { agent });
  await look('getMyAction', { actionId: id });
  await look('listMyActions');
  await look('listMyInternalAccounts');
  await look('listMyExternalAccounts');
  await look('listMyTransactions');
  await look('getMe');
}

async function decide(recorder: Recorder): Promise<void> {
  const { accessToken: agent, ...ready } = await recorder.state('agent', { approvalThreshold: 100_000 });
  const body = {
    source: { accountId: ready['sourceAccountId'] },
    destination: { accountId: ready['destinationAccountId'] },
    amount: 150_000,
  };
  const submit = (example = '') => recorder.call('transferOut', example, {}, body, { agent });
  const first = await submit('forApproval: Above the approval threshold: the platform has to approve.');
  await recorder.call('listApprovals', 'waiting: What waits for the platform.');
  const of = ({ id }: Values) => ({ agentId: ready['agentId'] as string, actionId: id as string });
  await recorder.call('approveAgentAction', 'approved: Execution has begun.', of(first));
  const reason = { reason: 'The supplier is not known.' };
  await recorder.call('rejectAgentAction', 'rejected: Nothing is executed.', of(await submit()), reason);
  // The second way to approve that the interface states: by the id of the transaction that the action will have.
  const transactionId = ((await submit())['id'] as string).replace('AgentAction:', 'Transaction:');
  await recorder.call('approveTransaction', 'approved: Execution has begun.', { transactionId });
}

async function quote(recorder: Recorder): Promise<void> {
  const { accessToken: agent, body } = await recorder.state('agent-quote');
  const locked = 'lockedSending: Send an exact amount of USD, receive EUR.';
  const { id } = await recorder.call('createAgentQuote', locked, {}, body, { agent });
  const executed = 'executed: The policy permits automatic execution.';
  await recorder.call('executeAgentQuote', executed, { quoteId: id }, undefined, { agent });
}
