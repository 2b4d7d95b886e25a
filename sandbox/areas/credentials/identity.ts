import type { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import type { Claims } from './oauth-behaviour.ts';
import type { OidcIdentity } from './records.ts';

/** Whom a token is about, once it has been judged. */
export function identityOf(claims: Claims): OidcIdentity {
  return { iss: claims['iss'] as string, aud: audienceOf(claims)!, sub: claims['sub'] as string };
}

/** One audience, as text or as an array of one. */
export function audienceOf({ aud }: Claims): string | undefined {
  const one: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  return typeof one === 'string' && one !== '' ? one : undefined;
}

/** Which code a token gets whose claims do not hold is not shown; it is the same at registration and at login. */
export function refuseClaims(world: World, why: string): Refusal {
  return world.behaviour.refuseProof(`The oidcToken is not accepted: ${why}.`);
}
