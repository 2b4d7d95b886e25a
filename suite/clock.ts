import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestDetails, TestInfo } from '@playwright/test';
import { type Profile, preparations } from '../target/profile.ts';
import { isShared } from '../target/providers/ladder.ts';
import { CannotPrepare, type StateProvider } from '../target/providers/state-provider.ts';
import type { GiveUp } from './need.ts';

/** Tag of the tests that move the target's time: they run after all others, and one at a time, where it is one for everybody. */
export const CLOCK_TAG = '@clock';

/** Waiting longer than this for real time to pass is not worth a verdict. */
const LONGEST_WAIT_SECONDS = 1_200;

/** Marks a test as one that moves the target's time (`wallet.clock.letPass`, `given.clock`): a tag, which says when it may run. */
export function movesClock(details: TestDetails): TestDetails {
  return { ...details, tag: [...[details.tag ?? []].flat(), CLOCK_TAG] };
}

/** Everybody's clock, where a target has but one; else that of every customer whose time nobody has moved. */
const EVERYBODY = '*';
/** Clocks that are kept differ by less than this, and a `now` may be told in whole seconds. In milliseconds. */
const NO_DIFFERENCE_MS = 2_000;

/** How far the target's clocks are ahead of ours, in milliseconds, as far as this worker has learned. */
export class ClockOffsets {
  readonly #ms = new Map<string, number>();

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

interface ClockParts {
  readonly provider: StateProvider;
  readonly profile: Profile;
  readonly testInfo: TestInfo;
  readonly offsets: ClockOffsets;
  readonly giveUp: GiveUp;
}

/** The target's time. */
export class Clock {
  readonly #parts: ClockParts;

  constructor(parts: ClockParts) {
    this.#parts = parts;
  }

  /** Ends a test that moves the clock, before anything is made for it, where it is known that nobody can move it. */
  async mustBeMovable(): Promise<void> {
    const { clock, slow } = this.#parts.profile;
    if (!this.#parts.testInfo.tags.includes(CLOCK_TAG) || slow) return;
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
        'serve the state `clock`',
      );
  }

  /**
   * Lets time pass for the target: by its state `clock`, or by waiting where the profile allows slow checks. Ends the test as
   * `not verified` where neither is possible.
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
        return await this.#move(seconds, customerId);
      } catch (error) {
        if (!(error instanceof CannotPrepare))
          return this.#parts.giveUp('inconclusive', (error as Error).message);
      }
    }
    if (!this.#parts.profile.slow || seconds > LONGEST_WAIT_SECONDS)
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
    const known = this.#parts.offsets.of(customerId);
    if (known !== undefined) return known;
    // Customers that are made anew are all at the same time; others an earlier run may have moved.
    const whose = clock === 'customer' && isShared(state) ? customerId : undefined;
    try {
      const { ahead } = await this.#tell(0, clock === 'customer' ? customerId : undefined);
      this.#parts.offsets.learn(
        whose,
        ahead !== undefined && Math.abs(ahead) >= NO_DIFFERENCE_MS ? ahead : 0,
      );
    } catch (error) {
      // Without the state nobody has moved it. Any other failure is of the moment: whoever comes next looks again.
      if (error instanceof CannotPrepare) this.#parts.offsets.learn(whose, 0);
    }
    return this.#parts.offsets.of(customerId) ?? 0;
  }

  async #move(seconds: number, customerId: string | undefined): Promise<number> {
    const { ahead, scope } = await this.#tell(seconds, customerId);
    const whose = this.#parts.profile.clock === 'customer' || scope === 'customer' ? customerId : undefined;
    return this.#parts.offsets.learn(whose, ahead ?? (this.#parts.offsets.of(whose) ?? 0) + seconds * 1_000);
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

const EXCLUSIVE = 'exclusive';
const PAUSE_MS = 25;

/**
 * A lock that tests of several worker processes share, or that one of them holds alone. Needed where a target has one clock for
 * all its users: a test that moves it would age what the others have prepared.
 */
export class ClockLock {
  readonly #folder: string;

  /** @param folder shared by the workers of one run; created when missing */
  constructor(folder: string) {
    // The run's folder holds other things too, and whoever waits takes every file here for somebody with the lock.
    this.#folder = join(folder, 'clock-lock');
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Waits until nobody holds the lock alone. @returns gives it back */
  async shared(id: string): Promise<() => void> {
    const mine = join(this.#folder, `shared-${id}`);
    for (;;) {
      if (!this.#names().includes(EXCLUSIVE)) {
        writeFileSync(mine, String(process.pid));
        // Somebody may have asked for the target between the look and the mark.
        if (!this.#names().includes(EXCLUSIVE)) return () => rmSync(mine, { force: true });
        rmSync(mine, { force: true });
      }
      await pause(PAUSE_MS);
    }
  }

  /** Waits until nobody else holds the lock. @returns gives it back */
  async exclusive(): Promise<() => void> {
    const mark = join(this.#folder, EXCLUSIVE);
    while (!this.#claim(mark)) {
      // Who died with the lock is cleared away by whoever looks.
      this.#names();
      await pause(PAUSE_MS);
    }
    while (this.#names().some((name) => name !== EXCLUSIVE)) await pause(PAUSE_MS);
    return () => rmSync(mark, { force: true });
  }

  #claim(mark: string): boolean {
    try {
      writeFileSync(mark, String(process.pid), { flag: 'wx' });
      return true;
    } catch {
      return false;
    }
  }

  /** Marks of workers that live: one that was killed leaves its mark behind. */
  #names(): readonly string[] {
    return readdirSync(this.#folder).filter((name) => this.#isHeld(join(this.#folder, name)));
  }

  #isHeld(mark: string): boolean {
    try {
      process.kill(Number(readFileSync(mark, 'utf8')) || process.pid, 0);
      return true;
    } catch (error) {
      // Gone by itself, or its owner is dead.
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') rmSync(mark, { force: true });
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  }
}
