import type { Json, JsonObject } from '../core/json.ts';
import type { Replacements } from '../core/replacement.ts';
import type { Rules } from '../rules/index.ts';
import type { World } from '../core/world.ts';

/** Rules that show a record as a JSON object. */
export type Presenter = {
  [Name in keyof Rules]: Rules[Name] extends (world: World, ...rest: never[]) => JsonObject ? Name : never;
}[keyof Rules];

type Present = (world: World, ...rest: unknown[]) => JsonObject;

/** A presenter that shows something else. */
export function shown(
  presenter: Presenter,
  change: (object: JsonObject, world: World) => JsonObject,
): Replacements {
  return {
    [presenter]:
      (original: Present): Present =>
      (world, ...rest) =>
        change(original(world, ...rest), world),
  };
}

/** One field of a presenter gone wrong: makers of one-line faults. */
export function field(presenter: Presenter, name: string) {
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
export const bare = (id: string): string => id.replace(/^.*:/, '');
