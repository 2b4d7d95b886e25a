import { Refusal, refusedAs } from '../server/refusal.ts';
import type { World } from '../world/world.ts';

/** A function that does nothing: a check that never objects. */
export const nothing = () => (): undefined => undefined;
export const yes = () => (): boolean => true;
export const no = () => (): boolean => false;

type AfterWorld<F> = F extends (world: never, ...rest: infer Rest) => unknown ? Rest : never;

/** A function that gives this where it is meant, and does as before elsewhere. @param isMeant looks at what follows the world */
export const where =
  <F extends (...args: never[]) => unknown>(
    isMeant: (...rest: AfterWorld<F>) => boolean,
    given: ReturnType<F>,
  ) =>
  (original: F): F =>
    ((world: never, ...rest: never[]) =>
      isMeant(...(rest as AfterWorld<F>)) ? given : original(world, ...rest)) as F;

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
