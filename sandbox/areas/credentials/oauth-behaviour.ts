import { createHash } from 'node:crypto';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import { isObject, type JsonObject } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import type { InternalAccount } from '../accounts/records.ts';
import {
  audienceOf,
  type Claims,
  type CredentialKind,
  identityOf,
  type OidcIdentity,
  refuseClaims,
} from './records.ts';

const ISSUERS: readonly unknown[] = ['https://accounts.google.com', 'https://appleid.apple.com'];

/** Seconds that a token may be old, and the skew that clocks are allowed. */
const MAX_AGE = 60;

const SKEW = 5;

/** JWT-shaped, whoever signed it. */
function readToken(world: World, token: string): Claims {
  try {
    if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) throw new Error('not three parts');
    const header: unknown = decodeProtectedHeader(token);
    const claims: unknown = decodeJwt(token);
    if (isObject(header) && isObject(claims)) return claims;
  } catch {
    // Said below.
  }
  return world.behaviour.refuseMalformedToken(token);
}

/** The token's signature: a sandbox takes any. */
export function tokenSignature(_world: World, _token: string): Passes {}

/** What every token must say, whatever it is for. @param now milliseconds since the epoch */
function claimsAreCurrent(world: World, claims: Claims, now: number): Passes {
  if (!world.behaviour.tokenIsYoung(claims, now)) throw refuseClaims(world, 'iat is too old or not there');
  if (!tokenIsUnexpired(claims, now)) throw refuseClaims(world, 'exp has passed');
}

/** iat is at most 60 seconds before the request. */
export function tokenIsYoung(_world: World, { iat }: Claims, now: number): boolean {
  if (typeof iat !== 'number') return false;
  const age = now / 1000 - iat;
  return age <= MAX_AGE + SKEW && age >= -SKEW;
}

/**
 * The interface speaks of iat and not of exp, so a token may come without one. Clocks may differ by five seconds.
 *
 * @param now milliseconds since the epoch
 */
function tokenIsUnexpired({ exp }: Claims, now: number): boolean {
  return exp === undefined || (typeof exp === 'number' && exp + SKEW > now / 1000);
}

/** Registration: a current token of a supported provider, about somebody. */
export function judgeRegistrationToken(world: World, token: string, now: number): Claims {
  const claims = readToken(world, token);
  world.behaviour.tokenSignature(token);
  world.behaviour.registrationTokenIsCurrent(claims, now);
  const { iss, sub } = claims;
  if (!ISSUERS.includes(iss)) throw refuseClaims(world, 'iss is no supported provider');
  if (typeof sub !== 'string' || sub === '') throw refuseClaims(world, 'sub is not there');
  if (audienceOf(claims) === undefined) throw refuseClaims(world, 'aud is not there');
  return claims;
}

/**
 * interface.md > Limits: the age of a token counts for create as it does for verify.
 *
 * @param now milliseconds since the epoch
 * @throws Refusal
 */
export function registrationTokenIsCurrent(world: World, claims: Claims, now: number): Passes {
  claimsAreCurrent(world, claims, now);
}

/** The nickname of an OAUTH credential. */
export function nicknameFrom(_world: World, { email }: Claims): string | undefined {
  return typeof email === 'string' ? email : undefined;
}

/** A login: a current token of the very identity, bound to the client's key. */
export function judgeLoginToken(world: World, token: string, login: TokenLogin): Passes {
  const { behaviour } = world;
  const claims = readToken(world, token);
  behaviour.tokenSignature(token);
  behaviour.loginTokenIsCurrent(claims, login.now);
  behaviour.isSameIssuer(claims, login.identity);
  behaviour.isSameAudience(claims, login.identity);
  behaviour.isSameSubject(claims, login.identity);
  behaviour.nonceFits(claims, login.clientPublicKey);
}

/** What a token must fit. */
interface TokenLogin {
  readonly identity: OidcIdentity;
  readonly clientPublicKey: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * interface.md > Authentication: each verify needs a fresh token. Fresh is what is young; nobody notes whether it has come
 * before.
 *
 * @param now milliseconds since the epoch
 * @throws Refusal
 */
export function loginTokenIsCurrent(world: World, claims: Claims, now: number): Passes {
  claimsAreCurrent(world, claims, now);
}

/**
 * interface.md > Authentication: iss must match the credential. Which code another provider gets is not shown.
 *
 * @throws Refusal
 */
export function isSameIssuer(world: World, { iss }: Claims, identity: OidcIdentity): Passes {
  if (iss !== identity.iss) throw refuseClaims(world, 'iss is of another provider');
}

/** interface.md > Authentication: aud must match the credential. Which code another one gets is not shown. @throws Refusal */
export function isSameAudience(world: World, claims: Claims, identity: OidcIdentity): Passes {
  if (audienceOf(claims) !== identity.aud) throw refuseClaims(world, 'aud is another');
}

/** interface.md > Authentication: sub must match the credential. Which code somebody else gets is not shown. */
export function isSameSubject(world: World, { sub }: Claims, identity: OidcIdentity): Passes {
  if (sub !== identity.sub) throw refuseClaims(world, 'sub is somebody else');
}

/** The nonce is the lower-case hex SHA-256 of the text of clientPublicKey. */
export function nonceFits(world: World, { nonce }: Claims, clientPublicKey: string): Passes {
  if (nonce === undefined) return world.behaviour.refuseMissingNonce();
  const expected = createHash('sha256').update(clientPublicKey).digest('hex');
  if (nonce !== expected) throw refuseClaims(world, 'nonce is of another clientPublicKey');
}

/** interface.md > Authentication: for verify the token includes a nonce in a sandbox. What one without it gets is not shown. */
export function refuseMissingNonce(world: World): Passes {
  throw refuseClaims(world, 'nonce is not there');
}

/**
 * interface.md > Credential operations: type, accountId and oidcToken. As this is read at the retry again, the token must
 * be young then as well.
 *
 * @throws Refusal
 */
export function readOauthRegistration(
  world: World,
  account: InternalAccount,
  body: JsonObject,
): CredentialKind {
  const now = world.clock.now(account.customerId);
  const claims = world.behaviour.judgeRegistrationToken(body['oidcToken'] as string, now);
  const nickname = world.behaviour.nicknameFrom(claims);
  const identity = identityOf(claims);
  return { type: 'OAUTH', identity, ...(nickname === undefined ? {} : { nickname }) };
}
