import type { Reply, Route } from '../server/area.ts';
import { isObject, type Json, type JsonObject } from '../server/json.ts';
import { Refusal, refusedAs } from '../server/refusal.ts';
import type { World } from '../world/world.ts';
import type { Replacements } from './behaviour.ts';

/** A function that does nothing: a check that never objects. */
export const nothing = () => (): undefined => undefined;
export const yes = () => (): boolean => true;
export const no = () => (): boolean => false;

export type AfterWorld<F> = F extends (world: never, ...rest: infer Rest) => unknown ? Rest : never;

/** A function that gives this where it is meant, and does as before elsewhere. @param isMeant looks at what follows the world */
export const where =
  <F extends (...args: never[]) => unknown>(
    isMeant: (...rest: AfterWorld<F>) => boolean,
    given: ReturnType<F>,
  ) =>
  (original: F): F =>
    ((world: never, ...rest: never[]) =>
      isMeant(...(rest as AfterWorld<F>)) ? given : original(world, ...rest)) as F;

/**
 * A function that gives something else than is usual.
 *
 * @param change gets that, and what the function is called with; where the function only looks, it leaves no trace
 */
export const giving =
  <F extends (...args: never[]) => unknown>(
    change: (usual: ReturnType<F>, ...args: Parameters<F>) => ReturnType<F>,
  ) =>
  (original: F): F =>
    ((...args: Parameters<F>) => change(original(...args) as ReturnType<F>, ...args)) as F;

/** A function that is asked something else. @param change of what follows the world */
export const asking =
  <F extends (...args: never[]) => unknown>(change: (...rest: AfterWorld<F>) => AfterWorld<F>) =>
  (original: F): F =>
    ((world: never, ...rest: never[]) => original(world, ...change(...(rest as AfterWorld<F>)))) as F;

/** Whether a route is the one that is named by method and path, or one of those that an expression finds so. */
export function isAmong({ method, path }: Route, operations: string | RegExp): boolean {
  const line = `${method} ${path}`;
  return typeof operations === 'string' ? line === operations : operations.test(line);
}

/**
 * Other answers of an operation that has done what it was asked for; not of a first call that asks for a signature.
 *
 * @param operations method and path, as the routes have them
 */
export const answering = (
  operations: string | RegExp,
  change: (reply: Reply, world: World) => Reply,
): Replacements => ({
  handleCall: (original) => async (world, call, route) => {
    const reply = await original(world, call, route);
    const isDone = reply.status < 300 && !(isObject(reply.body) && 'payloadToSign' in reply.body);
    return isAmong(route, operations) && isDone ? change(reply, world) : reply;
  },
});

/** The same for the body of an answer, where it is an object. */
export const answeringWith = (
  operations: string | RegExp,
  change: (body: JsonObject, world: World) => Json,
): Replacements =>
  answering(operations, (reply, world) =>
    isObject(reply.body) ? { ...reply, body: change(reply.body, world) } : reply,
  );

/** Events of these types tell something else of what has changed. */
export const telling = (types: RegExp, change: (data: JsonObject) => Json): Replacements => ({
  tell: asking((id, type, data) => [id, type, types.test(type) ? change(data as JsonObject) : data]),
});

/** The same refusal with another code, and another status where one is given. */
export function coded<Rest extends unknown[]>(code: string, status?: number) {
  return (original: (world: World, ...rest: Rest) => Refusal) =>
    (world: World, ...rest: Rest): Refusal =>
      recoded(original(world, ...rest), code, status);
}

/** A function that refuses what it refused before, with another code and status. */
export function refusingWith<Rest extends unknown[], Result>(code: string, status: number) {
  return (original: (world: World, ...rest: Rest) => Result) =>
    (world: World, ...rest: Rest): Result =>
      refusedAs(
        () => original(world, ...rest),
        (refusal) => recoded(refusal, code, status),
      );
}

function recoded(refusal: Refusal, code: string, status = refusal.status): Refusal {
  return new Refusal(status, code, refusal.message, { headers: refusal.headers });
}
