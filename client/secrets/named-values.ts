import { hashOfEnd, isSecretName, isSeed, LONGEST_NAME, MAY_END_NAME } from './names.ts';
import { MASK, type Spans } from './spans.ts';
import { BREAK, bytesOf, type View } from './view.ts';

const [QUOTE, SINGLE_QUOTE, BACKSLASH, COLON, EQUALS] = [0x22, 0x27, 0x5c, 0x3a, 0x3d];
const MASK_BYTES = bytesOf(MASK);
/** More space than stands between a name and its colon. */
const LONGEST_SPACE = 64;
const SHORTEST_NAME = 3;
/** A text that is shorter is no seed of a wallet. */
const SHORTEST_SEED = 16;

const setOf = (characters: string) => {
  const set = new Uint8Array(256);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
};
const IN_NAME = setOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-');
const IN_NUMBER = setOf('0123456789+-.eE');
const IS_SPACE = setOf(' \t\r\n');
/** What ends the value of a parameter. */
const ENDS_VALUE = setOf(' \t\r\n&;,#<>"\'`()[]{}\\|\0');

/** Masks what stands below a name that holds a secret, in JSON (`"otpCode": "…"`) and in parameters (`otpCode=…`). */
export function maskNamedValues(view: View, spans: Spans): void {
  const { bytes, length } = view;
  const ends = MAY_END_NAME;
  for (let at = SHORTEST_NAME; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === EQUALS) {
      if (ends[hashBefore(bytes, at)] === 1) at = Math.max(at, maskParameter(view, at, spans));
    } else if (byte === COLON) {
      const end = endOfName(bytes, at);
      if (ends[hashBefore(bytes, end)] === 1) at = Math.max(at, maskField(view, at, end, spans));
    }
  }
}

/** Most names can be told from those of secrets by their last letters. */
function hashBefore(bytes: Uint8Array, end: number): number {
  return hashOfEnd(bytes[end - 3] ?? BREAK, bytes[end - 2] ?? BREAK, bytes[end - 1] ?? BREAK);
}

/** Index after the name of the field whose colon this is, without its quote. */
function endOfName(bytes: Uint8Array, colon: number): number {
  let end = colon;
  while (end > 0 && IS_SPACE[bytes[end - 1] as number] === 1 && end > colon - LONGEST_SPACE) end -= 1;
  return isQuote(bytes[end - 1]) ? end - 1 : end;
}

/** @returns the index of the last byte that was looked at */
function maskParameter(view: View, equals: number, spans: Spans): number {
  const { bytes, length } = view;
  const name = nameBefore(view, equals);
  if (name === undefined || !holdsSecret(name)) return equals;
  const from = equals + 1;
  if (isQuote(bytes[from])) return maskText(view, from, name, spans);
  let to = from;
  while (to < length && ENDS_VALUE[bytes[to] as number] === 0) to += 1;
  mask(view, from, to, name, spans);
  return to - 1;
}

/** @returns the index of the last byte that was looked at */
function maskField(view: View, colon: number, end: number, spans: Spans): number {
  const { bytes, length } = view;
  const name = nameBefore(view, end);
  if (name === undefined || !holdsSecret(name)) return colon;
  const isQuoted = isQuote(bytes[end]);
  if (isQuoted && bytes[end - name.length - 1] !== bytes[end]) return colon;
  let at = colon + 1;
  while (at < length && IS_SPACE[bytes[at] as number] === 1) at += 1;
  if (isQuote(bytes[at])) return maskText(view, at, name, spans);
  if (IN_NUMBER[bytes[at] ?? BREAK] === 1 && !isSeed(name))
    return maskNumber(view, at, isQuoted ? end : undefined, spans);
  if (isQuoted && (bytes[at] === 0x5b || bytes[at] === 0x7b)) return maskAllBelow(view, at, end, name, spans);
  return at - 1;
}

/** A list or an object: whatever it holds is secret. */
function maskAllBelow(view: View, open: number, quoteAt: number, name: string, spans: Spans): number {
  const { bytes, length } = view;
  let depth = 0;
  for (let at = open; at < length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === 0x5b || byte === 0x7b) depth += 1;
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    else if (byte === QUOTE) {
      const end = endOfText(view, at);
      if (bytes[end + 1] !== COLON) mask(view, at + 1, end, name, spans);
      at = end;
    } else if (IN_NUMBER[byte] === 1 && byte !== 0x65 && byte !== 0x45)
      at = isSeed(name) ? at : maskNumber(view, at, quoteAt, spans);
    else if (byte === BREAK) return at;
    if (depth === 0) return at;
  }
  return length;
}

function maskText(view: View, quoteAt: number, name: string, spans: Spans): number {
  const end = endOfText(view, quoteAt);
  mask(view, quoteAt + 1, end, name, spans);
  return end;
}

/** A mask is a text, so it is put in quotes: the ones that the name has, in whatever way they are escaped. */
function maskNumber(view: View, from: number, quoteAt: number | undefined, spans: Spans): number {
  const { bytes, length } = view;
  let to = from;
  while (to < length && IN_NUMBER[bytes[to] as number] === 1) to += 1;
  const quote =
    quoteAt === undefined ? undefined : { start: view.startOf(quoteAt), end: view.endOf(quoteAt + 1) };
  spans.addNumber(view.startOf(from), view.endOf(to), quote);
  return to - 1;
}

function mask(view: View, from: number, to: number, name: string, spans: Spans): void {
  if (to <= from || isMasked(view, from, to)) return;
  if (isSeed(name) && to - from < SHORTEST_SEED) return;
  spans.add(view.startOf(from), view.endOf(to));
}

function isMasked({ bytes }: View, from: number, to: number): boolean {
  if (to - from !== MASK_BYTES.length) return false;
  return MASK_BYTES.every((byte, index) => bytes[from + index] === byte);
}

/** Index of the quote that ends a text, or of the end of the view where a cut has taken it away. */
function endOfText({ bytes, length }: View, quoteAt: number): number {
  const quote = bytes[quoteAt];
  for (let at = quoteAt + 1; at < length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === quote) return at;
    else if (bytes[at] === BREAK) return at;
  }
  return length;
}

function isQuote(byte: number | undefined): boolean {
  return byte === QUOTE || byte === SINGLE_QUOTE;
}

function holdsSecret(name: string): boolean {
  return isSecretName(name) || isSeed(name);
}

function nameBefore({ bytes }: View, end: number): string | undefined {
  let from = end;
  while (from > 0 && IN_NAME[bytes[from - 1] as number] === 1) {
    from -= 1;
    if (end - from > LONGEST_NAME) return undefined;
  }
  return end === from ? undefined : String.fromCharCode(...bytes.subarray(from, end));
}
