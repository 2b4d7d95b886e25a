import { Answer } from '../../answers/answer.ts';
import type { Clock } from '../../clock.ts';
import type { Need } from '../../need.ts';
import type { WalletSession } from './requests.ts';

/** So old a token is still fresh, in milliseconds (section Authentication, 7: 60 s). */
const FRESH_MS = 30_000;

/** A clock that is further behind than this is another one, in milliseconds. */
const APART_MS = 1_000;

/** The target's time, as the customer of a wallet sees it. */
export class WalletClock {
  readonly #clock: Clock;
  readonly #need: Need;
  readonly #customerId: string;
  /** How far the target's clock has been moved ahead of ours, in milliseconds: tokens are issued by it. */
  offsetMs = 0;

  constructor({ clock, need }: { readonly clock: Clock; readonly need: Need }, customerId: string) {
    this.#clock = clock;
    this.#need = need;
    this.#customerId = customerId;
  }

  /** The target's time, as far as it is known. */
  now(): Date {
    return new Date(Date.now() + (this.offsetMs || this.#clock.shownMs));
  }

  /**
   * When an answer was given, or what is the time: of our clock and the target's the one that is behind, so that no
   * difference between them accuses.
   */
  earliestNow(answer?: Answer): Date {
    const theirs = Date.parse(answer?.header('date') ?? '');
    return new Date(Math.min(this.#ours(), this.now().getTime(), Number.isNaN(theirs) ? Infinity : theirs));
  }

  /** What is the time, by the one that is ahead. Where the target's clock has been moved, its answers may not tell. */
  latestNow(): Date {
    return new Date(Math.max(this.#ours(), this.now().getTime()));
  }

  /**
   * Sends what is dated by the clock that is ahead. Where that is refused and the other one is far behind, it is sent dated by
   * that one: what is right by either must be taken.
   */
  async byEither<T extends { readonly answer: Answer }>(send: (now: Date) => Promise<T>): Promise<T> {
    const latest = this.latestNow();
    const sent = await send(latest);
    const isApart = latest.getTime() - this.now().getTime() > APART_MS;
    return sent.answer.refused && isApart ? send(this.now()) : sent;
  }

  /** When to issue a token: now by the clock that is behind, unless it would be old for the one that is ahead. */
  issuingTime(): Date {
    const theirs = this.now().getTime();
    return new Date(Math.min(theirs, Math.max(this.#ours(), theirs - FRESH_MS)));
  }

  /** Our time, which says nothing of a clock that has been moved. */
  #ours(): number {
    return Date.now() + this.offsetMs;
  }

  /**
   * Seconds to the `expiresAt` of an answer or a session, by the target's own clock where the answer shows it. Ends the test
   * where none lies ahead.
   */
  secondsLeft(of: Answer | WalletSession): number {
    const [expiresAt, sent] =
      of instanceof Answer ? [of.body?.expiresAt, Date.parse(of.header('date') ?? '')] : [of.expiresAt, NaN];
    const now = Number.isNaN(sent) || this.offsetMs !== 0 ? this.now().getTime() : sent;
    const left = (Date.parse(String(expiresAt)) - now) / 1_000;
    const what = of instanceof Answer ? `"${of.label}"` : 'the session';
    this.#need.that(left > 0, `${what} does not say when it expires`);
    return left;
  }

  /** Lets time pass for the wallet's customer. Ends the test where the target's clock cannot be moved. */
  async letPass(seconds: number): Promise<void> {
    this.offsetMs += await this.#clock.advance(seconds, this.#customerId);
  }
}
