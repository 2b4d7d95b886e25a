import { agentAuthorization } from '../../../client/authorization.ts';
import { showsPermissions } from './permissions.ts';
import { withGenerousLimits } from './policies.ts';
import type { Agent, Answer, Authorization, Need, Platform } from '../../../suite/index.ts';

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
  beside: Agent,
  platform: Platform,
  policy: Policy,
  label: string,
  authorization: Authorization = platform.authorization,
): Promise<Answer> {
  return platform.call('createAgent', {
    label,
    authorization,
    body: {
      name: 'Assay second agent',
      customerId: beside.state.customerId,
      policy: withGenerousLimits(policy, beside.state.currency),
      ...platform.dialect.bodies['createAgent'],
    },
  });
}

/** Creates an agent and redeems its device code; not verified where the target does it, or spells a policy, in another way. */
export async function newAgent(
  beside: Agent,
  platform: Platform,
  need: Need,
  policy: Policy,
): Promise<NewAgent> {
  const created = await createAgent(
    beside,
    platform,
    policy,
    'the platform creates another agent of the customer',
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
