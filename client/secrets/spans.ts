/** What stands in the place of a secret. */
export const MASK = '••••••';

interface Span {
  readonly start: number;
  readonly end: number;
  /** Where the quotes stand that a masked number is put into. */
  readonly quote?: { readonly start: number; readonly end: number } | undefined;
}

/** Stretches of a text that are masked. */
export class Spans {
  readonly #found: Span[] = [];

  /**
   * @param start index of the first character
   * @param end index after the last one
   */
  add(start: number, end: number): void {
    this.#found.push({ start, end });
  }

  /** @param quote where the quotes stand that the mask is put into, as a mask is no number */
  addNumber(start: number, end: number, quote?: { readonly start: number; readonly end: number }): void {
    this.#found.push({ start, end, quote });
  }

  /** The text, or its beginning, with every stretch masked; those that touch are masked as one. */
  applyTo(text: string): string {
    if (this.#found.length === 0) return text;
    const sorted = this.#found.sort((a, b) => a.start - b.start || b.end - a.end);
    let masked = '';
    let done = 0;
    let end = -1;
    for (const span of sorted) {
      if (span.start >= text.length) break;
      if (span.start > end) {
        const quote = span.quote ? text.slice(span.quote.start, span.quote.end) : '';
        masked += `${text.slice(done, span.start)}${quote}${MASK}${quote}`;
        done = end = span.end;
      } else if (span.end > end) done = end = span.end;
    }
    return masked + text.slice(done);
  }
}
