import type { Reply } from '../server/area.ts';
import type { World } from '../world/world.ts';
import { type Fault, fault } from './fault.ts';

/** How long an answer is kept, in milliseconds. */
const KEPT = 300;

/** Reads that are the same address for everybody, and the rule that holds what they show. */
const READS = [
  ['GET /agents/me', 'AGENT-ONE-CUSTOMER'],
  ['GET /agents/me/actions', 'AGENT-ONE-CUSTOMER'],
  ['GET /agents/me/internal-accounts', 'AGENT-ONE-CUSTOMER'],
  ['GET /agents/me/external-accounts', 'AGENT-ONE-CUSTOMER'],
  ['GET /agents/me/transactions', 'AGENT-ONE-CUSTOMER'],
  ['GET /auth/credentials', 'CREDENTIAL-LIST-ONLY-ACCOUNT'],
] as const;

/** A store of answers that forgets who asked, and for what. */
export const keptAnswerFaults: readonly Fault[] = READS.map(([operation, breaks]) => {
  const kept = new WeakMap<World, { readonly reply: Reply; readonly until: number }>();
  return fault(`kept-for-everybody${operation.slice('GET'.length).replace(/\W+/g, '-')}`, breaks, {
    handleCall: (original) => async (world, call, route) => {
      if (`${route.method} ${route.path}` !== operation) return original(world, call, route);
      const known = kept.get(world);
      if (known && performance.now() < known.until) return known.reply;
      const reply = await original(world, call, route);
      kept.set(world, { reply, until: performance.now() + KEPT });
      return reply;
    },
  });
});
