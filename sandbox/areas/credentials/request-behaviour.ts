import { verifies } from '../../crypto/keys.ts';
import type { Call, Reply } from '../../server/area.ts';
import { isObject, type Json, type JsonObject, printJson } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import { mintId, type World } from '../../world/world.ts';
import {
  type CredentialType,
  openRequests,
  REQUEST_LIFE,
  type RequestPrint,
  type Session,
  type SignedRequest,
  signedRequests,
  type Signers,
} from './records.ts';
import {
  signatureHeader,
  jsonPayload,
  readStamp,
  requestIsFresh,
  sameOperation,
  type SignedOperation,
  tokenPayload,
} from './signed-operation.ts';
import { changeStatus } from '../../world/table.ts';

/** A retry whose headers have been found good. */
export interface Proof {
  readonly request: SignedRequest;
  readonly stamp: Stamp;
}

/** Judges the wallet headers of a call. @returns undefined when it carries none: it is the first call @throws Refusal */
export function readProof(world: World, call: Call, print: RequestPrint): Proof | undefined {
  const { behaviour } = world;
  const header = call.headers[signatureHeader(world).toLowerCase()];
  const requestId = call.headers['request-id'];
  if (header === undefined && requestId === undefined) return undefined;
  if (header === undefined) throw behaviour.refuseMissingSignature();
  if (requestId === undefined) throw behaviour.refuseMissingRequestId();
  const stamp = readStamp(world, header);
  const request = signedRequests.get(world, requestId) ?? behaviour.refuseUnknownRequest(stamp, print);
  behaviour.requestIsUnused(request);
  requestIsFresh(world, request);
  behaviour.requestFits(request, print);
  behaviour.judgeStamp(request, stamp);
  return { request, stamp };
}

/** The signature first, then whose it is. */
export function judgeStamp(world: World, request: SignedRequest, stamp: Stamp): Passes {
  if (!world.behaviour.stampVerifies(stamp, request.payload)) throw world.behaviour.refuseInvalidSignature();
  world.behaviour.maySign(request.signers, stamp.publicKey);
}

/** The key that was announced, or a live session of the account. */
export function maySign({ behaviour }: World, signers: Signers, publicKey: string): Passes {
  if (signers.key !== undefined) return behaviour.isAnnouncedKey(signers.key, publicKey);
  const session = behaviour.sessionOfKey(signers, publicKey);
  if (!session) throw behaviour.refuseSigner('The key is no session of this account.');
  behaviour.sessionIsLive(session);
  if (!behaviour.isOtherCredential(signers, session)) throw behaviour.refuseOwnSession();
}

/** A login with a one-time code is signed by the key that was sealed with the code. */
export function isAnnouncedKey(world: World, announced: string, publicKey: string): Passes {
  if (announced !== publicKey)
    throw world.behaviour.refuseSigner('The key is not the one sealed in the bundle.');
}

/** A revocation is not signed by a session of the credential that it revokes. */
export function isOtherCredential(_world: World, signers: Signers, session: Session): boolean {
  return session.credentialId !== signers.exceptCredential;
}

/** `type` is told where the operation is about a credential. */
export function presentRequest(world: World, request: SignedRequest): JsonObject {
  return {
    type: request.type,
    payloadToSign: request.payload,
    requestId: request.id,
    expiresAt: world.behaviour.presentTime(request.expiresAt),
  };
}

/** From here on the Request-Id is spent. */
export function useRequest(world: World, request: SignedRequest): void {
  changeStatus(world, REQUEST_LIFE, request, 'USED');
}

/** Milliseconds from the first call to the end of its retry. */
export const signingWindow = (_world: World): number => 5 * 60_000;

/** Notes down what was asked, until its signature comes. */
export function issueRequest(
  world: World,
  print: RequestPrint,
  signers: Signers,
  type?: CredentialType,
): SignedRequest {
  const id = world.behaviour.newRequestId(print);
  const expiresAt = world.clock.now(signers.customerId) + world.behaviour.signingWindow();
  const { customerId } = signers;
  const kind = type === undefined ? {} : { type };
  const draft = { id, print, signers, customerId, status: 'OPEN', expiresAt, ...kind } as const;
  const request: SignedRequest = { ...draft, payload: world.behaviour.writePayload(draft) };
  openRequests.add(world, request);
  return signedRequests.put(world, id, request);
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
  return request.signers.key === undefined ? jsonPayload(request) : tokenPayload(request);
}

/** White space and the order of keys do not make another body. */
export function bodyPrint(_world: World, call: Call): string {
  return call.body === undefined ? '' : printJson(sorted(call.body));
}

/** Unknown ids and ids of another operation or another record serve nothing; a changed body has a code of its own. */
export function requestFits({ behaviour }: World, request: SignedRequest, print: RequestPrint): Passes {
  if (!sameOperation(request, print))
    throw behaviour.refuseRequestId('The Request-Id is of another operation.');
  if (!behaviour.sameTarget(request, print))
    throw behaviour.refuseRequestId('The Request-Id is of another resource.');
  if (!behaviour.sameBody(request, print)) throw behaviour.refuseOtherBody();
}

/** interface.md > Signed-retry request lifecycle: the same request is repeated. Here: the ids in its path. */
export function sameTarget(_world: World, { print }: SignedRequest, retried: RequestPrint): boolean {
  return print.target === retried.target;
}

/** interface.md > Signed-retry request lifecycle: the same request is repeated. Here: its body, as bodyPrint sees it. */
export function sameBody(_world: World, { print }: SignedRequest, retried: RequestPrint): boolean {
  return print.body === retried.body;
}

/** When time ends a request that has not come again, in milliseconds since the epoch. */
export function requestEndsAt(_world: World, { expiresAt }: SignedRequest): number {
  return expiresAt;
}

/** A request is completed once. */
export function requestIsUnused(world: World, request: SignedRequest): Passes {
  if (request.status === 'USED') throw world.behaviour.refuseRequestId('The Request-Id has been used.');
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, item === undefined ? item : sorted(item)]));
}

/** The answer to the first call. */
export function askForSignature(
  world: World,
  print: RequestPrint,
  operation: SignedOperation,
): Reply | Promise<Reply> {
  operation.check?.(false);
  const request = world.behaviour.issueRequest(print, operation.signers, operation.type);
  return { status: 202, body: world.behaviour.presentRequest(request) };
}

/** Does what was signed. Between the look at the request and the change of the world nothing else can happen. */
export function completeSigned(
  world: World,
  operation: SignedOperation,
  { request, stamp }: Proof,
): Reply | Promise<Reply> {
  world.behaviour.requestIsUnused(request);
  requestIsFresh(world, request);
  world.behaviour.maySign(request.signers, stamp.publicKey);
  operation.check?.(true);
  world.behaviour.useRequest(request);
  return operation.complete();
}

/** A wallet signature, taken apart. */
export interface Stamp {
  /** Uncompressed point. */
  readonly point: Buffer;
  /** Compressed point, lower-case hex. */
  readonly publicKey: string;
  /** DER. */
  readonly signature: Buffer;
}

/**
 * How the wallet signature value is built is not shown; that its encoding can be at fault is (interface.md > Errors > 401
 * codes).
 *
 * @throws Refusal
 */
export function decodeStamp(world: World, header: string): string {
  if (!/^[A-Za-z0-9_-]+$/.test(header))
    throw world.behaviour.refuseMalformedSignature('encoding', 'it is not base64url');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'base64url'));
  } catch {
    throw world.behaviour.refuseMalformedSignature('encoding', 'it decodes to no text');
  }
}

/** What is wrong with the form of the fields, or undefined. */
export function stampFieldsFault(
  _world: World,
  { publicKey, scheme, signature }: JsonObject,
): string | undefined {
  if (typeof publicKey !== 'string' || !/^0[23][0-9a-f]{64}$/i.test(publicKey))
    return 'publicKey is no compressed key in hex';
  if (scheme !== 'SIGNATURE_SCHEME_TK_API_P256') return 'scheme is unknown';
  if (typeof signature !== 'string' || !/^([0-9a-f]{2})+$/i.test(signature)) return 'signature is not hex';
  return undefined;
}

/** Whether the stamp was made, by the key that it names, over these very bytes. */
export function stampVerifies(world: World, stamp: Stamp, payload: string): boolean {
  return world.behaviour
    .signedTexts(payload)
    .some((text) => world.behaviour.signatureVerifies(stamp, Buffer.from(text)));
}

/** The texts that may have been signed: the payload, every byte of it, and nothing else. */
export function signedTexts(_world: World, payload: string): readonly string[] {
  return [payload];
}

/** ECDSA; high-S signatures are as good as low-S ones. */
export function signatureVerifies(_world: World, stamp: Stamp, data: Buffer): boolean {
  return verifies(stamp.point, data, stamp.signature);
}
