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
  const { agent, deviceCode } = await recorder.call('createAgent', {
    name: 'payables',
    summary: 'An agent that pays bills, and asks above 1,000.00 USD.',
    body: { name: 'Payables assistant', customerId, policy },
  });
  await recorder.call('redeemDeviceCode', {
    name: 'redeemed',
    summary: 'The token that the agent calls with.',
    path: { code: codeOf(deviceCode) },
  });
  const path = { agentId: agent.id as string };
  await recorder.call('updateAgent', {
    name: 'pause',
    summary: 'Pause the agent.',
    path,
    body: { isPaused: true },
  });
  await recorder.call('updateAgentPolicy', {
    name: 'lowerThreshold',
    summary: 'Ask above 250.00 USD.',
    path,
    body: { approvalThresholds: { currency: 'USD', amount: 25_000 } },
  });
  await recorder.call('deleteAgent', { name: 'deleted', path });
}

function codeOf(deviceCode: unknown): string {
  return typeof deviceCode === 'string' ? deviceCode : String((deviceCode as Values)['code']);
}

async function transfer(recorder: Recorder, ready: Values): Promise<void> {
  const { accessToken: agent, sourceAccountId, destinationAccountId } = ready;
  await recorder.call('transferOut', {
    name: 'automatic',
    summary: 'The policy permits automatic execution.',
    agent,
    body: {
      source: { accountId: sourceAccountId },
      destination: { accountId: destinationAccountId, paymentRail: 'ACH' },
      amount: 12_500,
      remittanceInformation: 'Invoice 2025-104',
      purposeOfPayment: 'GOODS_OR_SERVICES',
    },
  });
  const action = await recorder.call('transferIn', {
    name: 'pull',
    summary: 'Pull 50.00 USD in from a bank account.',
    agent,
    body: {
      source: { accountId: destinationAccountId },
      destination: { accountId: sourceAccountId },
      amount: 5_000,
    },
  });
  const look = { name: 'found', summary: 'As the agent sees it.', agent };
  await recorder.call('getMyAction', { ...look, path: { actionId: action['id'] } });
  for (const list of [
    'listMyActions',
    'listMyInternalAccounts',
    'listMyExternalAccounts',
    'listMyTransactions',
  ])
    await recorder.call(list, look);
  await recorder.call('getMe', look);
}

async function decide(recorder: Recorder): Promise<void> {
  const { accessToken: agent, ...ready } = await recorder.state('agent', { approvalThreshold: 100_000 });
  const body = {
    source: { accountId: ready['sourceAccountId'] },
    destination: { accountId: ready['destinationAccountId'] },
    amount: 150_000,
  };
  const submit = (name?: string) =>
    recorder.call('transferOut', {
      ...(name === undefined
        ? {}
        : { name, summary: 'Above the approval threshold: the platform has to approve.' }),
      agent,
      body,
    });
  const first = await submit('forApproval');
  await recorder.call('listApprovals', { name: 'waiting', summary: 'What waits for the platform.' });
  const pathOf = (action: Values) => ({
    agentId: ready['agentId'] as string,
    actionId: action['id'] as string,
  });
  await recorder.call('approveAgentAction', {
    name: 'approved',
    summary: 'Execution has begun.',
    path: pathOf(first),
  });
  await recorder.call('rejectAgentAction', {
    name: 'rejected',
    summary: 'Nothing is executed.',
    path: pathOf(await submit()),
    body: { reason: 'The supplier is not known.' },
  });
  await approveTransaction(recorder, await submit());
}

/** The second way to approve that the interface states: by the id of the transaction that the action will have. */
async function approveTransaction(recorder: Recorder, action: Values): Promise<void> {
  const transactionId = (action['id'] as string).replace('AgentAction:', 'Transaction:');
  await recorder.call('approveTransaction', {
    name: 'approved',
    summary: 'Execution has begun.',
    path: { transactionId },
  });
}

async function quote(recorder: Recorder): Promise<void> {
  const { accessToken: agent, body } = await recorder.state('agent-quote');
  const made = await recorder.call('createAgentQuote', {
    name: 'lockedSending',
    summary: 'Send an exact amount of USD, receive EUR.',
    agent,
    body,
  });
  await recorder.call('executeAgentQuote', {
    name: 'executed',
    summary: 'The policy permits automatic execution.',
    agent,
    path: { quoteId: made['id'] },
  });
}
