import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freeOfDead } from '../../client/http/dead-marks.ts';

/** Between two looks at what the others do, in milliseconds. */
const LOOK_MS = 20;
/** Who waits for times so close to each other gets one move: less than any margin that a test keeps. In milliseconds. */
const TOGETHER_MS = 3_000;

const MOVING = 'moving';
const RUNNING = 'running-';
const WAITING = 'waiting-';
const TIME = 'time';
const APART = 'apart';

/** What has been done to the target's one clock in this run, in milliseconds. */
interface Moved {
  /** How far it has been moved. */
  readonly by: number;
  /** How far it is ahead of ours, where it tells its time. */
  readonly ahead?: number;
}

/** What the target told of a move. */
export interface Move {
  /** How far its time is ahead of ours then, in milliseconds, where it tells it. */
  readonly ahead: number | undefined;
  /** Whether the time of one customer alone was moved. */
  readonly isOfCustomer: boolean;
}

/**
 * One test's turns at a clock that is one for all users, among the tests of all workers. The clock moves only while every test that has begun waits
 * for it to move, and only as far as the one that waits for the least: so no test sees more time pass than it asked for, and
 * tests that wait for the same time wait together. Files in the run's folder say who runs, who waits, and until when.
 */
export class ClockTurns {
  readonly #folder: string;
  readonly #id: string;

  private constructor(folder: string, id: string) {
    this.#folder = folder;
    this.#id = id;
  }

  /**
   * A test begins, as soon as the clock stands.
   *
   * @param runFolder shared by the workers of one run
   * @param id of the test, unlike that of any other
   */
  static async begin(runFolder: string, id: string): Promise<ClockTurns> {
    // The run's folder holds other things too.
    const folder = join(runFolder, 'clock');
    mkdirSync(folder, { recursive: true });
    const turns = new ClockTurns(folder, id);
    const mark = turns.#at(RUNNING + id);
    for (;;) {
      writeFileSync(mark, String(process.pid));
      // Somebody may have begun to move it between the look and the mark.
      if (turns.#areApart || !turns.#isMoving()) return turns;
      rmSync(mark, { force: true });
      await pause(LOOK_MS);
    }
  }

  /** The others need not wait for this test any more. */
  end(): void {
    for (const kind of [RUNNING, WAITING]) rmSync(this.#at(kind + this.#id), { force: true });
  }

  /** Each customer has a clock of his own after all: then nobody has to wait. */
  tellApart(): void {
    this.#write(APART, '');
  }

  get #areApart(): boolean {
    return this.#read(APART) !== undefined;
  }

  /** What this run has done to the one clock. */
  get moved(): Moved {
    return JSON.parse((this.#areApart ? undefined : this.#read(TIME)) ?? '{"by":0}') as Moved;
  }

  /** How far the clock is ahead of ours, in milliseconds, as somebody has just been told. */
  tellAhead(ahead: number): void {
    this.#write(TIME, JSON.stringify({ ...this.moved, ahead }));
  }

  /**
   * Waits until so much time has passed for the target: whoever's time comes next moves the clock, once nobody runs.
   *
   * @param move moves the clock by so many seconds, and throws where it cannot
   * @returns by how much it is later now than it should be, in milliseconds
   */
  async pass(seconds: number, move: (seconds: number) => Promise<Move>): Promise<number> {
    // By our clock and the moves of this run.
    const due = Date.now() + this.moved.by + seconds * 1_000;
    if (this.#areApart) await move(seconds);
    else await this.#until(due, move);
    return this.#areApart ? 0 : Date.now() + this.moved.by - due;
  }

  async #until(due: number, move: (seconds: number) => Promise<Move>): Promise<void> {
    const id = this.#id;
    this.#write(WAITING + id, `${process.pid} ${due}`);
    rmSync(this.#at(RUNNING + id), { force: true });
    while (this.#read(WAITING + id) !== undefined) {
      if (this.#areApart) {
        this.#run(id);
        await move(Math.max(0, Math.ceil((due - Date.now()) / 1_000)));
      } else if (this.#isNext() && this.#claim()) {
        try {
          // A test may have begun between the look and the claim.
          if (this.#isNext()) await this.#moveTo(due, move);
        } finally {
          rmSync(this.#at(MOVING), { force: true });
        }
      } else await pause(LOOK_MS);
    }
  }

  async #moveTo(due: number, move: (seconds: number) => Promise<Move>): Promise<void> {
    const together = this.#waiting().filter((other) => other.due <= due + TOGETHER_MS);
    const last = Math.max(...together.map((other) => other.due));
    const before = this.moved;
    const seconds = Math.max(0, Math.ceil((last - before.by - Date.now()) / 1_000));
    let release = [this.#id];
    try {
      const { ahead, isOfCustomer } = await move(seconds);
      if (isOfCustomer) return;
      const by = before.by + seconds * 1_000;
      const now = ahead ?? (before.ahead === undefined ? undefined : before.ahead + seconds * 1_000);
      this.#write(TIME, JSON.stringify({ by, ...(now === undefined ? {} : { ahead: now }) }));
      release = together.map((other) => other.id);
    } finally {
      for (const other of release) this.#run(other);
    }
  }

  /** Nobody runs, and nobody waits for less. */
  #isNext(): boolean {
    if (this.#living(RUNNING).length > 0) return false;
    const [first] = this.#waiting().sort((one, other) => one.due - other.due || (one.id < other.id ? -1 : 1));
    return first?.id === this.#id;
  }

  #waiting(): { readonly id: string; readonly due: number }[] {
    return this.#living(WAITING).map(({ id, text }) => ({ id, due: Number(text.split(' ')[1]) }));
  }

  /** Who waits is made to run. */
  #run(id: string): void {
    try {
      renameSync(this.#at(WAITING + id), this.#at(RUNNING + id));
    } catch {
      // Its test has ended meanwhile.
    }
  }

  #claim(): boolean {
    try {
      writeFileSync(this.#at(MOVING), String(process.pid), { flag: 'wx' });
      return true;
    } catch {
      // Who died while moving it is cleared away.
      this.#isMoving();
      return false;
    }
  }

  #isMoving(): boolean {
    return this.#living(MOVING).length > 0;
  }

  /** Marks of workers that live. */
  #living(kind: string): { readonly id: string; readonly text: string }[] {
    return readdirSync(this.#folder)
      .filter((name) => name.startsWith(kind))
      .flatMap((name) => {
        freeOfDead(this.#at(name));
        const text = this.#read(name);
        return text === undefined ? [] : [{ id: name.slice(kind.length), text }];
      });
  }

  #at(name: string): string {
    return join(this.#folder, name);
  }

  #read(name: string): string | undefined {
    try {
      return readFileSync(this.#at(name), 'utf8');
    } catch {
      return undefined;
    }
  }

  /** Written whole, then shown: nobody reads half of it. */
  #write(name: string, text: string): void {
    const half = this.#at(`half-${process.pid}`);
    writeFileSync(half, text);
    renameSync(half, this.#at(name));
  }
}
