import type { Exchange } from '../../client/http/http-client.ts';
import type { Profile } from '../../target/profile.ts';
import type { TargetWatch } from '../watch/target-watch.ts';

/** A 429 was not processed, so the same request may be sent again once its time is over. */
const TRIES = 4;
/** What the run knows of all rate limits: where waiting has not helped, nobody waits for a while. */
const KIND = 'rate limits';
/** The forms of a date in HTTP begin with the day of the week (RFC 9110, section 5.6.7). */
const IS_DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\b/;

/** One test's patience with rate limits. */
export class Patience {
  readonly #watch: Pick<TargetWatch, 'leftAlone' | 'noteKind'>;
  readonly #longestMs: number;
  #leftMs: number;

  /** @param rateLimit the longest wait at a time, and all of them together */
  constructor(watch: Pick<TargetWatch, 'leftAlone' | 'noteKind'>, rateLimit: Profile['rateLimit']) {
    this.#watch = watch;
    this.#longestMs = rateLimit.longestSeconds * 1_000;
    this.#leftMs = rateLimit.budgetSeconds * 1_000;
  }

  /**
   * How long to wait before a call is sent again, in milliseconds; undefined where its answer stands.
   *
   * @param tries how often it has been sent
   */
  spend(exchange: Exchange, tries: number): number | undefined {
    const wait = retryAfterMs(exchange);
    const isSpent = tries === TRIES;
    if (tries > 1 && (wait === undefined || isSpent))
      this.#watch.noteKind(KIND, exchange.response?.status !== 429, exchange.at);
    if (wait === undefined || isSpent || wait > this.#longestMs || wait > this.#leftMs) return undefined;
    if (this.#watch.leftAlone(KIND) !== undefined) return undefined;
    this.#leftMs -= wait;
    return wait;
  }
}

/**
 * How long a rate limit asks to wait, in milliseconds: Retry-After in seconds, or as a date by the target's own clock.
 * Undefined where it does not say, or where the limit is one of the interface's own.
 */
export function retryAfterMs({ response, at }: Exchange): number | undefined {
  if (response?.status !== 429 || response.text.includes('DAILY_VOLUME_LIMIT_EXCEEDED')) return undefined;
  const after = response.headers['retry-after']?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1_000;
  // The oldest form names no zone, and means GMT as the others do.
  const zoned = /\d{4}$/.test(after) ? `${after} GMT` : after;
  const until = IS_DATE.test(after) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const now = Date.parse(response.headers['date'] ?? '');
  return Math.max(0, until - (Number.isNaN(now) ? at : now));
}
