import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freeOfDead } from './dead-marks.ts';

/** How many requests a target takes. */
export interface MannersOptions {
  /** Requests per second. */
  readonly pace?: number | undefined;
  /** Requests under way at once. */
  readonly concurrency?: number | undefined;
}

/** How often somebody who waits for another request to end looks again. */
const LOOK_MS = 10;

/**
 * Holds requests to one origin back to a pace and a number at once, together with every other process of this machine:
 * workers, shards and runs beside this one. They meet in a folder of small files, of which each can be made but once.
 */
export class Manners {
  readonly #options: MannersOptions;
  readonly #folder: string;
  readonly #origin: string;

  /**
   * @param baseUrl requests to other origins are not held back
   * @param root folder of all origins; by default one of this user in the system's temporary folder
   */
  constructor(
    baseUrl: string,
    options: MannersOptions,
    root = join(tmpdir(), `assay-manners-${userInfo().uid}`),
  ) {
    this.#options = options;
    this.#origin = new URL(baseUrl).origin;
    this.#folder = join(root, createHash('sha256').update(this.#origin).digest('hex').slice(0, 16));
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#removeOldTurns();
  }

  /** Waits until a request may be sent. @returns tells that it has been answered */
  async enter(url: string): Promise<() => void> {
    const { pace, concurrency } = this.#options;
    if (new URL(url).origin !== this.#origin) return () => undefined;
    const leave = concurrency === undefined ? () => undefined : await this.#place(concurrency);
    if (pace !== undefined) await this.#slot(1_000 / pace);
    return leave;
  }

  /** Time is cut into slots of equal length that are counted since 1970, and each request takes one for itself. */
  async #slot(lengthMs: number): Promise<void> {
    let slot = Math.ceil(Date.now() / lengthMs);
    while (!this.#claim(`slot-${lengthMs}-${slot}`)) slot += 1;
    const mine = join(this.#folder, `slot-${lengthMs}-${slot}`);
    for (let left; (left = slot * lengthMs - Date.now()) > 0;) await pause(left);
    // Nobody looks for a slot of the past.
    setTimeout(() => rmSync(mine, { force: true }), 2 * lengthMs).unref();
  }

  async #place(concurrency: number): Promise<() => void> {
    for (;;) {
      for (let place = 0; place < concurrency; place += 1) {
        const name = `place-${place}`;
        if (this.#claim(name)) return () => rmSync(join(this.#folder, name), { force: true });
        freeOfDead(join(this.#folder, name));
      }
      await pause(LOOK_MS);
    }
  }

  #claim(name: string): boolean {
    try {
      writeFileSync(join(this.#folder, name), String(process.pid), { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  #removeOldTurns(): void {
    for (const name of readdirSync(this.#folder)) {
      const [, lengthMs, slot] = /^slot-([\d.]+)-(\d+)$/.exec(name) ?? [];
      if (slot !== undefined && (Number(slot) + 2) * Number(lengthMs) < Date.now())
        rmSync(join(this.#folder, name), { force: true });
    }
  }
}
