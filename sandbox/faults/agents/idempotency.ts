import { giving, asking } from '../../areas/replacements.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Agent } from '../../areas/agents/records.ts';
import type { Replacements } from '../../areas/behaviour.ts';
import type { Repeatable } from '../../areas/transfers/idempotency.ts';
import { actions, type AgentAction, answered } from '../../areas/transfers/records.ts';
import type { Reply } from '../../server/area.ts';
import { type JsonObject, printJson, textOf } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { breaking, fault, RACE_MILLISECONDS } from '../fault.ts';

/** The sum of what an agent has sent again. */
const replayed = new WeakMap<Agent, bigint>();

/** Forgets the key of what once waited, as soon as its action is such. */
const forgettingOnce = (isSuch: (action: AgentAction) => boolean): Replacements => ({
  answerOnce: (original) => async (world, request) => {
    const scope = world.behaviour.idempotencyScope(request);
    const before = request.key === undefined ? undefined : answered.get(world, scope);
    const reply = before && (await before.reply);
    const action = reply && actionIn(world, reply);
    const waited = reply && (reply.body as JsonObject | undefined)?.['status'] === 'PENDING_APPROVAL';
    if (waited && action && isSuch(action)) answered.delete(world, scope);
    return original(world, request);
  },
});

/** What a repeated Idempotency-Key does. */
export const idempotencyFaults = [
  fault('idempotency-key-required', 'TRANSFER-IDEMPOTENCY-OPTIONAL', {
    answerOnce: (original) => async (world, request) =>
      request.key === undefined
        ? world.behaviour.presentRefusal(new Refusal(400, 'INVALID_INPUT', 'Send an Idempotency-Key.'))
        : original(world, request),
  }),
  fault('transfer-out-with-a-long-key-breaks-with-500', 'TRANSFER-INVALID-STATUS', {
    answerOnce: (original) => (world, request) => {
      if ((request.key?.length ?? 0) > 100) throw new Refusal(500, 'INTERNAL_ERROR', 'The key does not fit.');
      return original(world, request);
    },
  }),
  fault('replay-answers-200', ['TRANSFER-IDEMPOTENCY-SAME-RESPONSE', 'TRANSFER-SUCCESS-STATUS'], {
    ...onReplay(async (_world, reply) => ({ ...(await reply), status: 200 })),
  }),
  ...breaking('TRANSFER-IDEMPOTENCY-SAME-RESPONSE', {
    'replay-refused-as-duplicate': onReplay(async (world) =>
      world.behaviour.presentRefusal(world.behaviour.refuseConflict('Sent before.')),
    ),
    'replay-has-new-times': onReplay(async (world, first) => {
      const reply = await first;
      const now = world.behaviour.presentTime(world.clock.now() + 1000);
      return { ...reply, body: { ...(reply.body as JsonObject), createdAt: now, updatedAt: now } };
    }),
    'key-forgotten-after-minutes': {
      answerOnce: (original) => {
        const storedAt = new Map<string, number>();
        return (world, request) => {
          const scope = world.behaviour.idempotencyScope(request);
          const now = world.clock.now(request.agent.customerId);
          if (now - (storedAt.get(scope) ?? now) > 300_000) {
            answered.delete(world, scope);
            storedAt.delete(scope);
          }
          if (!storedAt.has(scope)) storedAt.set(scope, now);
          return original(world, request);
        };
      },
    },
  }),
  ...breaking('TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE', {
    'replay-shows-current-state': onReplay(async (world, first) => {
      const reply = await first;
      const action = actionIn(world, reply);
      const decided =
        action &&
        (reply.body as JsonObject)['status'] === 'PENDING_APPROVAL' &&
        action.status !== 'PENDING_APPROVAL';
      return decided ? { ...reply, body: world.behaviour.presentAction(action) } : reply;
    }),
    'key-forgotten-after-decision': forgettingOnce(({ status }) => status !== 'PENDING_APPROVAL'),
    'key-forgotten-after-failure': forgettingOnce(({ status }) => status === 'FAILED'),
  }),
  fault(
    'key-forgotten-after-one-replay',
    [
      'TRANSFER-IDEMPOTENCY-SAME-RESPONSE',
      'TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE',
      'TRANSFER-IDEMPOTENCY-OTHER-BODY',
      'TRANSFER-IDEMPOTENCY-ONE-ACTION',
      'TRANSFER-IDEMPOTENCY-CONCURRENT',
      'TRANSFER-IDEMPOTENCY-MONEY-ONCE',
    ],
    onReplay((world, first, request) => {
      answered.delete(world, world.behaviour.idempotencyScope(request));
      return first;
    }),
  ),
  fault(
    'replay-creates-second-action', // The further action waits, and uses up its amount of the day.
    ['TRANSFER-IDEMPOTENCY-ONE-ACTION', 'TRANSFER-IDEMPOTENCY-MONEY-ONCE'],
    onReplay(async (world, first, request) => {
      const reply = await first;
      const action = actionIn(world, reply);
      if (action) world.behaviour.addAction(request.agent, copyOf(action), 'PENDING_APPROVAL');
      return reply;
    }),
  ),
  ...breaking('TRANSFER-IDEMPOTENCY-MONEY-ONCE', {
    'replay-moves-money-again': onReplay(async (world, first) => {
      const reply = await first;
      const action = actionIn(world, reply);
      if (action?.status === 'APPROVED') world.behaviour.moveMoney(action);
      return reply;
    }),
    'replay-counts-as-spent': {
      ...onReplay(async (world, first, { agent }) => {
        const reply = await first;
        const amount = actionIn(world, reply)?.transfer?.amount ?? 0n;
        replayed.set(agent, (replayed.get(agent) ?? 0n) + amount);
        return reply;
      }),
      spentSince: giving((usual, world, agent) => usual + (replayed.get(agent) ?? 0n)),
    },
  }),
  ...breaking('TRANSFER-IDEMPOTENCY-CONCURRENT', {
    'key-checked-before-but-stored-after-the-work': {
      answerOnce: () => async (world, request) => {
        const scope = world.behaviour.idempotencyScope(request);
        const before = request.key === undefined ? undefined : answered.get(world, scope);
        if (before) return before.reply;
        if (request.key !== undefined) await delay(RACE_MILLISECONDS);
        const reply = world.behaviour.runTransfer(request);
        if (request.key !== undefined) answered.put(world, scope, { body: '', reply });
        return reply;
      },
    },
    'twins-answered-once-and-run-twice': onTwin(async (world, request) => {
      await world.behaviour.runTransfer(request);
      return undefined;
    }),
    'twin-breaks-after-its-commit': onTwin(breakAfterCommit),
  }),
  fault(
    'key-lost-on-500-after-the-commit',
    [
      'TRANSFER-IDEMPOTENCY-ONE-ACTION',
      'TRANSFER-IDEMPOTENCY-MONEY-ONCE',
      'TRANSFER-IDEMPOTENCY-CONCURRENT',
      'TRANSFER-ACCEPTED',
    ],
    {
      answerOnce: (original) => {
        const broken = new Set<string>();
        return async (world, request) => {
          const scope = world.behaviour.idempotencyScope(request);
          if (request.key === undefined || broken.has(scope)) return original(world, request);
          broken.add(scope);
          return breakAfterCommit(world, request);
        };
      },
    },
  ),
  ...breaking('TRANSFER-IDEMPOTENCY-KEYS-INDEPENDENT', {
    'keys-compared-without-case': readKeysAs((key) => key.toLowerCase()),
    'keys-cut-to-64-characters': readKeysAs((key) => key.slice(0, 64)),
    'keys-without-punctuation': readKeysAs((key) => key.replace(/[^a-z0-9]/gi, '')),
    'equal-bodies-are-one-request': {
      answerOnce: (original) => {
        const keys = new Map<string, string>();
        return (world, request) => {
          if (request.key === undefined) return original(world, request);
          const body = `${request.agent.id} ${printJson(request.body ?? null)}`;
          const known = answered.get(world, world.behaviour.idempotencyScope(request)) !== undefined;
          if (!known && !keys.has(body)) keys.set(body, request.key);
          return original(world, { ...request, key: known ? request.key : keys.get(body) });
        };
      },
    },
  }),
  ...breaking('TRANSFER-IDEMPOTENCY-OTHER-BODY', {
    'key-with-other-body-submits-again': {
      answerOnce: asking((request) => [
        request.key === undefined
          ? request
          : { ...request, key: `${request.key} ${printJson(request.body ?? null)}` },
      ]),
    },
    'key-with-other-body-submits-behind-the-first-answer': onReplay(async (world, first, request) => {
      const reply = await first;
      const sent = (request.body as JsonObject | undefined)?.['amount'];
      const action = actionIn(world, reply);
      if (action?.transfer && sent !== undefined && String(sent) !== String(action.transfer.amount))
        await world.behaviour.runTransfer(request);
      return reply;
    }),
  }),
  fault('keys-shared-by-all-agents', 'TRANSFER-IDEMPOTENCY-PER-AGENT', {
    idempotencyScope: asking((request) => [{ ...request, agent: { ...request.agent, id: 'any' } }]),
  }),
];

function readKeysAs(read: (key: string) => string): Replacements {
  return {
    idempotencyScope: (original) => (world, request) =>
      original(world, { ...request, key: request.key === undefined ? undefined : read(request.key) }),
  };
}

/** A request whose key has been answered, or is being answered, gets something else than the first answer. */
function onReplay(
  change: (world: World, first: Promise<Reply>, request: Repeatable) => Promise<Reply>,
): Replacements {
  return {
    answerOnce: (original) => (world, request) => {
      const scope = world.behaviour.idempotencyScope(request);
      const before = request.key === undefined ? undefined : answered.get(world, scope);
      const reply = original(world, request);
      return before ? change(world, reply, request) : reply;
    },
  };
}

/**
 * What else happens to a request that comes while another one with its key is on its way to a slow database.
 *
 * @param act answers it; where it gives undefined, the answer is that of the first request
 */
function onTwin(act: (world: World, request: Repeatable) => Promise<Reply | undefined>): Replacements {
  return {
    answerOnce: (original) => {
      const underWay = new Set<string>();
      return async (world, request) => {
        if (request.key === undefined) return original(world, request);
        const scope = world.behaviour.idempotencyScope(request);
        const other = underWay.has(scope) ? await act(world, request) : undefined;
        if (other) return other;
        underWay.add(scope);
        await delay(RACE_MILLISECONDS);
        const reply = await original(world, request);
        underWay.delete(scope);
        return reply;
      };
    },
  };
}

/** Does the work and answers 500. */
async function breakAfterCommit(world: World, request: Repeatable): Promise<Reply> {
  await world.behaviour.runTransfer(request);
  return world.behaviour.presentRefusal(world.behaviour.refuseInternal());
}

function actionIn(world: World, reply: Reply): AgentAction | undefined {
  return actions.get(world, textOf((reply.body as JsonObject | undefined)?.['id']));
}

function copyOf({ type, transfer, paymentRail }: AgentAction) {
  return { type, ...(transfer ? { transfer } : {}), ...(paymentRail ? { paymentRail } : {}) };
}
