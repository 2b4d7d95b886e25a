import { createHash, randomBytes } from 'node:crypto';
import type { Call } from '../../core/call.ts';
import { isObject, printJson, type Json } from '../../core/json.ts';
import type { Decision } from '../../core/refusal.ts';
import { mintId, type World } from '../../core/world.ts';
import type { CredentialType } from '../../domain/credential.ts';
import {
  signedRequests,
  type RequestPrint,
  type SignedRequest,
  type Signers,
} from '../../domain/signed-request.ts';

/** Milliseconds from the first call to the end of its retry. */
export function signingWindow(_world: World): number {
  return 5 * 60_000;
}

/** Notes down what was asked, until its signature comes. */
export function issueRequest(
  world: World,
  print: RequestPrint,
  signers: Signers,
  type?: CredentialType,
): SignedRequest {
  const { rules } = world;
  const id = rules.newRequestId(world, print);
  const expiresAt = world.clock.now(signers.customerId) + rules.signingWindow(world);
  const draft = { id, print, signers, expiresAt, isUsed: false, ...(type === undefined ? {} : { type }) };
  return signedRequests.put(world, id, { ...draft, payload: rules.writePayload(world, draft) });
}

/** Each first call gets an id of its own. */
export function newRequestId(world: World, _print: RequestPrint): string {
  return mintId(world, 'Request');
}

/**
 * The text to sign. It is for the client to sign and not to read: JSON as a careless printer writes it, with a line end
 * that belongs to it, or a token where the client has no session yet.
 */
export function writePayload(world: World, request: Omit<SignedRequest, 'payload'>): string {
  return request.signers.key === undefined
    ? world.rules.jsonPayload(world, request)
    : world.rules.tokenPayload(world, request);
}

export function jsonPayload(_world: World, { id, print, expiresAt }: Omit<SignedRequest, 'payload'>): string {
  const body = createHash('sha256').update(print.body).digest('hex');
  const operation = JSON.stringify(print.operation).replaceAll('/', '\\/');
  return `{"requestId": "${id}", "operation": ${operation}, "bodyHash": "${body}",  "expiresAt": ${expiresAt}}\n`;
}

export function tokenPayload(
  _world: World,
  { id, print, expiresAt }: Omit<SignedRequest, 'payload'>,
): string {
  const bodyHash = createHash('sha256').update(print.body).digest('base64url');
  const claims = { jti: id, op: print.operation, bodyHash, exp: Math.floor(expiresAt / 1000) };
  const parts = [{ alg: 'ES256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...parts, randomBytes(64).toString('base64url')].join('.');
}

/** @param operation method and path, with the names of its parameters */
export function printOf(world: World, call: Call, operation: string): RequestPrint {
  const { world: _, ...ids } = call.params;
  return { operation, target: JSON.stringify(ids), body: world.rules.bodyPrint(world, call) };
}

/** White space and the order of keys do not make another body. */
export function bodyPrint(_world: World, call: Call): string {
  return call.body === undefined ? '' : printJson(sorted(call.body));
}

/** Unknown ids and ids of another operation or another record serve nothing; a changed body has a code of its own. */
export function requestFits(world: World, request: SignedRequest, print: RequestPrint): Decision {
  const { rules } = world;
  if (!rules.sameOperation(world, request, print))
    return rules.refuseRequestId(world, 'The Request-Id is of another operation.');
  if (!rules.sameTarget(world, request, print))
    return rules.refuseRequestId(world, 'The Request-Id is of another resource.');
  return rules.sameBody(world, request, print) ? undefined : rules.refuseOtherBody(world);
}

export function sameOperation(_world: World, { print }: SignedRequest, retried: RequestPrint): boolean {
  return print.operation === retried.operation;
}

export function sameTarget(_world: World, { print }: SignedRequest, retried: RequestPrint): boolean {
  return print.target === retried.target;
}

export function sameBody(_world: World, { print }: SignedRequest, retried: RequestPrint): boolean {
  return print.body === retried.body;
}

/** The request of this id. */
export function requestOf(world: World, id: string): SignedRequest | undefined {
  return signedRequests.get(world, id);
}

/** The retry arrives before expiresAt. */
export function requestIsFresh(world: World, request: SignedRequest): Decision {
  if (world.clock.now(request.signers.customerId) < request.expiresAt) return undefined;
  return world.rules.refuseRequestId(world, 'The Request-Id has expired.');
}

/** A request is completed once. */
export function requestIsUnused(world: World, request: SignedRequest): Decision {
  return request.isUsed ? world.rules.refuseRequestId(world, 'The Request-Id has been used.') : undefined;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, item === undefined ? item : sorted(item)]));
}
