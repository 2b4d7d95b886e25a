import { timingSafeEqual } from 'node:crypto';
import type { Call, Route } from '../../server/area.ts';
import { type Passes, refuse } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { type Agent, agentsByToken } from '../agents/records.ts';
import { mainPlatform, type Platform, platforms } from '../platform/records.ts';

/*
 * Who calls: a platform by HTTP Basic, an agent by its token (interface.md > Authentication). Wallet signatures are of credentials,
 * in the folder of that name.
 */

/** Who calls: a platform or an agent, as the route demands. @throws Refusal */
export function identifyCaller(world: World, call: Call, route: Route): Agent | Platform | undefined {
  const { authorization } = call.headers;
  if (route.auth === 'none') return undefined;
  if (route.auth === 'platform') return world.behaviour.authenticatePlatform(authorization);
  const agent = authenticateAgent(world, authorization);
  agentIsActive(world, agent);
  return agent;
}

/** Platform operations take HTTP Basic with client id and client secret. */
export function authenticatePlatform(world: World, authorization: string | undefined): Platform {
  mainPlatform(world);
  if (authorization === undefined) return world.behaviour.refuseMissingBasic();
  const credentials = world.behaviour.readBasic(authorization);
  if (!credentials) return world.behaviour.refuseUnreadableBasic();
  const platform = platforms.get(world, credentials.clientId);
  if (!platform) return world.behaviour.refuseUnknownClient(credentials.clientId);
  return world.behaviour.acceptSecret(platform, credentials.clientSecret)
    ? platform
    : refuse(world.behaviour.refuseUnauthorized('Basic', 'The client id or the client secret is wrong.'));
}

/** Client id and secret of a Basic header, or undefined when it is none. */
export function readBasic(
  _world: World,
  authorization: string,
): { clientId: string; clientSecret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { clientId: text.slice(0, colon), clientSecret: text.slice(colon + 1) };
}

/** Whether it is the platform's secret, compared in constant time. */
export function acceptSecret(_world: World, platform: Platform, secret: string): boolean {
  const expected = Buffer.from(platform.clientSecret);
  const given = Buffer.from(secret);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Agent operations take the token of a redeemed device code, and nothing else. */
function authenticateAgent(world: World, authorization: string | undefined): Agent {
  if (authorization === undefined) return world.behaviour.refuseMissingBearer();
  const token = world.behaviour.readBearer(authorization);
  if (token === undefined) return world.behaviour.refuseOtherScheme(authorization);
  return world.behaviour.agentOfToken(token) ?? world.behaviour.refuseUnknownToken(token);
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
function agentIsActive(world: World, agent: Agent): Passes {
  if (agent.isPaused) throw world.behaviour.refuseForbidden('The platform has paused this agent.');
}
