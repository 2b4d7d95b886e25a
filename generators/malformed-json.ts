import fc from 'fast-check';

/** Makes text that no JSON parser may take out of the text of an object. */
const BENDS: Readonly<Record<string, (json: string, at: number) => string>> = {
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
    .tuple(fc.constantFrom(...Object.keys(BENDS)), fc.nat({ max: json.length }))
    .map(([mistake, at]) => ({
      mistake,
      text: (BENDS[mistake] as (json: string, at: number) => string)(json, at),
    }));
}
