import { setTimeout as delay } from 'node:timers/promises';
import type { Route } from './area.ts';
import type { Call, Reply } from './call.ts';
import { Refusal } from './refusal.ts';

/** Answers one call on a known route: who calls, what with, and then the work. Never rejects. */
export async function serveCall(call: Call, route: Route): Promise<Reply> {
  const { world } = call;
  if (world.config.latency > 0) await delay(world.config.latency);
  return finished(call, async () => {
    world.rules.passTime();
    if (call.rawBody.length > world.config.bodyLimit)
      throw world.rules.refuseTooLarge(world.config.bodyLimit);
    call.caller = world.rules.identifyCaller(call, route);
    call.body = world.rules.readBody(call, route);
    return world.rules.handleCall(call, route);
  });
}

/** Answers a call that no route takes. */
export function serveRefusal(call: Pick<Call, 'world'>, refuse: () => Refusal): Promise<Reply> {
  return finished(call, () => {
    throw refuse();
  });
}

async function finished({ world }: Pick<Call, 'world'>, work: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return world.rules.finishReply(await work());
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error);
    const refusal = error instanceof Refusal ? error : world.rules.refuseInternal();
    return world.rules.finishReply(world.rules.presentRefusal(refusal));
  }
}
