import { HEX } from './escapes.ts';
import { BREAK, type View } from './view.ts';

/** The value of each character of base64 and base64url; -1 for all other bytes. */
const SIXTY_FOUR = new Int8Array(256).fill(-1);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach(
  (character, value) => (SIXTY_FOUR[character.charCodeAt(0)] = value),
);
SIXTY_FOUR['-'.charCodeAt(0)] = 62;
SIXTY_FOUR['_'.charCodeAt(0)] = 63;
const PADDING = '='.charCodeAt(0);

/** 1 for each byte that is a character of base64 or base64url. */
export const IN_BASE64 = Uint8Array.from(SIXTY_FOUR, (value) => (value < 0 ? 0 : 1));
/** The shortest secret, six bytes, in base64. */
export const SHORTEST_BASE64 = 8;
/** The same in hexadecimal digits. */
const SHORTEST_HEX = 12;

/**
 * What the runs of base64 and of hexadecimal digits in a view stand for. An encoded text may follow other characters of
 * its alphabet, so each run is read from its first four (base64) or two (hexadecimal) characters on: one view each.
 */
export function encodedViews(of: View): readonly View[] {
  const { bytes, length } = of;
  const hex = HEX;
  const runs: number[] = [];
  const hexRuns: number[] = [];
  let start = 0;
  let hexStart = 0;
  for (let at = 0; at <= length; at += 1) {
    const byte = at < length ? (bytes[at] as number) : BREAK;
    if ((hex[byte] as number) >= 0) continue;
    if (at - hexStart >= SHORTEST_HEX && of.isNew(hexStart, at)) hexRuns.push(hexStart, at);
    hexStart = at + 1;
    if ((SIXTY_FOUR[byte] as number) >= 0) continue;
    if (at - start >= SHORTEST_BASE64 && of.isNew(start, at)) runs.push(start, at);
    start = at + 1;
  }
  const views: View[] = [];
  if (runs.length > 0) for (let skip = 0; skip < 4; skip += 1) views.push(new Base64View(of, runs, skip));
  if (hexRuns.length > 0) for (let skip = 0; skip < 2; skip += 1) views.push(new HexView(of, hexRuns, skip));
  return views;
}

/** What runs of digits stand for, with a break after each. */
abstract class EncodedView implements View {
  readonly bytes: Uint8Array;
  length = 0;
  protected readonly of: View;
  readonly #runs: readonly number[];
  readonly #skip: number;
  /** Where in these bytes what a run stands for begins. */
  readonly #places: number[] = [];

  protected constructor(of: View, runs: readonly number[], skip: number) {
    this.of = of;
    this.#runs = runs;
    this.#skip = skip;
    let size = 0;
    for (let run = 0; run < runs.length; run += 2) size += (runs[run + 1] as number) - (runs[run] as number);
    this.bytes = new Uint8Array(size);
    for (let run = 0; run < runs.length; run += 2) {
      this.#places.push(this.length);
      this.length = this.decode((runs[run] as number) + skip, runs[run + 1] as number, this.length);
      this.bytes[this.length++] = BREAK;
    }
  }

  /** Decodes the digits from `at` to `end`. @returns the index after the last byte */
  protected abstract decode(at: number, end: number, out: number): number;
  abstract startOf(from: number): number;
  abstract endOf(to: number): number;

  isNew(): boolean {
    return true;
  }

  /** The run that a byte stands for a part of, and how many bytes of it come before. */
  protected placeOf(at: number): { readonly origin: number; readonly offset: number } {
    const places = this.#places;
    let low = 0;
    for (let high = places.length; low + 1 < high;) {
      const middle = (low + high) >> 1;
      if ((places[middle] as number) <= at) low = middle;
      else high = middle;
    }
    return { origin: (this.#runs[low * 2] as number) + this.#skip, offset: at - (places[low] as number) };
  }
}

class Base64View extends EncodedView {
  constructor(of: View, runs: readonly number[], skip: number) {
    super(of, runs, skip);
  }

  protected decode(from: number, end: number, to: number): number {
    const table = SIXTY_FOUR;
    const { bytes } = this.of;
    const out = this.bytes;
    let at = from;
    let count = to;
    for (; at + 4 <= end; at += 4) {
      const group =
        ((table[bytes[at] as number] as number) << 18) |
        ((table[bytes[at + 1] as number] as number) << 12) |
        ((table[bytes[at + 2] as number] as number) << 6) |
        (table[bytes[at + 3] as number] as number);
      out[count] = group >> 16;
      out[count + 1] = group >> 8;
      out[count + 2] = group;
      count += 3;
    }
    if (end - at < 2) return count;
    const second = table[bytes[at + 1] as number] as number;
    out[count++] = ((table[bytes[at] as number] as number) << 2) | (second >> 4);
    if (end - at === 3) out[count++] = (second << 4) | ((table[bytes[at + 2] as number] as number) >> 2);
    return count;
  }

  startOf(from: number): number {
    const { origin, offset } = this.placeOf(from);
    return this.of.startOf(origin + Math.floor(offset / 3) * 4 + (offset % 3));
  }

  endOf(to: number): number {
    const { origin, offset } = this.placeOf(to - 1);
    let end = origin + Math.floor(offset / 3) * 4 + (offset % 3) + 2;
    for (const most = end + 2; end < most && this.of.bytes[end] === PADDING;) end += 1;
    return this.of.endOf(end);
  }
}

class HexView extends EncodedView {
  constructor(of: View, runs: readonly number[], skip: number) {
    super(of, runs, skip);
  }

  protected decode(from: number, end: number, to: number): number {
    const hex = HEX;
    const { bytes } = this.of;
    let count = to;
    for (let at = from; at + 2 <= end; at += 2)
      this.bytes[count++] =
        ((hex[bytes[at] as number] as number) << 4) | (hex[bytes[at + 1] as number] as number);
    return count;
  }

  startOf(from: number): number {
    const { origin, offset } = this.placeOf(from);
    return this.of.startOf(origin + offset * 2);
  }

  endOf(to: number): number {
    const { origin, offset } = this.placeOf(to - 1);
    return this.of.endOf(origin + offset * 2 + 2);
  }
}
