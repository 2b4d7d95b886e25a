import { agentOf, bodyOf } from '../../core/call.ts';
import type { Route } from '../../core/route.ts';

const reference = {
  type: 'object',
  required: ['accountId'],
  properties: { accountId: { type: 'string', minLength: 1 } },
};

/** Agents pull money in. */
export const transferInRoute: Route = {
  method: 'POST',
  path: '/agents/me/transfer-in',
  auth: 'agent',
  body: {
    type: 'object',
    required: ['source', 'destination'],
    properties: {
      source: reference,
      destination: reference,
      amount: { type: 'integer', maximum: Number(2n ** 63n - 1n) },
    },
  },
  handle(call) {
    const { world } = call;
    const agent = agentOf(call);
    const key = call.headers['idempotency-key'];
    return world.rules.answerOnce(world, {
      agent,
      key: key === undefined ? undefined : `transfer-in ${key}`,
      body: call.body,
      run: () => world.rules.submitTransferIn(world, agent, bodyOf(call)),
    });
  },
};
