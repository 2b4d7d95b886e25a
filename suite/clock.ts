import { setTimeout as pause } from 'node:timers/promises';
import type { TestDetails, TestInfo } from '@playwright/test';
import type { Exchange, ReceivedAnswer } from '../client/http/http-client.ts';
import { type Profile, preparations } from '../target/profile.ts';
import { isShared } from '../target/providers/ladder.ts';
import { CannotPrepare, type StateProvider } from '../target/providers/state-provider.ts';
import type { GiveUp } from './need.ts';
import type { ClockTurns } from './run/clock-turns.ts';

/** Tag of the tests that move the target's time: they run after all others where it is one for everybody. */
export const CLOCK_TAG = '@clock';

/** Tag of those that can wait as well, as it takes no longer than MOMENT_SECONDS. */
const MOMENT_TAG = '@moment';

/** Beyond the resolution of any clock: so long a wait for real time needs nobody's leave. */
export const MOMENT_SECONDS = 2;

/** Waiting longer than this for real time to pass is not worth a verdict. */
const LONGEST_WAIT_SECONDS = 1_200;

/**
 * Marks a test as one that moves the target's time (`clock.advance`): a tag, which says when it may run.
 *
 * @param seconds by how much at most, where that is known
 */
export function movesClock(details: TestDetails, seconds = Infinity): TestDetails {
  const tags = seconds > MOMENT_SECONDS ? [CLOCK_TAG] : [CLOCK_TAG, MOMENT_TAG];
  return { ...details, tag: [...[details.tag ?? []].flat(), ...tags] };
}

/** Everybody's clock, where a target has but one; else that of every customer whose time nobody has moved. */
const EVERYBODY = '*';
/** Whoever waits for others may come too late: later than this he cannot tell what was due. In milliseconds. */
const TOO_LATE_MS = 10_000;
/** Waiting for the tests of others takes less, in milliseconds. */
const LONGEST_TURN_MS = 600_000;
/** Clocks that are kept differ by less than this, and a `now` may be told in whole seconds. In milliseconds. */
const NO_DIFFERENCE_MS = 2_000;

/** Clocks that nobody has moved differ by no more: a `Date` further off was recorded, and shows no clock. In milliseconds. */
const MOST_APART_MS = 600_000;

/** How far the target's clocks are ahead of ours, in milliseconds, as far as this worker has learned. */
export class ClockOffsets {
  readonly #ms = new Map<string, number>();
  #shownMs = 0;

  /** By the last answer that tells: 0 where it is as ours, as far as whole seconds and the way tell. */
  get shownMs(): number {
    return this.#shownMs;
  }

  /** Notes what clock an answer shows: by its `Date`, and where it has none, by when it says that something was made. */
  see({ at, milliseconds, response }: Exchange): void {
    const shown = Date.parse(response?.headers['date'] ?? createdAtIn(response));
    if (Number.isNaN(shown)) return;
    const ahead = shown - at;
    const apart = Math.abs(ahead);
    this.#shownMs = apart < NO_DIFFERENCE_MS + milliseconds || apart > MOST_APART_MS ? 0 : ahead;
  }

  /** @param customerId undefined for the one clock of all users */
  of(customerId: string | undefined): number | undefined {
    return this.#ms.get(customerId ?? EVERYBODY) ?? this.#ms.get(EVERYBODY);
  }

  /** Notes a new offset. @returns by how much it has grown */
  learn(customerId: string | undefined, ms: number): number {
    const before = this.of(customerId) ?? 0;
    this.#ms.set(customerId ?? EVERYBODY, ms);
    return ms - before;
  }
}

/** When the record was made that an answer of 201 shows; empty where it does not say so. */
function createdAtIn(response: ReceivedAnswer | undefined): string {
  if (response?.status !== 201) return '';
  return /"createdAt"\s*:\s*"([^"]{1,40})"/.exec(response.text)?.[1] ?? '';
}

interface ClockParts {
  readonly provider: StateProvider;
  readonly profile: Profile;
  readonly testInfo: TestInfo;
  readonly offsets: ClockOffsets;
  /** This test's part in moving a clock that is one for everybody. */
  readonly turns: ClockTurns | undefined;
  readonly giveUp: GiveUp;
}

/** The target's time. */
export class Clock {
  readonly #parts: ClockParts;

  constructor(parts: ClockParts) {
    this.#parts = parts;
  }

  /** How far the target's clock is ahead of ours by its answers, where nobody has moved it, in milliseconds. */
  get shownMs(): number {
    return this.#parts.offsets.shownMs;
  }

  /** Ends a test that moves the clock, before anything is made for it, where it is known that nobody can move it. */
  async needMovable(): Promise<void> {
    const { clock, slow } = this.#parts.profile;
    const { tags } = this.#parts.testInfo;
    if (!tags.includes(CLOCK_TAG) || tags.includes(MOMENT_TAG) || slow) return;
    // A provider-states URL may refuse to say so before it is told whose clock it is.
    if (clock !== 'none' && preparations(this.#parts.profile).includes('provider-states')) return;
    const isMovable =
      clock !== 'none' &&
      (await this.#tell(0, undefined).then(
        () => true,
        (error: unknown) => !(error instanceof CannotPrepare),
      ));
    if (!isMovable)
      this.#parts.giveUp(
        'unprepared',
        "the target's clock cannot be moved, and waiting is not allowed (slow: true)",
        'serve the state `clock`, or say `slow: true`',
      );
  }

  /**
   * Lets time pass for the target: by its state `clock`, or by waiting where that is a moment or the profile allows slow
   * checks. Ends the test as `not verified` where neither is possible.
   *
   * @param seconds how long
   * @param customerId whose time, where the target can move it for one customer alone
   * @returns by how much the target's clock has been moved away from ours, in milliseconds; 0 after waiting
   */
  async advance(seconds: number, customerId?: string): Promise<number> {
    if (!this.#parts.testInfo.tags.includes(CLOCK_TAG))
      throw new Error('a test that moves the clock must be marked with movesClock()');
    if (this.#parts.profile.clock !== 'none') {
      try {
        return await this.#pass(seconds, customerId);
      } catch (error) {
        // Whoever waits for real time keeps nobody waiting.
        this.#parts.turns?.end();
        if (!(error instanceof CannotPrepare))
          return this.#parts.giveUp('inconclusive', (error as Error).message);
      }
    }
    const longest = this.#parts.profile.slow ? LONGEST_WAIT_SECONDS : MOMENT_SECONDS;
    if (seconds > longest)
      return this.#parts.giveUp(
        'unprepared',
        `the target's clock cannot be moved, and waiting ${seconds} s is not allowed (slow: true)`,
        'serve the state `clock`',
      );
    this.#parts.testInfo.setTimeout(this.#parts.testInfo.timeout + seconds * 1_000);
    await pause(seconds * 1_000);
    return 0;
  }

  /**
   * How far the target's clock is ahead of ours, in milliseconds: it need not agree with ours, and where it is one for
   * all users, an earlier test or run may have moved it. 0 where it cannot be asked.
   *
   * @param state values with the customer whose time it is, where each one has a clock of its own
   */
  async offset(state: { readonly customerId: string }): Promise<number> {
    const { clock } = this.#parts.profile;
    const { customerId } = state;
    if (clock === 'none') return 0;
    // Other workers may have moved the one clock since this one learned of it.
    const known = this.#parts.turns?.moved.ahead ?? this.#parts.offsets.of(customerId);
    if (known !== undefined) return known;
    // Customers that are made anew are all at the same time; others an earlier run may have moved.
    const whose = clock === 'customer' && isShared(state) ? customerId : undefined;
    try {
      const { ahead } = await this.#tell(0, clock === 'customer' ? customerId : undefined);
      const told = ahead !== undefined && Math.abs(ahead) >= NO_DIFFERENCE_MS ? ahead : 0;
      this.#parts.offsets.learn(whose, told);
      if (whose === undefined) this.#parts.turns?.tellAhead(told);
    } catch (error) {
      // Without the state nobody has moved it. Any other failure is of the moment: whoever comes next looks again.
      if (error instanceof CannotPrepare) this.#parts.offsets.learn(whose, 0);
    }
    return this.#parts.offsets.of(customerId) ?? 0;
  }

  async #pass(seconds: number, customerId: string | undefined): Promise<number> {
    const { turns, offsets, profile, testInfo } = this.#parts;
    if (!turns) return (await this.#move(seconds, customerId)).grown;
    const before = turns.moved;
    let grown: number | undefined;
    const { timeout } = testInfo;
    const startedAt = Date.now();
    testInfo.setTimeout(timeout + LONGEST_TURN_MS);
    const late = await turns.pass(seconds, async (by) => {
      const move = await this.#move(by, customerId);
      if (move.isOfCustomer) {
        grown = move.grown;
        if (!preparations(profile).includes('fixtures')) turns.tellApart();
      }
      return move;
    });
    testInfo.setTimeout(timeout + Date.now() - startedAt);
    if (late > TOO_LATE_MS)
      throw new Error(`other tests held the target's one clock for ${Math.round(late / 1_000)} s too long`);
    if (grown !== undefined) return grown;
    const { by, ahead } = turns.moved;
    if (ahead === undefined) return by - before.by;
    return ahead - (before.ahead ?? offsets.of(undefined) ?? 0);
  }

  async #move(seconds: number, customerId: string | undefined) {
    const { offsets, profile } = this.#parts;
    const { ahead, scope } = await this.#tell(seconds, customerId);
    const isOfCustomer = profile.clock === 'customer' || scope === 'customer';
    const whose = isOfCustomer ? customerId : undefined;
    return {
      ahead,
      isOfCustomer,
      grown: offsets.learn(whose, ahead ?? (offsets.of(whose) ?? 0) + seconds * 1_000),
    };
  }

  /** Asks for the state `clock` (docs/provider-states.md). @returns how far the target's time is ahead of ours then, in milliseconds, where it tells it */
  async #tell(
    seconds: number,
    customerId: string | undefined,
  ): Promise<{ readonly ahead: number | undefined; readonly scope: unknown }> {
    const params = { advanceSeconds: seconds, ...(customerId === undefined ? {} : { customerId }) };
    const { now, scope } = await this.#parts.provider.setUp('clock', params);
    const ahead = Date.parse(String(now)) - Date.now();
    return { ahead: Number.isNaN(ahead) ? undefined : ahead, scope };
  }
}
