import type { Replacements } from '../../areas/rules.ts';
import type { Reply } from '../../server/call.ts';
import type { JsonObject } from '../../server/json.ts';
import { type Passes, Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';

/** A rule that never objects. */
export const objectsNever = () => (): Passes => undefined;

/** Says no, although nothing in the request deserves it. */
export function refused(why: string): never {
  throw new Refusal(403, 'FORBIDDEN', why);
}

/** Long enough for a second request to come in between. */
export const RACE_MILLISECONDS = 40;

/** The same refusal with another code. */
export function coded<Rest extends unknown[]>(code: string) {
  return (original: (world: World, ...rest: Rest) => Refusal) =>
    (world: World, ...rest: Rest): Refusal => {
      const { status, message, headers } = original(world, ...rest);
      return new Refusal(status, code, message, { headers });
    };
}

/** The last look at answers: changes those whose body, an object, matches. */
export function answers(
  matches: (body: JsonObject, reply: Reply) => boolean,
  change: (reply: Reply) => Reply,
): Replacements {
  return {
    finishReply: (original) => (world, reply) => {
      const done = original(world, reply);
      const { body } = done;
      const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
      return isObject && matches(body as JsonObject, done) ? change(done) : done;
    },
  };
}

/** Whether an id is of this type. */
export const isId = (type: string, value: unknown): boolean =>
  typeof value === 'string' && value.startsWith(`${type}:`);
