import type { Decision, Refusal } from '../../core/refusal.ts';
import type { World } from '../../core/world.ts';
import { agentsByToken, type Agent } from '../../domain/agent.ts';

/** Agent operations take the token of a redeemed device code, and nothing else. */
export function authenticateAgent(world: World, authorization: string | undefined): Agent | Refusal {
  if (authorization === undefined) return world.rules.refuseMissingBearer(world);
  const token = world.rules.readBearer(world, authorization);
  if (token === undefined) return world.rules.refuseOtherScheme(world, authorization);
  return world.rules.agentOfToken(world, token) ?? world.rules.refuseUnknownToken(world, token);
}

/** No credentials at all. */
export function refuseMissingBearer(world: World): Refusal | Agent {
  return world.rules.refuseUnauthorized(
    world,
    'Bearer',
    'This operation needs an agent access token (Bearer).',
  );
}

/** Valid platform credentials are of no use here either. */
export function refuseOtherScheme(world: World, _authorization: string): Refusal | Agent {
  return world.rules.refuseUnauthorized(
    world,
    'Bearer',
    'This operation takes an agent access token (Bearer) only.',
  );
}

/** A token that was never issued, or whose agent is gone. */
export function refuseUnknownToken(world: World, _token: string): Refusal | Agent {
  return world.rules.refuseUnauthorized(world, 'Bearer', 'The agent access token is not valid.');
}

/** The token of a Bearer header, or undefined when it is of another scheme. */
export function readBearer(_world: World, authorization: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** The agent that holds this token. */
export function agentOfToken(world: World, token: string): Agent | undefined {
  return agentsByToken.get(world, token);
}

/** The platform can pause an agent; it then does nothing. */
export function agentIsActive(world: World, agent: Agent): Decision {
  return agent.isPaused
    ? world.rules.refuseForbidden(world, 'The platform has paused this agent.')
    : undefined;
}
