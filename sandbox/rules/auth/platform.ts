import { timingSafeEqual } from 'node:crypto';
import type { Refusal } from '../../core/refusal.ts';
import type { World } from '../../core/world.ts';
import { mainPlatform, platforms, type Platform } from '../../domain/platform.ts';

/** Platform operations take HTTP Basic with client id and client secret. */
export function authenticatePlatform(world: World, authorization: string | undefined): Platform | Refusal {
  mainPlatform(world);
  if (authorization === undefined) return world.rules.refuseMissingBasic(world);
  const credentials = world.rules.readBasic(world, authorization);
  if (!credentials) return world.rules.refuseUnreadableBasic(world);
  const platform = platforms.get(world, credentials.clientId);
  if (!platform) return world.rules.refuseUnknownClient(world, credentials.clientId);
  return world.rules.acceptSecret(world, platform, credentials.clientSecret)
    ? platform
    : world.rules.refuseWrongSecret(world, platform);
}

/** No credentials at all. */
export function refuseMissingBasic(world: World): Refusal | Platform {
  return world.rules.refuseUnauthorized(
    world,
    'Basic',
    'This operation needs the platform credentials (HTTP Basic).',
  );
}

/** Another scheme, or nothing that can be decoded. */
export function refuseUnreadableBasic(world: World): Refusal | Platform {
  return world.rules.refuseUnauthorized(
    world,
    'Basic',
    'The Authorization header is not readable as HTTP Basic.',
  );
}

/** A client id that nobody has. */
export function refuseUnknownClient(world: World, _clientId: string): Refusal | Platform {
  return world.rules.refuseUnauthorized(world, 'Basic', 'The client id or the client secret is wrong.');
}

/** The secret of another client, or of none. */
export function refuseWrongSecret(world: World, _platform: Platform): Refusal | Platform {
  return world.rules.refuseUnauthorized(world, 'Basic', 'The client id or the client secret is wrong.');
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

export function acceptSecret(_world: World, platform: Platform, secret: string): boolean {
  const expected = Buffer.from(platform.clientSecret);
  const given = Buffer.from(secret);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** A platform sees and steers its own records only. */
export function platformOwns(
  _world: World,
  platform: Platform,
  record: { readonly platformId: string },
): boolean {
  return record.platformId === platform.id;
}
