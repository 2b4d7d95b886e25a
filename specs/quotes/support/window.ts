import type { Need, SeenQuote } from '../../../suite/index.ts';

/** How long a quote lives, in seconds from its creation; both times are the target's own. */
export function lifetimeOf(quote: SeenQuote, need: Need): number {
  const seconds = (Date.parse(String(quote.expiresAt)) - Date.parse(String(quote.createdAt))) / 1_000;
  return need.that(seconds > 0 && seconds, 'the quote does not tell how long it lives');
}
