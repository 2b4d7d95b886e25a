import type { Replacements, BehaviourSet } from '../areas/behaviour.ts';
import { giving, answeringWith } from '../areas/replacements.ts';
import type { Reply } from '../server/area.ts';
import type { Json, JsonObject } from '../server/json.ts';
import { Refusal } from '../server/refusal.ts';
import type { World } from '../world/world.ts';

/** A small planted breach of the interface. */
export interface Fault {
  /** Kebab-case; tells the mistake. */
  readonly name: string;
  /** The rule of schemas/rules/ that it breaks, and no other. */
  readonly breaks: string;
  /** Rules that cannot help being broken with it, because they say the same of another moment. */
  readonly also?: readonly string[];
  /** One sentence for people. */
  readonly says: string;
  readonly replace: Replacements;
}

/**
 * A row of the table of faults.
 *
 * @param name tells the mistake, in kebab-case
 * @param breaks the rule, and after it those that cannot help being broken as well
 */
export function fault(
  name: string,
  breaks: string | readonly [rule: string, ...also: string[]],
  replace: Replacements,
): Fault {
  const [rule, ...also] = typeof breaks === 'string' ? [breaks] : breaks;
  const words = name.replaceAll('-', ' ');
  const says = `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  return { name, breaks: rule, says, replace, ...(also.length > 0 ? { also } : {}) };
}

/** Rows of one rule, by name. @param breaks as in `fault` */
export const breaking = (
  breaks: Parameters<typeof fault>[1],
  rows: Readonly<Record<string, Replacements>>,
): readonly Fault[] => Object.entries(rows).map(([name, replace]) => fault(name, breaks, replace));

/** For faults whose mistake is a move that the life of these records does not have. */
export const anyMoveOf = (...kinds: readonly string[]): Replacements => ({
  legalMove: (original) => (world, life, from, to) =>
    kinds.includes(life.kind) || original(world, life, from, to),
});

/** Functions of the behaviour that show a record as a JSON object. */
export type Presenter = {
  [Name in keyof BehaviourSet]: BehaviourSet[Name] extends (world: World, ...rest: never[]) => JsonObject
    ? Name
    : never;
}[keyof BehaviourSet];

/** A presenter, or an operation by method and path: then its answer is meant. */
export type Shows = Presenter | `${Uppercase<string>} /${string}`;

type Present = (world: World, ...rest: unknown[]) => JsonObject;

/** Something else is shown. */
export function shown(
  presenter: Shows,
  change: (object: JsonObject, world: World) => JsonObject,
): Replacements {
  if (presenter.includes(' ')) return answeringWith(presenter, change);
  return {
    [presenter]:
      (original: Present): Present =>
      (world, ...rest) =>
        change(original(world, ...rest), world),
  };
}

/** One field of a presenter gone wrong: makers of one-line faults. */
export function field(presenter: Shows, name: string) {
  return {
    drop: (): Replacements => shown(presenter, ({ [name]: _, ...rest }) => rest),
    set: (value: Json): Replacements => shown(presenter, (object) => ({ ...object, [name]: value })),
    /** Only where it is there. */
    map: (change: (value: Json) => Json): Replacements =>
      shown(presenter, (object) =>
        object[name] === undefined ? object : { ...object, [name]: change(object[name]) },
      ),
    /** Only where it is text. */
    mapText: (change: (text: string) => Json): Replacements =>
      shown(presenter, (object) => {
        const value = object[name];
        return typeof value === 'string' ? { ...object, [name]: change(value) } : object;
      }),
    rename: (to: string): Replacements =>
      shown(presenter, ({ [name]: value, ...rest }) => ({ ...rest, [to]: value })),
  };
}

/** An id without its type: the uuid alone. */
export const bare = (id: Json): string => String(id).replace(/^.*:/, '');

/** Any one of them, to be wrapped. */
export type Behave = (...args: unknown[]) => unknown;

/**
 * Lets some functions do otherwise while another one is at work: for a mistake of one operation alone.
 *
 * @param outer waits for nothing
 * @param isMeant looks at its arguments behind the world
 */
export function within(
  outer: keyof BehaviourSet,
  inner: Replacements,
  isMeant: (...rest: never[]) => boolean = () => true,
): Replacements {
  let depth = 0;
  const around =
    (original: Behave): Behave =>
    (world, ...rest) => {
      if (!(isMeant as Behave)(...rest)) return original(world, ...rest);
      depth += 1;
      try {
        return original(world, ...rest);
      } finally {
        depth -= 1;
      }
    };
  const meanwhile =
    (replace: (original: Behave) => Behave) =>
    (original: Behave): Behave => {
      const other = replace(original);
      return (...args) => (depth > 0 ? other : original)(...args);
    };
  const entries = Object.entries(inner) as [string, (original: Behave) => Behave][];
  return {
    ...Object.fromEntries(entries.map(([name, replace]) => [name, meanwhile(replace)])),
    [outer]: around,
  };
}

/** Says no, although nothing in the request deserves it. */
export function refused(why: string): never {
  throw new Refusal(403, 'FORBIDDEN', why);
}

/** Long enough for a second request to come in between. */
export const RACE_MILLISECONDS = 40;

/** The last look at answers: changes those whose body, an object, matches. */
export function answers(
  matches: (body: JsonObject, reply: Reply) => boolean,
  change: (reply: Reply) => Reply,
): Replacements {
  return {
    finishReply: giving((done) => {
      const { body } = done;
      const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
      return isObject && matches(body as JsonObject, done) ? change(done) : done;
    }),
  };
}

/** An answer whose body comes in a list of one. */
export const inAList = (reply: Reply): Reply => ({ ...reply, body: [reply.body ?? null] });

/** Whether an id is of this type. */
export const isId = (type: string, value: unknown): boolean =>
  typeof value === 'string' && value.startsWith(`${type}:`);
