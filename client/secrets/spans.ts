import type { View } from './view.ts';

/** What stands in the place of a secret. */
export const MASK = '••••••';

interface Span {
  readonly start: number;
  readonly end: number;
  /** What the mask is put into. */
  readonly quote: string;
}

/** Stretches of a text that are masked. */
export class Spans {
  readonly #text: string;
  readonly #found: Span[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Masks the bytes of a view from `from` to `to`, wherever they come from.
   *
   * @param quoteAt where a quote stands in the view that the mask is put into
   */
  add({ starts, ends }: View, from: number, to: number, quoteAt?: number): void {
    const quote = quoteAt === undefined ? '' : this.#text.slice(starts[quoteAt], ends[quoteAt]);
    this.#found.push({ start: starts[from] as number, end: ends[to - 1] as number, quote });
  }

  /** The first `most` characters of the text, with every stretch masked; those that touch are masked as one. */
  masked(most: number): string {
    const text = this.#text.slice(0, most);
    let masked = '';
    let done = 0;
    let end = -1;
    for (const span of this.#found.sort((a, b) => a.start - b.start || b.end - a.end)) {
      if (span.start >= most) break;
      if (span.start > end) {
        masked += `${text.slice(done, span.start)}${span.quote}${MASK}${span.quote}`;
        done = end = span.end;
      } else if (span.end > end) done = end = span.end;
    }
    return masked + text.slice(done);
  }
}
