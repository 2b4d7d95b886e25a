import { unescapedView } from './encodings.ts';
import { TextView, type View } from './view.ts';

/** One form of a secret that is looked for. */
interface Needle {
  readonly bytes: string;
  /** Stands for itself only: no part of a longer number, time or id. */
  readonly isWord: boolean;
  /** Bytes at both ends that are no part of the secret. */
  readonly margin: number;
}

/** The shortest needle, in bytes. */
export const SHORTEST_NEEDLE = 6;
/** A secret that was cut after so many bytes is still one. Bounds the work at each place of a text too. */
const LONGEST_HEAD = 64;
/** Most places of a text can be told from the beginning of a secret by so many bits of a hash. */
const FILTER_BITS = 17;

/** @param two the first two bytes of a needle, and `four` the next ones */
const slotOf = (two: number, four: number) =>
  (Math.imul(two, 0x85ebca6b) ^ Math.imul(four, 0x9e3779b1)) >>> (32 - FILTER_BITS);

/** Finds many secrets at once in one pass over a view. */
export class Needles {
  readonly #filter = new Uint8Array(1 << FILTER_BITS);
  /** How long the heads are that begin alike. */
  readonly #lengths = new Map<string, Set<number>>();
  readonly #byHead = new Map<string, Needle[]>();

  /** @param bytes six or more; what is there already is not added again */
  add(bytes: string, { isWord = false, margin = 0 } = {}): void {
    const head = bytes.slice(0, LONGEST_HEAD);
    const alike = this.#byHead.get(head) ?? [];
    if (alike.some((one) => one.bytes === bytes)) return;
    alike.push({ bytes, isWord, margin });
    this.#byHead.set(head, alike);
    const start = head.slice(0, SHORTEST_NEEDLE);
    const lengths = this.#lengths.get(start) ?? new Set();
    this.#lengths.set(start, lengths.add(head.length));
    const first = Buffer.from(start, 'latin1');
    this.#filter[slotOf(first.readUInt16BE(0), first.readInt32BE(2))] = 1;
  }

  /** @param found called with each stretch of the view that is a secret, or that begins as a long one does */
  find({ bytes }: View, found: (from: number, to: number) => void): void {
    const filter = this.#filter;
    let next = 0;
    let two = 0;
    let four = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      two = ((two << 8) | (four >>> 24)) & 0xffff;
      four = (four << 8) | bytes.charCodeAt(at);
      const from = at - SHORTEST_NEEDLE + 1;
      if (filter[slotOf(two, four)] === 0 || from < next) continue;
      for (const needle of this.#at(bytes, from)) {
        const to = endOfSame(bytes, from, needle.bytes);
        found(from + needle.margin, to - needle.margin);
        // Whatever begins earlier is masked with this one: so even a text that repeats itself takes linear time.
        next = Math.max(next, to - LONGEST_HEAD);
      }
    }
  }

  #at(bytes: string, from: number): readonly Needle[] {
    const lengths = this.#lengths.get(bytes.slice(from, from + SHORTEST_NEEDLE));
    if (!lengths) return [];
    return [...lengths]
      .flatMap((length) => this.#byHead.get(bytes.slice(from, from + length)) ?? [])
      .filter((one) => !one.isWord || standsAlone(bytes, from, from + one.bytes.length));
  }
}

/** The end of what agrees with a secret. */
function endOfSame(bytes: string, from: number, secret: string): number {
  let same = Math.min(secret.length, LONGEST_HEAD);
  while (same < secret.length && bytes.charCodeAt(from + same) === secret.charCodeAt(same)) same += 1;
  return from + same;
}

/** Neither within a number, a time nor an id: `1482913`, `482913.50`, `12:30:482913`, `a1-482913`. A full stop ends it. */
function standsAlone(bytes: string, from: number, to: number): boolean {
  const before = bytes.slice(Math.max(0, from - 2), from);
  return !/[A-Za-z0-9][.-]?$|\d:$/.test(before) && !/^[.:-]?[A-Za-z0-9]/.test(bytes.slice(to, to + 2));
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
export function formsOf(secret: string): readonly string[] {
  const forms = stagesOf(secret);
  const unended = secret.search(UNENDED);
  if (unended > 0) forms.push(...stagesOf(secret.slice(0, unended)));
  // Forms write a space as a plus.
  if (secret.includes(' ')) forms.push(...stagesOf(secret.replaceAll(' ', '+')));
  if (HEX_KEY.test(secret)) forms.push(Buffer.from(secret, 'hex').toString('latin1'));
  return forms.filter((form) => form.length >= SHORTEST_NEEDLE);
}

/** A text, and what is left of it when escapes are taken away once, twice and so on. */
function stagesOf(text: string): string[] {
  const stages: string[] = [];
  for (let view: View | undefined = new TextView(text); view; view = unescapedView(view))
    stages.push(view.bytes);
  return stages;
}
