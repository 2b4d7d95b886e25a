import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { wrongRecordId, ID_MISTAKES } from './ids.ts';
import type { Schema } from '../schemas/contract.ts';
import { INT64 } from '../schemas/openapi.ts';

/** A kind of mistake, in words that follow the name of a field. */
export type MistakeKind =
  | 'missing'
  | 'null'
  | 'wrong type'
  | 'too long'
  | 'not in the list'
  | 'a fraction'
  | 'beyond 64 bits'
  | 'as text'
  | 'not of its form';

/** An illegal value and why it is one. */
export interface WrongValue {
  readonly kind: MistakeKind;
  readonly value: unknown;
}

/** Values of another JSON type than the named one, the plainest first. No fractions: they are numbers. */
const OF_ANOTHER_TYPE: Readonly<Record<string, readonly unknown[]>> = {
  string: [1, true, {}, []],
  integer: [true, {}, [], [1], 'text'],
  number: [true, {}, [], [1], 'text'],
  boolean: ['true', 1, {}, []],
  object: ['text', 1, true, []],
  array: ['text', 1, true, {}],
};

/** Over a limit however characters are counted: each of these is at least one code point, UTF-16 unit and grapheme. */
const CHARACTERS = ['x', '\u00e9', '\u05e9', '\u{1f4b6}', 'e\u0301'];

/** Record ids and other forms that a wrong value can be made for. */
const RECORD_ID = /^\^([A-Z]\w*):\[0-9a-fA-F\]/;

/** Every illegal value of a field that has a schema in plain keywords (`plainly`). @param legal a legal value of it */
export function wrongValues(schema: Schema, legal: unknown): readonly WrongValue[] {
  const type = String(schema['type']);
  return [
    ...(OF_ANOTHER_TYPE[type] ?? []).map((value): WrongValue => ({ kind: 'wrong type', value })),
    // A reader that unwraps what it is given takes it for the value itself.
    ...(legal === undefined || !(type in OF_ANOTHER_TYPE) || type === 'array'
      ? []
      : [{ kind: 'wrong type' as const, value: [legal] }]),
    ...ofNumbers(schema, legal),
    ...ofTexts(schema, legal),
  ];
}

function ofNumbers(schema: Schema, legal: unknown): readonly WrongValue[] {
  if (schema['type'] !== 'integer') return [];
  const near = typeof legal === 'number' ? legal : 1_000;
  const whole = (value: bigint) => ({ kind: 'beyond 64 bits' as const, value });
  return [
    { kind: 'as text', value: String(near) },
    { kind: 'a fraction', value: near + 0.5 },
    { kind: 'a fraction', value: new LosslessNumber(`${near}.000000001`) },
    { kind: 'a fraction', value: new LosslessNumber(`${near}5e-1`) },
    ...(schema['format'] === 'int64'
      ? [
          whole(INT64.max + 1n),
          whole(INT64.min - 1n),
          whole(2n ** 64n + BigInt(near)),
          whole(2n ** 127n),
          { kind: 'beyond 64 bits' as const, value: new LosslessNumber('1e400') },
        ]
      : []),
  ];
}

function ofTexts(schema: Schema, legal: unknown): readonly WrongValue[] {
  if (schema['type'] !== 'string') return [];
  const max = schema['maxLength'] as number | undefined;
  const members = schema['enum'] as string[] | undefined;
  const pattern = String(schema['pattern'] ?? '');
  const [, resource] = RECORD_ID.exec(pattern) ?? [];
  return [
    ...(max === undefined
      ? []
      : [
          ...CHARACTERS.map((one): WrongValue => ({ kind: 'too long', value: one.repeat(max + 1) })),
          ...[2, 100].map((times): WrongValue => ({ kind: 'too long', value: 'x'.repeat(times * max) })),
        ]),
    ...(members ? notIn(members, legal) : []),
    ...(resource !== undefined && typeof legal === 'string'
      ? ID_MISTAKES.map((mistake, at): WrongValue => ({
          kind: 'not of its form',
          value: wrongRecordId(legal, mistake, at),
        }))
      : []),
    ...(pattern.startsWith('^([0-9a-fA-F]{2})+')
      ? ['', '0', 'not hexadecimal', '04zz'].map((value): WrongValue => ({ kind: 'not of its form', value }))
      : []),
  ];
}

/** The legal value itself in small letters first: a service that folds letters takes it for what it would otherwise be. */
function notIn(members: readonly string[], legal: unknown): readonly WrongValue[] {
  const misses = listNearMisses(members);
  const folded = typeof legal === 'string' ? legal.toLowerCase() : '';
  const values = misses.includes(folded) ? [folded, ...misses.filter((one) => one !== folded)] : misses;
  return values.map((value) => ({ kind: 'not in the list', value }));
}

/** Words that are in no enumeration of the interface, however near they sound. */
const NEIGHBOURS = ['CHECK', 'CASH', 'UNKNOWN', 'NONE', 'DEFAULT', 'ANY', 'BITCOIN', 'RENT'];

const TAMPERINGS: readonly ((member: string) => string)[] = [
  (member) => member.toLowerCase(),
  (member) => `${member}X`,
  (member) => `${member}_`,
  (member) => member.slice(0, -1),
  (member) => `${member}${member.slice(-1)}`,
  (member) => `X_${member}`,
  (member) => member.replaceAll('_', '-'),
  (member) => `${member},${member}`,
  (member) => `${member} `,
];

/**
 * Texts that look like members of an enumeration and are none. The empty text is left out: some services take it for an
 * absent field.
 *
 * @param members the legal values
 */
export function nearMisses(members: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...listNearMisses(members));
}

/** All of them. */
function listNearMisses(members: readonly string[]): readonly string[] {
  const legal = new Set(members);
  const misses = new Set(
    [...NEIGHBOURS, ...members.flatMap((member) => TAMPERINGS.map((tamper) => tamper(member)))].filter(
      (miss) => miss !== '' && !legal.has(miss),
    ),
  );
  return [...misses];
}
