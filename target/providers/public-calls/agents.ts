import { randomUUID } from 'node:crypto';
import { agentAuthorization } from '../../../client/authorization.ts';
import type { AgentParams } from '../../states/types.ts';
import { type StateParams, type StateValues, CannotPrepare, PreparationFailed } from '../state-provider.ts';
import { AMPLE, otherThan, type Json, type Steps } from './steps.ts';
import { onFile, terms } from './terms.ts';
import { isObject } from '../../../schemas/json.ts';

/** State `agent`: customer, funded account, external account, agent with policy, redeemed device code. */
export async function agent(steps: Steps, params: StateParams): Promise<StateValues> {
  const wanted = params as AgentParams;
  const currency = wanted.currency ?? steps.profile.currency;
  const balance = wanted.balance ?? AMPLE;
  const { customerId, platformCustomerId } = await steps.customer('accounts');
  const sourceAccountId = await steps.internalAccount(customerId, currency);
  if (balance > 0) await steps.fund(sourceAccountId, balance);
  if (wanted.balance !== undefined) await steps.needHold(customerId, sourceAccountId, balance);
  const destination = await steps.externalAccount(customerId, currency, wanted.rails);
  const created = await create(steps, customerId, wanted, currency);
  const { policy, ...access } = await redeem(steps, created);
  needCarry(policy ?? (await ownPolicy(steps, access.accessToken)), wanted, currency);
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

/** A name that no other agent has: whether two may bear one is not shown. */
export function agentName(): string {
  return `Assay agent ${randomUUID().slice(0, 8)}`;
}

async function create(
  steps: Steps,
  customerId: string,
  wanted: AgentParams,
  currency: string,
): Promise<Json> {
  const withLimit = (most: number): Promise<Json> =>
    steps.call('createAgent', {
      label: 'preparing: creating an agent',
      body: steps.body('createAgent', {
        name: agentName(),
        customerId,
        policy: policyFor(wanted, currency, most),
      }),
    });
  // No balance has to cover what waits: such an agent may ask for the greatest amounts, if the target takes limits as great.
  if (wanted.execution !== 'APPROVAL_REQUIRED') return withLimit(GENEROUS);
  try {
    return await withLimit(BEYOND_DOUBLE);
  } catch {
    return withLimit(GENEROUS);
  }
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

const ALL_PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
];
/** More than any check sends, in the smallest unit: services are known that want limits in every policy. */
const GENEROUS = 100_000_000;
/** An int64 that JSON carries exactly. */
const BEYOND_DOUBLE = 2 ** 62;

/** The policy to ask for. Its form is not shown in the interface. @param most limit where the test wants none */
function policyFor(wanted: AgentParams, currency: string, most: number): Json {
  const { permissions, execution, approvalThreshold, perTransactionLimit, dailyLimit } = wanted;
  return {
    permissions: permissions ?? ALL_PERMISSIONS,
    defaultExecutionMode: execution ?? 'AUTO',
    spendingLimits: {
      currency,
      perTransactionLimit: perTransactionLimit ?? dailyLimit ?? most,
      dailyLimit: dailyLimit ?? most,
    },
    ...(approvalThreshold === undefined
      ? {}
      : { approvalThresholds: { currency, amount: approvalThreshold } }),
  };
}

/**
 * Makes sure that the created policy carries what was asked for: nobody is judged by a limit that it was never told in its
 * own words.
 *
 * @param shown the policy as the target shows it, or undefined where it shows none
 * @throws CannotPrepare where it carries something else, or where something was asked for and none is shown
 */
function needCarry(shown: Json, wanted: AgentParams, currency: string): void {
  const asked = askedFor(wanted, currency);
  if (typeof shown !== 'object' || shown === null) {
    if (Object.keys(asked).length === 0) return;
    throw new CannotPrepare(
      `the target shows no policy of the created agent, so it may know nothing of ${Object.keys(asked).join(', ')}: serve the state "agent" at PROVIDER_STATES_URL`,
    );
  }
  // Where nothing special was asked for, what the target shows has to be ordinary all the same.
  const ordinary = shown.defaultExecutionMode === undefined ? {} : { defaultExecutionMode: 'AUTO' };
  const missing = Object.entries({ ...ordinary, ...asked }).find(
    ([name, value]) => !carries(shown[name], value),
  );
  const unasked =
    asked['approvalThresholds'] === undefined && Number(shown.approvalThresholds?.amount) < GENEROUS;
  if (missing || unasked)
    throw new CannotPrepare(
      `the created agent's policy does not carry the ${missing?.[0] ?? 'approvalThresholds'} that was asked for: say in the profile how your service takes it (dialect.bodies.createAgent), or serve the state "agent" at PROVIDER_STATES_URL`,
    );
}

/** What a test has asked for, in the form of the policy. */
function askedFor(wanted: AgentParams, currency: string): Readonly<Record<string, unknown>> {
  const { permissions, execution, approvalThreshold, perTransactionLimit, dailyLimit } = wanted;
  const limits = {
    ...(perTransactionLimit === undefined ? {} : { perTransactionLimit }),
    ...(dailyLimit === undefined ? {} : { dailyLimit }),
  };
  return {
    ...(permissions ? { permissions } : {}),
    ...(execution ? { defaultExecutionMode: execution } : {}),
    ...(approvalThreshold === undefined
      ? {}
      : { approvalThresholds: { currency, amount: approvalThreshold } }),
    ...(Object.keys(limits).length > 0 ? { spendingLimits: { currency, ...limits } } : {}),
  };
}

/** Whether a value is the wanted one, or an object that holds at least its members; a list holds the same in any order. */
function carries(shown: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(shown) && shown.length === wanted.length && wanted.every((one) => shown.includes(one))
    );
  if (!isObject(wanted)) return typeof wanted === 'number' ? Number(shown) === wanted : shown === wanted;
  return isObject(shown) && Object.entries(wanted).every(([name, value]) => carries(shown[name], value));
}

/** State `agent-quote`: as `agent`, with an external account in another currency and the body of a quote to it. */
export async function agentQuote(steps: Steps, params: StateParams): Promise<StateValues> {
  const { destinationCurrency: wanted, kind, ...policy } = params;
  const values = await agent(steps, policy);
  const { customerId, currency, sourceAccountId } = values as Readonly<Record<string, string>>;
  const version = await terms(steps, customerId as string, true);
  const destinationCurrency = (wanted as string | undefined) ?? otherThan(currency as string);
  const destination = await steps.externalAccount(customerId as string, destinationCurrency);
  const source =
    kind === 'REALTIME_FUNDING'
      ? { sourceType: kind, currency, customerId }
      : { sourceType: 'ACCOUNT', accountId: sourceAccountId };
  await onFile(steps, version, steps.quoteBody('createQuote', source, destination.id));
  return {
    ...values,
    destinationCurrency,
    body: steps.quoteBody('createAgentQuote', source, destination.id),
  };
}

const BALANCE = 10_000;

/**
 * State `execution-failure`: an agent that asks for more than the account will hold. Insufficient funds are the interface's
 * own example of an approved action that fails; a target may refuse them earlier, which the specs allow for.
 */
export async function executionFailure(steps: Steps, params: StateParams): Promise<StateValues> {
  const values = await agent(steps, { ...params, balance: BALANCE });
  return { ...values, amount: BALANCE * 5 };
}
