import fc from 'fast-check';

/** Makes text that no JSON parser may take out of the text of an object. */
const TAMPERINGS: Readonly<Record<string, (json: string, at: number) => string>> = {
  'cut short': (json, at) => json.slice(0, 1 + (at % (json.length - 1))),
  'no closing brace': (json) => json.slice(0, -1),
  'no colon': (json) => json.replace(':', ' '),
  'bare word': () => 'transfer',
};

export interface MalformedJson {
  readonly mistake: string;
  readonly text: string;
}

/**
 * Texts that are not JSON. Comments, trailing commas, NaN, single quotes and text after the value are left out: some parsers
 * are generous there.
 *
 * @param value an object, legal as a body
 */
export function malformedJson(value: object): fc.Arbitrary<MalformedJson> {
  const json = JSON.stringify(value);
  return fc
    .tuple(fc.constantFrom(...Object.keys(TAMPERINGS)), fc.nat({ max: json.length }))
    .map(([mistake, at]) => ({
      mistake,
      text: (TAMPERINGS[mistake] as (json: string, at: number) => string)(json, at),
    }));
}

/**
 * One field that a schema does not have, with a value of any JSON type: the legal control of a one-mistake request,
 * where the interface does not forbid further fields.
 *
 * @param known names that must not come
 */
export function extraFields(known: readonly string[]): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const names = fc
    .constantFrom('x', 'note', 'metadata', 'externalReference', 'clientVersion', 'traceId')
    .filter((name) => !known.includes(name));
  const values = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant({}),
    fc.constant([]),
  );
  return fc.tuple(names, values).map(([name, value]) => ({ [name]: value }));
}
