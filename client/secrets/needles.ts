import { unescapedView } from './escapes.ts';
import { bytesOf, DEPTH, textView, type View } from './view.ts';

/** One form of a secret that is looked for. */
interface Needle {
  readonly bytes: Uint8Array;
  /** So many bytes must be there; of a longer secret, as many more as are there are masked with them. */
  readonly head: number;
  /** Stands for itself only: no part of a longer number, time or id. */
  readonly isWord: boolean;
  /** Bytes at both ends that are no part of the secret. */
  readonly margin: number;
}

/** Needles that begin alike, so that a place in a text is held against all of them at once. */
interface Beginning {
  /** Heads, shortest first. */
  heads: number[];
  readonly byHash: Map<number, Needle[]>;
}

/** The shortest needle, in bytes. */
export const SHORTEST_NEEDLE = 6;
/** A secret that was cut after so many bytes is still one. Bounds the work at each place of a text too. */
const LONGEST_HEAD = 64;
const FILTER_BITS = 20;

/** Finds many secrets at once in one pass over a view. */
export class Needles {
  readonly #filter = new Int32Array(1 << (FILTER_BITS - 5));
  readonly #beginnings = new Map<number, Beginning>();

  /** @param bytes six or more; what is there already is not added again */
  add(bytes: Uint8Array, { isWord = false, margin = 0 } = {}): void {
    const head = Math.min(bytes.length, LONGEST_HEAD);
    const start = mix(wordAt(bytes, 0), wordAt(bytes, 2) & 0xffff);
    const word = start >>> (32 - FILTER_BITS + 5);
    this.#filter[word] = (this.#filter[word] as number) | (1 << ((start >>> (32 - FILTER_BITS)) & 31));
    let beginning = this.#beginnings.get(start);
    if (!beginning) this.#beginnings.set(start, (beginning = { heads: [], byHash: new Map() }));
    if (!beginning.heads.includes(head)) beginning.heads = [...beginning.heads, head].sort((a, b) => a - b);
    const hash = hashOf(bytes, 0, head);
    const alike = beginning.byHash.get(hash);
    if (!alike) beginning.byHash.set(hash, [{ bytes, head, isWord, margin }]);
    else if (!alike.some((one) => one.isWord === isWord && Buffer.compare(one.bytes, bytes) === 0))
      alike.push({ bytes, head, isWord, margin });
  }

  /** @param found called with each stretch of the view that is a secret, or that begins as a long one does */
  find({ bytes, length }: View, found: (from: number, to: number) => void): void {
    const filter = this.#filter;
    const covered = { to: 0 };
    let recent = 0;
    let before = 0;
    let earlier = 0;
    for (let at = 0; at < length; at += 1) {
      earlier = before;
      before = recent;
      recent = (recent << 8) | (bytes[at] as number);
      const start = mix(earlier, recent & 0xffff);
      if (
        ((filter[start >>> (32 - FILTER_BITS + 5)] as number) >>> ((start >>> (32 - FILTER_BITS)) & 31)) &
        1
      )
        if (at >= SHORTEST_NEEDLE - 1)
          this.#at(start, bytes, at - SHORTEST_NEEDLE + 1, length, covered, found);
    }
  }

  #at(
    start: number,
    bytes: Uint8Array,
    from: number,
    length: number,
    covered: { to: number },
    found: (from: number, to: number) => void,
  ): void {
    const beginning = this.#beginnings.get(start);
    if (!beginning) return;
    let hash = EMPTY_HASH;
    let hashed = 0;
    for (const head of beginning.heads) {
      if (from + head > length) return;
      hash = hashOf(bytes, from + hashed, from + head, hash);
      hashed = head;
      for (const needle of beginning.byHash.get(hash) ?? []) {
        if (needle.head !== head || !isSame(bytes, from, needle)) continue;
        if (needle.isWord && !standsAlone(bytes, from, from + head, length)) continue;
        const to = extended(bytes, from, length, needle, covered);
        found(from + needle.margin, to - needle.margin);
      }
    }
  }
}

const EMPTY_HASH = 0x811c9dc5 | 0;

function mix(first: number, last: number): number {
  return Math.imul(first, 0x9e3779b1) ^ Math.imul(last + 0x7f4a7c15, 0x85ebca6b);
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}

function hashOf(bytes: Uint8Array, from: number, to: number, before = EMPTY_HASH): number {
  let hash = before;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash;
}

function isSame(bytes: Uint8Array, from: number, { bytes: needle, head }: Needle): boolean {
  for (let index = 0; index < head; index += 1) if (bytes[from + index] !== needle[index]) return false;
  return true;
}

/**
 * The end of what agrees with a long secret. What an earlier match has covered is masked anyway and not compared
 * again, so that the whole search takes time in proportion to the text.
 */
function extended(
  bytes: Uint8Array,
  from: number,
  length: number,
  needle: Needle,
  covered: { to: number },
): number {
  let to = from + needle.head;
  if (needle.bytes.length === needle.head) return to;
  to = Math.max(to, Math.min(covered.to, from + needle.bytes.length));
  while (to < length && to - from < needle.bytes.length && bytes[to] === needle.bytes[to - from]) to += 1;
  covered.to = Math.max(covered.to, to);
  return to;
}

const isLetterOrDigit = (byte: number | undefined) =>
  byte !== undefined &&
  ((byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a));
const isJoint = (byte: number | undefined) => byte === 0x2e || byte === 0x3a || byte === 0x2d;
const isColon = (byte: number | undefined) => byte === 0x3a;
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Neither within a number, a time nor an id: `1482913`, `482913.50`, `12:30:482913`, `a1-482913`. A full stop ends it. */
function standsAlone(bytes: Uint8Array, from: number, to: number, length: number): boolean {
  const [left, farLeft] = [bytes[from - 1], bytes[from - 2]];
  const right = to < length ? bytes[to] : undefined;
  const farRight = to + 1 < length ? bytes[to + 1] : undefined;
  if (isLetterOrDigit(left) || isLetterOrDigit(right)) return false;
  if (isColon(left) ? isDigit(farLeft) : isJoint(left) && isLetterOrDigit(farLeft)) return false;
  return !(isJoint(right) && isLetterOrDigit(farRight));
}

/** Hexadecimal digits of a key: masked by what they stand for too, so that their case and further encodings are no matter. */
const HEX_KEY = /^(?:[0-9a-f]{2}){16,}$|^(?:[0-9A-F]{2}){16,}$/;

/** What follows a secret may make an escape of its end. */
const UNENDED = /[\\%&][^\\%&]{0,7}$/;

/**
 * What is looked for, so that a secret is found: itself, and where it holds what reads like escapes, what is left when
 * they are taken away, because they are taken away from texts as well. Of a short secret too little may be left: one
 * such as `%aa%ab"c` is then found as it is alone.
 */
export function formsOf(secret: string): readonly Uint8Array[] {
  const forms = stagesOf(secret);
  const unended = secret.search(UNENDED);
  if (unended > 0) forms.push(...stagesOf(secret.slice(0, unended)));
  // Forms write a space as a plus.
  if (secret.includes(' ')) forms.push(...stagesOf(secret.replaceAll(' ', '+')));
  if (HEX_KEY.test(secret)) forms.push(Uint8Array.from(Buffer.from(secret, 'hex')));
  return forms.filter((form) => form.length >= SHORTEST_NEEDLE);
}

/** A text, and what is left of it when escapes are taken away once, twice and so on. */
function stagesOf(text: string): Uint8Array[] {
  const stages = [bytesOf(text)];
  let view = unescapedView(textView(text));
  for (let depth = 0; view && depth < DEPTH; depth += 1) {
    stages.push(view.bytes.slice(0, view.length));
    view = unescapedView(view);
  }
  return stages;
}
