import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

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
