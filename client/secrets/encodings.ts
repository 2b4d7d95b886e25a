import { BREAK, bytesOf, MadeView, type Piece, type View } from './view.ts';

const SINGLE: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const HEX = '[\\da-fA-F]';

/** The escapes of JSON, scripts, addresses, HTML and terminals: what they look like, and the bytes that they stand for. */
const ESCAPES: readonly (readonly [pattern: string, read: (inner: string) => string])[] = [
  [
    `\\\\u(${HEX}{4}(?:\\\\u[dD][c-fC-F]${HEX}{2})?)`,
    (units) => bytesOf(String.fromCharCode(...units.split('\\u').map((unit) => parseInt(unit, 16)))),
  ],
  [`\\\\u\\{(${HEX}{1,8})\\}`, (digits) => bytesOfPoint(parseInt(digits, 16))],
  [`\\\\x(${HEX}{2})`, (digits) => bytesOfPoint(parseInt(digits, 16))],
  ['\\\\(["\\\\/\'`bfnrt])', (letter) => SINGLE[letter] ?? letter],
  [`%(${HEX}{2})`, (digits) => String.fromCharCode(parseInt(digits, 16))],
  [`&#[xX](${HEX}{1,8});`, (digits) => bytesOfPoint(parseInt(digits, 16))],
  ['&#(\\d{1,8});', (digits) => bytesOfPoint(Number(digits))],
  [`&(${Object.keys(NAMED).join('|')});`, (name) => NAMED[name] as string],
  // Colours within a message: a comparison of two texts marks what differs, in the midst of a secret too.
  ['\u001b\\[([^@-~]{0,9})[@-~]', () => ''],
];
const ANY_ESCAPE = new RegExp(ESCAPES.map(([pattern]) => pattern).join('|'), 'g');

function bytesOfPoint(point: number): string {
  return point > 0x10ffff ? '' : bytesOf(String.fromCodePoint(point));
}

/** A view with one level of escapes taken away, or undefined where it holds none. */
export function unescapedView(of: View): View | undefined {
  const pieces: Piece[] = [];
  let bytes = '';
  let done = 0;
  for (const match of of.bytes.matchAll(ANY_ESCAPE)) {
    const { 0: escape, index: from } = match;
    pieces.push({ at: bytes.length, from: done, to: from, bits: 8 });
    bytes += of.bytes.slice(done, from);
    done = from + escape.length;
    const row = ESCAPES.findIndex((_, index) => match[index + 1] !== undefined);
    pieces.push({ at: bytes.length, from, to: done, bits: 0 });
    bytes += ESCAPES[row]?.[1](match[row + 1] as string) ?? '';
  }
  if (done === 0) return undefined;
  pieces.push({ at: bytes.length, from: done, to: of.bytes.length, bits: 8 });
  return new MadeView(of, bytes + of.bytes.slice(done), pieces);
}

interface Encoding {
  readonly runs: RegExp;
  /** Digits that are enough for the shortest secret. */
  readonly fewest: number;
  readonly bits: number;
  /** An encoded text may follow other characters of its alphabet, so a run is read from each of its first so many digits. */
  readonly alignments: number;
  /** Bytes that a digit stands for at most, in all readings together, with the breaks. */
  readonly most: number;
  readonly values: Uint8Array;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const BASE64: Encoding = {
  runs: /[\w+/-]{8,}/g,
  fewest: 8,
  bits: 6,
  alignments: 4,
  most: 4,
  values: valuesOf(`${LETTERS}+/`, `${LETTERS}-_`),
};
const HEXADECIMAL: Encoding = {
  runs: /[\da-fA-F]{12,}/g,
  fewest: 12,
  bits: 4,
  alignments: 2,
  most: 2,
  values: valuesOf('0123456789abcdef', '0123456789ABCDEF'),
};
const ENCODINGS = [BASE64, HEXADECIMAL];

function valuesOf(...alphabets: readonly string[]): Uint8Array {
  const values = new Uint8Array(256);
  for (const alphabet of alphabets)
    for (let value = 0; value < alphabet.length; value += 1) values[alphabet.charCodeAt(value)] = value;
  return values;
}

/**
 * What the runs of digits in a view stand for in each encoding, with a break after each.
 *
 * @param isText whether the view is of a text as it is; in another one, runs that read the same there are left out
 */
export function decodedViews(of: View, isText: boolean): readonly View[] {
  return ENCODINGS.flatMap((encoding) => {
    const runs = [...of.bytes.matchAll(encoding.runs)]
      .map(({ 0: run, index }) => [index, index + run.length] as const)
      .filter(([from, to]) => isText || of.endOf(to - 1) - of.startOf(from) !== to - from);
    return runs.length === 0 ? [] : [decoded(of, runs, encoding)];
  });
}

function decoded(of: View, runs: readonly (readonly [number, number])[], encoding: Encoding): View {
  const { bits, values, alignments, most, fewest } = encoding;
  const bytes = Buffer.allocUnsafe(runs.reduce((sum, [from, to]) => sum + (to - from) * most, 0));
  const pieces: Piece[] = [];
  let length = 0;
  for (const [first, to] of runs) {
    const end = endOfPadding(of.bytes, to);
    for (let from = first; from < first + alignments && from <= to - fewest; from += 1) {
      pieces.push({ at: length, from, to, bits, end });
      let held = 0;
      let count = 0;
      for (let at = from; at < to; at += 1) {
        held = (held << bits) | (values[of.bytes.charCodeAt(at)] as number);
        count += bits;
        if (count < 8) continue;
        count -= 8;
        bytes[length++] = held >> count;
      }
      bytes[length++] = BREAK.charCodeAt(0);
    }
  }
  return new MadeView(of, bytes.toString('latin1', 0, length), pieces);
}

function endOfPadding(bytes: string, from: number): number {
  let end = from;
  while (end < from + 2 && bytes[end] === '=') end += 1;
  return end;
}
