import type { AgentParams } from '../../states/agent-state.ts';
import type { StateParams, StateValues } from '../state-provider.ts';
import { agentAuthorization } from '../../../client/authorization.ts';
import { CannotPrepare, PreparationFailed } from '../state-provider.ts';
import { mustCarry, policyFor } from './policy.ts';
import type { Json, Steps } from './steps.ts';

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
  if (wanted.balance !== undefined) await steps.mustHold(customerId, sourceAccountId, balance);
  const destination = await steps.externalAccount(customerId, currency, wanted.rails);
  const created = await steps.call('createAgent', {
    label: 'preparing: creating an agent',
    body: steps.body('createAgent', { name: 'Assay agent', customerId, policy: policyFor(wanted, currency) }),
  });
  const { policy, ...access } = await redeem(steps, created);
  mustCarry(policy ?? (await ownPolicy(steps, access.accessToken)), wanted, currency);
  return {
    ...access,
    customerId,
    platformCustomerId,
    sourceAccountId,
    destinationAccountId: destination.id,
    currency,
    balance,
    ...(destination.rails ? { supportedRails: destination.rails } : {}),
  };
}

async function redeem(
  steps: Steps,
  created: Json,
): Promise<{ agentId: string; accessToken: string; policy: Json }> {
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
  const policy: Json = redeemed.policy ?? created.agent?.policy ?? created.policy;
  return { agentId, accessToken: redeemed.accessToken, policy };
}

/** The policy as the agent itself sees it; undefined where it cannot be read. */
async function ownPolicy(steps: Steps, accessToken: string): Promise<Json> {
  try {
    const me = await steps.call('getMe', {
      label: "preparing: reading the agent's policy back",
      authorization: agentAuthorization(accessToken, steps.profile.dialect.agentToken),
    });
    return me?.policy ?? me?.agent?.policy;
  } catch (error) {
    if (error instanceof CannotPrepare) return undefined;
    throw error;
  }
}
