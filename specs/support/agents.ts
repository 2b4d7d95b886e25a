import { agentAuthorization } from '../../client/authorization.ts';
import { eventually } from '../../suite/eventually.ts';
import {
  actionIn,
  quoteIn,
  succeeded,
  type Agent,
  type Answer,
  type Authorization,
  type Given,
} from '../../suite/index.ts';
import { agentName } from '../../target/providers/public-calls/agents.ts';
import { objectsIn } from './actions.ts';

/** Permissions that let an agent look, and not send: everything but CREATE_TRANSFERS and its kin. */
export const READ_ONLY: readonly string[] = ['VIEW_TRANSACTIONS'];

/** A policy that lets an agent send without approval, in the form that real deployments take. */
export const MAY_SEND = {
  permissions: [...READ_ONLY, 'CREATE_TRANSFERS'],
  defaultExecutionMode: 'AUTO',
} as const;

/** Permissions are named for transfers alone: these are what known services call the others. */
export const MAY_EXECUTE = {
  ...MAY_SEND,
  permissions: [...MAY_SEND.permissions, 'CREATE_QUOTES', 'EXECUTE_QUOTES'],
} as const;

/** A limit that no test comes near, in the smallest unit. */
export const MOST = 100_000_000;

/** Known services want limits in every policy. @param currency of the agent's account */
export function withGenerousLimits<P extends object>(policy: P, currency: string | undefined): object {
  if (currency === undefined) return policy;
  return {
    ...policy,
    spendingLimits: { currency, perTransactionLimit: MOST, dailyLimit: MOST, monthlyLimit: MOST },
  };
}

/** The platform gives the agent another policy; whether it was taken is not looked at. @returns the answer */
export async function updatePolicy(
  { state, platform, need }: Agent,
  policy: object,
  label: string,
): Promise<Answer> {
  const changed = await platform.call('updateAgentPolicy', {
    label,
    path: { agentId: state.agentId },
    body: { ...policy, ...platform.dialect.bodies['updateAgentPolicy'] },
  });
  need(changed).available();
  return changed;
}

/**
 * How an agent is refused what is the platform's alone, and the other way round: the operation may be hidden, its path one that
 * takes other methods there, and its header one that nobody reads.
 */
export const NOT_FOR_AGENTS: readonly number[] = [400, 401, 403, 404, 405];

/** Whether an answer of open shape shows a policy with exactly these permissions. */
export function showsPermissions(answer: Answer, permissions: readonly string[]): boolean {
  return permissionsIn(answer)?.sort().join() === [...permissions].sort().join();
}

/** The permissions of a policy: of the answer itself, of its policy, or of the agent in it. */
function permissionsIn(answer: Answer): string[] | undefined {
  for (const one of objectsIn(answer))
    for (const holder of [one, one['policy'] as Record<string, unknown> | undefined]) {
      const permissions: unknown = holder?.['permissions'];
      if (Array.isArray(permissions)) return (permissions as unknown[]).map(String);
    }
  return undefined;
}

/** An agent created beside a prepared one, for the same customer. */
export interface NewAgent {
  readonly redeemed: Answer;
  /** What authorizes a call with its access token. */
  readonly authorization: Authorization;
}

/** A policy, as far as it is read back. */
interface Policy {
  readonly permissions: readonly string[];
}

/** Creates an agent for the customer of another agent, as the platform. */
export function createAgent(
  { state, platform }: Agent,
  policy: Policy,
  label: string,
  customerId = state.customerId,
): Promise<Answer> {
  return platform.call('createAgent', {
    label,
    body: {
      name: agentName(),
      customerId,
      policy: withGenerousLimits(policy, state.currency),
      ...platform.dialect.bodies['createAgent'],
    },
  });
}

/** Creates an agent and redeems its device code; not verified where the target does it, or spells a policy, in another way. */
export async function addAgent(beside: Agent, policy: Policy, customerId?: string): Promise<NewAgent> {
  const { platform, need } = beside;
  const created = await createAgent(
    beside,
    policy,
    'the platform creates another agent of the customer',
    customerId,
  );
  need(created).available();
  const body = created.body as { deviceCode?: { code?: unknown } | string } | undefined;
  const code: unknown = typeof body?.deviceCode === 'object' ? body.deviceCode?.code : body?.deviceCode;
  const redeemed = await platform.call('redeemDeviceCode', {
    label: "redeeming the agent's device code",
    path: {
      code: need.offered(
        typeof code === 'string' ? code : undefined,
        'the created agent came without a device code that could be recognised',
      ),
    },
    authorization: undefined,
  });
  need(redeemed).available();
  const token: unknown = (redeemed.body as { accessToken?: unknown } | undefined)?.accessToken;
  const accessToken = need.offered(
    typeof token === 'string' ? token : undefined,
    'the redeemed code came without an access token that could be recognised',
  );
  const authorization = agentAuthorization(accessToken, platform.dialect.agentToken);
  const shows = (answer: Answer) => showsPermissions(answer, policy.permissions);
  need.offered(
    shows(redeemed) ||
      shows(created) ||
      shows(await platform.call('getMe', { label: 'the new agent reads its policy', authorization })),
    'no answer shows that the policy of the new agent was taken',
  );
  return { redeemed, authorization };
}

/** A quote that an agent has asked for, and the last answer: to its execution, unless it was refused. */
interface AgentPayment {
  readonly created: Answer;
  readonly last: Answer;
  /** Of the quote, once it has begun or all patience is used up; undefined where nothing shows it. */
  readonly status?: unknown;
  /** Reads the action back; undefined where no answer names one. */
  readonly read?: () => Promise<Answer>;
}

/** A customer pays by a quote of an agent that is made for it. */
export async function paidByAgent(
  given: Given,
  { customerId, body }: { readonly customerId: string; readonly body: object },
  label: string,
  options: { readonly impatient?: boolean } = {},
): Promise<AgentPayment> {
  const beside = await given.agent();
  const { authorization } = await addAgent(beside, MAY_EXECUTE, customerId);
  const { platform } = beside;
  const asking = { label, body, authorization, ...options };
  const created = await platform.call('createAgentQuote', asking);
  const quoteId = quoteIn(created)?.id;
  if (!succeeded(created) || quoteId === undefined) return { created, last: created };
  const executing = { label: `${label}, executed`, path: { quoteId }, authorization, ...options };
  const last = await platform.call('executeAgentQuote', executing);
  const shown = quoteIn(last)?.status;
  const actionId = actionIn(last)?.id;
  if (actionId === undefined) return { created, last, status: shown };
  const reading = { label: `${label}, read back`, path: { actionId }, authorization };
  const read = () => platform.call('getMyAction', reading);
  if (shown !== 'PENDING') return { created, last, status: shown, read };
  const status = await eventually(
    async () => quoteIn(await read())?.status,
    (now) => now !== 'PENDING',
    platform.patienceMs,
  );
  return { created, last, status, read };
}
