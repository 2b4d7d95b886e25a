import type { AgentParams } from '../../states/agent-state.ts';
import type { StateParams, StateValues } from '../state-provider.ts';
import { PreparationFailed } from '../state-provider.ts';
import type { Json, Steps } from './steps.ts';

const ALL_PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
];
/** Enough for every check, in the smallest unit. */
const AMPLE = 1_000_000;

/** State `agent`: customer, funded account, external account, agent with policy, redeemed device code. */
export async function agent(steps: Steps, params: StateParams): Promise<StateValues> {
  const wanted = params as AgentParams;
  const currency = wanted.currency ?? steps.profile.currency;
  const balance = wanted.balance ?? AMPLE;
  const { customerId, platformCustomerId } = await steps.customer();
  const sourceAccountId = await steps.internalAccount(customerId, currency);
  if (balance > 0) await steps.fund(sourceAccountId, balance);
  const destination = await steps.externalAccount(customerId, currency, wanted.rails);
  const created = await steps.call('createAgent', {
    label: 'preparing: creating an agent',
    body: steps.body('createAgent', { name: 'Assay agent', customerId, policy: policyFor(wanted, currency) }),
  });
  return {
    ...(await redeem(steps, created)),
    customerId,
    platformCustomerId,
    sourceAccountId,
    destinationAccountId: destination.id,
    currency,
    balance,
    ...(destination.rails ? { supportedRails: destination.rails } : {}),
  };
}

function policyFor(wanted: AgentParams, currency: string): Json {
  return {
    permissions: wanted.permissions ?? ALL_PERMISSIONS,
    defaultExecutionMode: wanted.execution ?? 'AUTO',
    ...(wanted.approvalThreshold === undefined
      ? {}
      : { approvalThresholds: { currency, amount: wanted.approvalThreshold } }),
    ...(wanted.perTransactionLimit === undefined && wanted.dailyLimit === undefined
      ? {}
      : {
          spendingLimits: {
            currency,
            perTransactionLimit: wanted.perTransactionLimit ?? wanted.dailyLimit,
            ...(wanted.dailyLimit === undefined ? {} : { dailyLimit: wanted.dailyLimit }),
          },
        }),
  };
}

async function redeem(steps: Steps, created: Json): Promise<{ agentId: string; accessToken: string }> {
  const code: unknown = created.deviceCode?.code ?? created.deviceCode;
  if (typeof code !== 'string') throw new PreparationFailed('the created agent came without a device code');
  const redeemed = await steps.call('redeemDeviceCode', {
    label: 'preparing: redeeming the device code',
    path: { code },
    authorization: undefined,
  });
  const agentId: unknown = redeemed.agentId ?? created.agent?.id ?? created.id;
  if (typeof agentId !== 'string' || typeof redeemed.accessToken !== 'string')
    throw new PreparationFailed('the redeemed device code came without agentId or accessToken');
  return { agentId, accessToken: redeemed.accessToken };
}
