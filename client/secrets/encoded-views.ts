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

/** Where runs of digits were found, and where what they stand for begins. */
interface Runs {
  readonly origins: number[];
  readonly places: number[];
}

/**
 * What the runs of base64 and of hexadecimal digits in a view stand for. An encoded text may follow other characters of
 * its alphabet, so each run is read from its first four (base64) or two (hexadecimal) characters on: one view each.
 */
export function encodedViews(of: View): readonly View[] {
  const { bytes, length } = of;
  const runs: number[] = [];
  const hexRuns: number[] = [];
  let start = 0;
  let hexStart = 0;
  for (let at = 0; at <= length; at += 1) {
    const byte = at < length ? (bytes[at] as number) : BREAK;
    if ((HEX[byte] as number) < 0) {
      if (at - hexStart >= SHORTEST_HEX && of.isNew(hexStart, at)) hexRuns.push(hexStart, at);
      hexStart = at + 1;
    }
    if (IN_BASE64[byte] === 0) {
      if (at - start >= SHORTEST_BASE64 && of.isNew(start, at)) runs.push(start, at);
      start = at + 1;
    }
  }
  const views: View[] = [];
  if (runs.length > 0) for (let skip = 0; skip < 4; skip += 1) views.push(base64View(of, runs, skip));
  if (hexRuns.length > 0) for (let skip = 0; skip < 2; skip += 1) views.push(hexView(of, hexRuns, skip));
  return views;
}

function base64View(of: View, runs: readonly number[], skip: number): View {
  const { bytes } = of;
  const out = new Uint8Array(sizeOf(runs));
  const found: Runs = { origins: [], places: [] };
  let count = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const end = runs[run + 1] as number;
    let at = (runs[run] as number) + skip;
    found.origins.push(at);
    found.places.push(count);
    for (; at + 4 <= end; at += 4) {
      const group =
        ((SIXTY_FOUR[bytes[at] as number] as number) << 18) |
        ((SIXTY_FOUR[bytes[at + 1] as number] as number) << 12) |
        ((SIXTY_FOUR[bytes[at + 2] as number] as number) << 6) |
        (SIXTY_FOUR[bytes[at + 3] as number] as number);
      out[count] = group >> 16;
      out[count + 1] = group >> 8;
      out[count + 2] = group;
      count += 3;
    }
    if (end - at >= 2) {
      const [a, b] = [
        SIXTY_FOUR[bytes[at] as number] as number,
        SIXTY_FOUR[bytes[at + 1] as number] as number,
      ];
      out[count++] = (a << 2) | (b >> 4);
      if (end - at === 3) out[count++] = (b << 4) | ((SIXTY_FOUR[bytes[at + 2] as number] as number) >> 2);
    }
    out[count++] = BREAK;
  }
  return {
    bytes: out,
    length: count,
    startOf: (from) => {
      const { origin, offset } = placeOf(found, from);
      return of.startOf(origin + Math.floor(offset / 3) * 4 + (offset % 3));
    },
    endOf: (to) => {
      const { origin, offset } = placeOf(found, to - 1);
      let end = origin + Math.floor(offset / 3) * 4 + (offset % 3) + 2;
      for (let most = end + 2; end < most && bytes[end] === PADDING;) end += 1;
      return of.endOf(end);
    },
    isNew: () => true,
  };
}

function hexView(of: View, runs: readonly number[], skip: number): View {
  const { bytes } = of;
  const out = new Uint8Array(sizeOf(runs));
  const found: Runs = { origins: [], places: [] };
  let count = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const end = runs[run + 1] as number;
    let at = (runs[run] as number) + skip;
    found.origins.push(at);
    found.places.push(count);
    for (; at + 2 <= end; at += 2)
      out[count++] = ((HEX[bytes[at] as number] as number) << 4) | (HEX[bytes[at + 1] as number] as number);
    out[count++] = BREAK;
  }
  return {
    bytes: out,
    length: count,
    startOf: (from) => {
      const { origin, offset } = placeOf(found, from);
      return of.startOf(origin + offset * 2);
    },
    endOf: (to) => {
      const { origin, offset } = placeOf(found, to - 1);
      return of.endOf(origin + offset * 2 + 2);
    },
    isNew: () => true,
  };
}

/** Enough for what all runs stand for, and a break after each. */
function sizeOf(runs: readonly number[]): number {
  let size = 0;
  for (let run = 0; run < runs.length; run += 2) size += (runs[run + 1] as number) - (runs[run] as number);
  return size;
}

/** The run that a byte stands for a part of, and how many bytes of it come before. */
function placeOf({ origins, places }: Runs, at: number): { origin: number; offset: number } {
  let low = 0;
  for (let high = places.length; low + 1 < high;) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) <= at) low = middle;
    else high = middle;
  }
  return { origin: origins[low] as number, offset: at - (places[low] as number) };
}
