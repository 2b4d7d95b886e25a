import { expect, test, verifies, type Authorization } from '../../suite/index.ts';
import { MAY_SEND, NOT_FOR_AGENTS, createAgent, newAgent, withGenerousLimits } from '../support/agents.ts';

test(
  'the redeemed device code gives a token with which the agent is accepted',
  verifies('AGENT-DEVICE-CODE-REDEEM'),
  async ({ given, need, check, platform }) => {
    const agent = await given.agent();
    need(await agent.transferOut({}, { label: 'a transfer-out of a prepared agent' })).accepted();
    const fresh = await newAgent(agent, platform, need, MAY_SEND);
    const answer = await agent.transferOut(
      {},
      { label: 'a transfer-out with the redeemed token', authorization: fresh.authorization },
    );
    await check('AGENT-DEVICE-CODE-REDEEM', () => expect(answer).toBeAccepted(), {
      evidence: [fresh.redeemed],
      assumes: ['agentToken', 'bodies.createAgent'],
    });
  },
);

for (const [who, authorizationOf] of [
  ['an agent', (token: Authorization) => token],
  ['somebody without credentials', () => undefined],
] as const) {
  test(
    `${who} cannot create an agent`,
    verifies('AGENT-MANAGED-BY-PLATFORM'),
    async ({ given, need, check, platform }) => {
      const agent = await given.agent();
      need(await createAgent(agent, platform, MAY_SEND, 'the platform creates an agent')).available();
      const attempt = await platform.call('createAgent', {
        label: `${who} tries to create an agent`,
        authorization: authorizationOf(agent.authorization),
        body: platform.filled('createAgent', {
          name: 'Assay uninvited agent',
          customerId: agent.state.customerId,
          policy: withGenerousLimits(MAY_SEND, agent.state.currency),
        }),
      });
      await check('AGENT-MANAGED-BY-PLATFORM', () => expect(attempt).toBeRefused(...NOT_FOR_AGENTS));
    },
  );

  test(
    `${who} cannot change an agent's policy`,
    verifies('AGENT-MANAGED-BY-PLATFORM'),
    async ({ given, need, check, platform }) => {
      const agent = await given.agent();
      const body = withGenerousLimits(MAY_SEND, agent.state.currency);
      const call = { path: { agentId: agent.state.agentId }, body };
      need(
        await platform.call('updateAgentPolicy', { ...call, label: 'the platform changes the policy' }),
      ).available();
      const attempt = await platform.call('updateAgentPolicy', {
        ...call,
        label: `${who} tries to change the policy`,
        authorization: authorizationOf(agent.authorization),
      });
      await check('AGENT-MANAGED-BY-PLATFORM', () => expect(attempt).toBeRefused(...NOT_FOR_AGENTS));
    },
  );

  test(
    `${who} cannot delete an agent`,
    verifies('AGENT-MANAGED-BY-PLATFORM'),
    async ({ given, need, check, platform }) => {
      const agent = await given.agent();
      const doomed = await given.agent();
      const call = (agentId: string) => ({ path: { agentId } });
      need(
        await platform.call('deleteAgent', {
          ...call(doomed.state.agentId),
          label: 'the platform deletes an agent',
        }),
      ).available();
      const attempt = await platform.call('deleteAgent', {
        ...call(agent.state.agentId),
        label: `${who} tries to delete an agent`,
        authorization: authorizationOf(agent.authorization),
      });
      await check('AGENT-MANAGED-BY-PLATFORM', () => expect(attempt).toBeRefused(...NOT_FOR_AGENTS));
    },
  );
}
