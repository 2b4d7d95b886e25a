import type { Call } from '../../core/call.ts';
import { enforce, unlessRefused } from '../../core/refusal.ts';
import type { Route } from '../../core/route.ts';
import type { World } from '../../core/world.ts';
import type { Agent } from '../../domain/agent.ts';
import type { Platform } from '../../domain/platform.ts';

/** Who calls: a platform or an agent, as the route demands. @throws Refusal */
export function identifyCaller(world: World, call: Call, route: Route): Agent | Platform | undefined {
  const { authorization } = call.headers;
  if (route.auth === 'none') return undefined;
  if (route.auth === 'platform') return unlessRefused(world.rules.authenticatePlatform(world, authorization));
  const agent = unlessRefused(world.rules.authenticateAgent(world, authorization));
  enforce(world.rules.agentIsActive(world, agent));
  return agent;
}
