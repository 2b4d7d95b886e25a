import { createHash, randomBytes } from 'node:crypto';
import { compressed, pointOf } from '../../crypto/keys.ts';
import type { Call, Reply, Route } from '../../server/area.ts';
import { isObject, type JsonObject } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import type { CredentialType, RequestPrint, SignedRequest, Signers } from './records.ts';
import type { Stamp } from './request-behaviour.ts';

/** An operation that is done once it is signed. */
export interface SignedOperation {
  readonly signers: Signers;
  /** The type that the 202 tells, where it tells one. */
  readonly type?: CredentialType;
  /** What stands against it: asked at the first call, and again just before it is done. @throws Refusal */
  readonly check?: (isRetry: boolean) => void;
  /** Does it. Whatever it changes it changes before it first waits for anything. */
  readonly complete: () => Reply | Promise<Reply>;
}

/** An operation that may have to be signed. */
interface SignedRoute extends Omit<Route, 'handle' | 'auth'> {
  /** False: this call carries its headers for something else. */
  readonly isSigned?: (call: Call) => boolean;
  /** What is to be signed, or the answer where nothing is. @throws Refusal */
  readonly prepare: (world: World, call: Call) => SignedOperation | Reply | Promise<SignedOperation | Reply>;
}

/**
 * The signed retry (interface.md > Signed-retry request lifecycle) around an operation: the first call asks for a
 * signature, the retry does the work. The headers of a retry are judged before anything else, so that a used Request-Id
 * is told as such although the record it was about may be gone.
 */
export function signedRoute({ isSigned = () => true, prepare, ...route }: SignedRoute): Route {
  const operation = `${route.method} ${route.path}`;
  return {
    ...route,
    auth: 'platform',
    async handle(world, call) {
      const print = printOf(world, call, operation);
      const proof = isSigned(call) ? world.behaviour.readProof(call, print) : undefined;
      const work = await prepare(world, call);
      if (!('complete' in work)) return work;
      return proof
        ? world.behaviour.completeSigned(work, proof)
        : world.behaviour.askForSignature(print, work);
    },
  };
}

/** @param operation method and path, with the names of its parameters */
function printOf(world: World, call: Call, operation: string): RequestPrint {
  const { world: _, ...ids } = call.params;
  return { operation, target: JSON.stringify(ids), body: world.behaviour.bodyPrint(call) };
}

/** The retry arrives before expiresAt. */
export function requestIsFresh(world: World, request: SignedRequest): Passes {
  if (request.status === 'EXPIRED') throw world.behaviour.refuseRequestId('The Request-Id has expired.');
}

/**
 * The payload where a session signs. The form is not shown, so it is one that no JSON printer makes: parsed and printed
 * again, it is other bytes. expiresAt in milliseconds since the epoch.
 */
export function jsonPayload({ id, print, expiresAt }: Omit<SignedRequest, 'payload'>): string {
  const body = createHash('sha256').update(print.body).digest('hex');
  const operation = JSON.stringify(print.operation).replaceAll('/', '\\/');
  return `{"requestId": "${id}", "operation": ${operation}, "bodyHash": "${body}",  "expiresAt": ${expiresAt}}\n`;
}

/**
 * interface.md > Signed-retry request lifecycle: the same request is repeated. Here: method and path, with the names of its
 * parameters.
 */
export function sameOperation({ print }: SignedRequest, retried: RequestPrint): boolean {
  return print.operation === retried.operation;
}

/**
 * The payload of a login with a one-time code. The form is not shown; it looks like a JWT, and its last part is no
 * signature of anybody. exp in seconds since the epoch.
 */
export function tokenPayload({ id, print, expiresAt }: Omit<SignedRequest, 'payload'>): string {
  const bodyHash = createHash('sha256').update(print.body).digest('base64url');
  const claims = { jti: id, op: print.operation, bodyHash, exp: Math.floor(expiresAt / 1000) };
  const parts = [{ alg: 'ES256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...parts, randomBytes(64).toString('base64url')].join('.');
}

/** Reads the header: base64url of a JSON object with publicKey, scheme and signature. */
export function readStamp(world: World, header: string): Stamp {
  return readStampFields(world, parseStamp(world, world.behaviour.decodeStamp(header)));
}

/**
 * interface.md > Errors > 401 codes: the structure of the header. Text that was cut off counts as badly encoded.
 *
 * @throws Refusal
 */
function parseStamp(world: World, text: string): JsonObject {
  try {
    const fields: unknown = JSON.parse(text);
    if (isObject(fields) && Object.keys(fields).length > 0) return fields;
  } catch {
    if (text.startsWith('{'))
      throw world.behaviour.refuseMalformedSignature('encoding', 'it has been cut off');
  }
  throw world.behaviour.refuseMalformedSignature('structure', 'it is not a JSON object with fields');
}

/** interface.md > Errors > 401 codes: the fields of the header. @throws Refusal */
function readStampFields(world: World, fields: JsonObject): Stamp {
  const { publicKey, signature } = fields;
  const point = pointOf(publicKey);
  const why = world.behaviour.stampFieldsFault(fields);
  if (why !== undefined) throw world.behaviour.refuseMalformedSignature('fields', why);
  if (!point) throw world.behaviour.refuseOffCurve();
  return {
    point,
    publicKey: compressed(point).toString('hex'),
    signature: Buffer.from(signature as string, 'hex'),
  };
}

/** The wallet signature header as this deployment spells it. */
export function signatureHeader(world: World): string {
  return `${world.config.brand}-Wallet-Signature`;
}
