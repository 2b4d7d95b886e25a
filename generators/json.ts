import fc from 'fast-check';
import type { Body } from './mistakes.ts';

/** A body written in another way than JSON.stringify writes it. */
export interface JsonWriting {
  readonly says: string;
  readonly text: string;
}

/** Other texts of the same JSON value (RFC 8259): white space, escapes and the order of names carry no meaning. */
export function sameInOtherWords(body: Body): readonly JsonWriting[] {
  const plain = JSON.stringify(body);
  return [
    { says: 'indented', text: JSON.stringify(body, null, 2) },
    { says: 'with white space around it', text: ` \t\r\n${plain}\r\n ` },
    { says: 'with its names in reverse order', text: JSON.stringify(reversed(body)) },
    { says: 'with every letter of its texts escaped', text: escaped(plain) },
    { says: 'with tabs between its tokens', text: JSON.stringify(body, null, '\t') },
  ];
}

/** Texts that begin like JSON and are none: the value is followed by something, or broken, or in another encoding. */
export function noJson(body: Body): readonly JsonWriting[] {
  const plain = JSON.stringify(body);
  return [
    { says: 'cut in the middle', text: plain.slice(0, Math.floor(plain.length / 2)) },
    { says: 'without its last brace', text: plain.slice(0, -1) },
    { says: 'without its first brace', text: plain.slice(1) },
    { says: 'without a colon', text: plain.replace(':', ' ') },
    { says: 'without quotes around its names', text: plain.replace(/"(\w+)":/g, '$1:') },
    { says: 'a bare word', text: 'transfer' },
    { says: 'a form', text: 'amount=1000&source=1' },
    { says: 'XML', text: '<amount>1000</amount>' },
    { says: 'with an open text', text: `${plain.slice(0, -1)},"note":"` },
    { says: 'with an unknown escape', text: `${plain.slice(0, -1)},"note":"\\q"}` },
  ];
}

/** What readers of JSON differ in: names that come twice, text after the value, and the like. Never a verdict. */
export function openWritings(body: Body): readonly JsonWriting[] {
  const plain = JSON.stringify(body);
  const [first = 'x'] = Object.keys(body);
  const twice = `${plain.slice(0, -1)},${JSON.stringify(first)}:${JSON.stringify(body[first])}}`;
  return [
    { says: 'a name twice', text: twice },
    { says: 'text after the value', text: `${plain}x` },
    { says: 'two values', text: `${plain}${plain}` },
    { says: 'a trailing comma', text: `${plain.slice(0, -1)},}` },
    { says: 'a byte order mark', text: `\ufeff${plain}` },
    { says: '__proto__', text: `${plain.slice(0, -1)},"__proto__":{"amount":1}}` },
    { says: 'an unknown field', text: `${plain.slice(0, -1)},"assayUnknown":1}` },
    { says: 'deep nesting', text: `${plain.slice(0, -1)},"deep":${'['.repeat(500)}${']'.repeat(500)}}` },
    { says: 'an unknown field of 1e400', text: `${plain.slice(0, -1)},"big":1e400}` },
    { says: 'a NUL in an unknown field', text: `${plain.slice(0, -1)},"nul":"\\u0000"}` },
  ];
}

function reversed(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, inner]) => [name, reversed(inner)]),
      )
    : value;
}

/** Letters within quotes, names as well. */
function escaped(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replace(/[A-Za-z]/g, (letter, at: number) =>
      text[at - 1] === '\\' ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
}

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
