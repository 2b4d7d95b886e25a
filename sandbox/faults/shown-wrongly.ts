import type { Json } from '../server/json.ts';
import { type Fault, type Shows, bare, field } from './fault.ts';

/** How a field is shown instead. One that takes no value stands also where the field is absent. */
type Change = (value: Json) => Json;

/** Applies to text alone: whatever else stands there stays. */
export const inText =
  (change: (value: string) => Json): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value;

/** The mistakes that many fields share; `missing` leaves the field out. */
const MISTAKES = {
  missing: undefined,
  null: () => null,
  zero: () => 0,
  negative: () => -1,
  'as-text': String,
  'bare-uuid': inText(bare),
  'in-small-letters': inText((value) => value.toLowerCase()),
  'with-fraction': (value) => Number(value) + 0.5,
  'in-milliseconds': inText((at) => Date.parse(at)),
  'in-seconds': inText((at) => Math.floor(Date.parse(at) / 1_000)),
  'without-time': inText((at) => at.slice(0, 10)),
  'a-day-before': inText((at) => new Date(Date.parse(at) - 86_400_000).toISOString()),
} satisfies Record<string, Change | undefined>;

/** A mistake by its name, or one of its own: what is wrong in kebab-case, and how the field is shown. */
type Mistake = keyof typeof MISTAKES | readonly [name: string, change: Change];

/**
 * A fault for each way to show a field of a record wrongly.
 *
 * @param what how people call the record
 * @param fields by name: the rule that speaks of the field, then what goes wrong with it, one fault each
 */
export function shownWrongly(
  presenter: Shows,
  what: string,
  fields: Readonly<Record<string, readonly [rule: string, ...mistakes: Mistake[]]>>,
): readonly Fault[] {
  return Object.entries(fields).flatMap(([name, [breaks, ...mistakes]]) =>
    mistakes.map((mistake): Fault => {
      const [wrong, change] = typeof mistake === 'string' ? [mistake, MISTAKES[mistake]] : mistake;
      const one = field(presenter, name);
      return {
        name: `${kebab(what)}-${kebab(name)}-${wrong}`,
        breaks,
        says: `${capital(what)}: ${name} ${wrong.replaceAll('-', ' ')}.`,
        replace: !change ? one.drop() : change.length === 0 ? one.set(change(null)) : one.map(change),
      };
    }),
  );
}

function kebab(words: string): string {
  return words
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`)
    .replaceAll(' ', '-')
    .toLowerCase();
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
