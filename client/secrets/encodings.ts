import { BREAK, bytesOf, ViewWriter, type View } from './view.ts';

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
  let writer: ViewWriter | undefined;
  let done = 0;
  for (const match of of.bytes.matchAll(ANY_ESCAPE)) {
    writer ??= new ViewWriter(of.bytes.length);
    writer.copy(of, done, match.index);
    done = match.index + match[0].length;
    const start = of.starts[match.index] as number;
    const end = of.ends[done - 1] as number;
    const row = ESCAPES.findIndex((_, index) => match[index + 1] !== undefined);
    const stands = ESCAPES[row]?.[1](match[row + 1] as string) ?? '';
    for (let at = 0; at < stands.length; at += 1) writer.put(stands.charCodeAt(at), start, end);
  }
  writer?.copy(of, done, of.bytes.length);
  return writer?.view();
}

interface Encoding {
  /** Digits that are enough for the shortest secret. */
  readonly runs: RegExp;
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
  bits: 6,
  alignments: 4,
  most: 4,
  values: valuesOf(`${LETTERS}+/`, `${LETTERS}-_`),
};
const HEXADECIMAL: Encoding = {
  runs: /[\da-fA-F]{12,}/g,
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
      .filter(
        ([from, to]) => isText || (of.ends[to - 1] as number) - (of.starts[from] as number) !== to - from,
      );
    if (runs.length === 0) return [];
    const writer = new ViewWriter(runs.reduce((sum, [from, to]) => sum + (to - from) * encoding.most, 0));
    for (const [from, to] of runs)
      for (let skip = 0; skip < encoding.alignments; skip += 1) decode(of, from + skip, to, encoding, writer);
    return [writer.view()];
  });
}

/** In both encodings a byte stands in two digits, the last one and the one before. */
function decode(of: View, from: number, to: number, { bits, values }: Encoding, writer: ViewWriter): void {
  const { bytes, starts, ends } = of;
  let held = 0;
  let count = 0;
  for (let at = from; at < to; at += 1) {
    held = (held << bits) | (values[bytes.charCodeAt(at)] as number);
    count += bits;
    if (count < 8) continue;
    count -= 8;
    const padded = at + 1 === to ? endOfPadding(bytes, to) : at + 1;
    writer.put((held >> count) & 0xff, starts[at - 1] as number, ends[padded - 1] as number);
  }
  writer.put(BREAK.charCodeAt(0), 0, 0);
}

function endOfPadding(bytes: string, from: number): number {
  let end = from;
  while (end < from + 2 && bytes[end] === '=') end += 1;
  return end;
}
