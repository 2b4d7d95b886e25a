import type { Call } from '../../core/call.ts';
import type { JsonObject } from '../../core/json.ts';
import { enforce, Refusal, unlessRefused, type Decision } from '../../core/refusal.ts';
import type { Reply } from '../../core/reply.ts';
import type { World } from '../../core/world.ts';
import type { CredentialType } from '../../domain/credential.ts';
import type { Session } from '../../domain/session.ts';
import type { RequestPrint, SignedRequest, Signers } from '../../domain/signed-request.ts';
import type { Stamp } from './stamp.ts';

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

/** A retry whose headers have been found good. */
export interface Proof {
  readonly request: SignedRequest;
  readonly stamp: Stamp;
}

/**
 * Judges the wallet headers of a call.
 *
 * @returns undefined when it carries none: it is the first call
 * @throws Refusal
 */
export function readProof(world: World, call: Call, print: RequestPrint): Proof | undefined {
  const { rules } = world;
  const header = call.headers[rules.signatureHeader(world).toLowerCase()];
  const requestId = call.headers['request-id'];
  if (header === undefined && requestId === undefined) return undefined;
  if (header === undefined) throw rules.refuseMissingSignature(world);
  if (requestId === undefined) throw rules.refuseMissingRequestId(world);
  const stamp = unlessRefused(rules.readStamp(world, header));
  const request = rules.requestOf(world, requestId) ?? rules.refuseUnknownRequest(world, stamp, print);
  if (request instanceof Refusal) throw request;
  enforce(rules.requestIsUnused(world, request));
  enforce(rules.requestIsFresh(world, request));
  enforce(rules.requestFits(world, request, print));
  enforce(rules.judgeStamp(world, request, stamp));
  return { request, stamp };
}

/** A Request-Id that was never issued. */
export function refuseUnknownRequest(
  world: World,
  _stamp: Stamp,
  _print: RequestPrint,
): Refusal | SignedRequest {
  return world.rules.refuseRequestId(world, 'The Request-Id is unknown.');
}

/** The signature first, then whose it is. */
export function judgeStamp(world: World, request: SignedRequest, stamp: Stamp): Decision {
  if (!world.rules.stampVerifies(world, stamp, request.payload))
    return world.rules.refuseInvalidSignature(world);
  return world.rules.maySign(world, request.signers, stamp.publicKey);
}

/** The key that was announced, or a live session of the account. */
export function maySign(world: World, signers: Signers, publicKey: string): Decision {
  const { rules } = world;
  if (signers.key !== undefined) return rules.isAnnouncedKey(world, signers.key, publicKey);
  const session = rules.sessionOfKey(world, signers, publicKey);
  if (!session) return rules.refuseSigner(world, 'The key is no session of this account.');
  const decision = rules.sessionIsLive(world, session);
  if (decision) return decision;
  return rules.isOtherCredential(world, signers, session) ? undefined : rules.refuseOwnSession(world);
}

/** A login with a one-time code is signed by the key that was sealed with the code. */
export function isAnnouncedKey(world: World, announced: string, publicKey: string): Decision {
  return announced === publicKey
    ? undefined
    : world.rules.refuseSigner(world, 'The key is not the one sealed in the bundle.');
}

/** A revocation is not signed by a session of the credential that it revokes. */
export function isOtherCredential(_world: World, signers: Signers, session: Session): boolean {
  return session.credentialId !== signers.exceptCredential;
}

/** The answer to the first call. */
export function askForSignature(
  world: World,
  print: RequestPrint,
  operation: SignedOperation,
): Reply | Promise<Reply> {
  operation.check?.(false);
  const request = world.rules.issueRequest(world, print, operation.signers, operation.type);
  return { status: 202, body: world.rules.presentRequest(world, request) };
}

/** `type` is told where the operation is about a credential. */
export function presentRequest(world: World, request: SignedRequest): JsonObject {
  return {
    type: request.type,
    payloadToSign: request.payload,
    requestId: request.id,
    expiresAt: world.rules.presentTime(world, request.expiresAt),
  };
}

/** Does what was signed. Between the look at the request and the change of the world nothing else can happen. */
export function completeSigned(
  world: World,
  operation: SignedOperation,
  { request, stamp }: Proof,
): Reply | Promise<Reply> {
  enforce(world.rules.requestIsUnused(world, request));
  enforce(world.rules.maySign(world, request.signers, stamp.publicKey));
  operation.check?.(true);
  world.rules.useRequest(world, request);
  return operation.complete();
}

/** From here on the Request-Id is spent. */
export function useRequest(_world: World, request: SignedRequest): void {
  request.isUsed = true;
}
