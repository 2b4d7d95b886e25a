import type { Reply } from '../../server/area.ts';
import { type Json, printJson } from '../../server/json.ts';
import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import type { Agent } from '../agents/records.ts';
import { answered } from './records.ts';

/** A request that may have been sent before. */
export interface Repeatable {
  readonly agent: Agent;
  /** Method and path, with the names of its parameters. */
  readonly operation: string;
  /** The ids in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly key: string | undefined;
  readonly body: Json | undefined;
  /** Does the work. @throws Refusal */
  readonly run: () => Reply | Promise<Reply>;
}

/** A key means something for one caller, one operation and what that operation is about, and nothing elsewhere. */
export function idempotencyScope(_world: World, { agent, operation, params, key }: Repeatable): string {
  const { world: _, ...ids } = params;
  return JSON.stringify([agent.id, operation, ids, key]);
}

/**
 * The same key gets the response of the first request, refusals included. The promise is kept, and not its outcome, so
 * that a repetition that comes while the first request is at work waits for it.
 */
export function answerOnce(world: World, request: Repeatable): Promise<Reply> {
  if (request.key === undefined) return world.behaviour.runTransfer(request);
  const scope = world.behaviour.idempotencyScope(request);
  const body = printJson(request.body ?? null);
  const before = answered.get(world, scope);
  if (before) return before.body === body ? before.reply : world.behaviour.replayForOtherBody(before.reply);
  const reply = world.behaviour.runTransfer(request);
  answered.put(world, scope, { body, reply });
  return reply;
}

/** The first response or a refusal: which of them is left open. */
export function replayForOtherBody(_world: World, first: Promise<Reply>): Promise<Reply> {
  return first;
}

/** Does the work of one request; a refusal is an answer like any other. */
export async function runTransfer(world: World, request: Repeatable): Promise<Reply> {
  try {
    return await request.run();
  } catch (error) {
    if (error instanceof Refusal) return world.behaviour.presentRefusal(error);
    throw error;
  }
}
