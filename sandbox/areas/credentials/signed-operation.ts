import type { Call, Reply, Route } from '../../server/area.ts';
import type { Passes } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import type { CredentialType, RequestPrint, SignedRequest, Signers } from './records.ts';
import type { Proof } from './request-behaviour.ts';

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
export interface SignedRoute extends Omit<Route, 'handle' | 'auth'> {
  /** False: this call carries its headers for something else. */
  readonly isSigned?: (call: Call) => boolean;
  /** What is to be signed, or the answer where nothing is. @throws Refusal */
  readonly prepare: (call: Call) => SignedOperation | Reply | Promise<SignedOperation | Reply>;
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
    async handle(call) {
      const { world } = call;
      const print = printOf(world, call, operation);
      const proof = isSigned(call) ? world.behaviour.readProof(call, print) : undefined;
      const work = await prepare(call);
      if (!('complete' in work)) return work;
      return proof
        ? world.behaviour.completeSigned(work, proof)
        : world.behaviour.askForSignature(print, work);
    },
  };
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

/** @param operation method and path, with the names of its parameters */
function printOf(world: World, call: Call, operation: string): RequestPrint {
  const { world: _, ...ids } = call.params;
  return { operation, target: JSON.stringify(ids), body: world.behaviour.bodyPrint(call) };
}

/** The retry arrives before expiresAt. */
export function requestIsFresh(world: World, request: SignedRequest): Passes {
  if (request.status === 'EXPIRED') throw world.behaviour.refuseRequestId('The Request-Id has expired.');
}
