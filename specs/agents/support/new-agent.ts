import { agentAuthorization } from '../../../client/authorization.ts';
import type { Agent, Answer, Authorization, Need, Platform } from '../../../suite/index.ts';

/** An agent created beside a prepared one, for the same customer. */
export interface NewAgent {
  readonly redeemed: Answer;
  /** What authorizes a call with its access token. */
  readonly authorization: Authorization;
}

/** Creates an agent for the customer of another agent, as the platform. */
export function createAgent(
  beside: Agent,
  platform: Platform,
  policy: object,
  label: string,
  authorization: Authorization = platform.authorization,
): Promise<Answer> {
  return platform.call('createAgent', {
    label,
    authorization,
    body: { name: 'Assay second agent', customerId: beside.state.customerId, policy },
  });
}

/** Creates an agent and redeems its device code; not verified where the target does it in another way. */
export async function newAgent(
  beside: Agent,
  platform: Platform,
  need: Need,
  policy: object,
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
  return { redeemed, authorization: agentAuthorization(accessToken, platform.dialect.agentToken) };
}
