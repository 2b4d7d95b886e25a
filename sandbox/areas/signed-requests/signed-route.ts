import type { Route } from '../../server/area.ts';
import type { Call, Reply } from '../../server/call.ts';
import type { SignedOperation } from './rules.ts';

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
      const print = world.rules.printOf(call, operation);
      const proof = isSigned(call) ? world.rules.readProof(call, print) : undefined;
      const work = await prepare(call);
      if (!('complete' in work)) return work;
      return proof ? world.rules.completeSigned(work, proof) : world.rules.askForSignature(print, work);
    },
  };
}
