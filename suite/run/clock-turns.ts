import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

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
 * Turns at a clock that is one for all users, among the tests of all workers. It moves only while every test that has begun waits
 * for it to move, and only as far as the one that waits for the least: so no test sees more time pass than it asked for, and
 * tests that wait for the same time wait together. Files in the run's folder say who runs, who waits, and until when.
 */
export class ClockTurns {
  readonly #folder: string;

  /** @param folder shared by the workers of one run; created when missing */
  constructor(folder: string) {
    // The run's folder holds other things too.
    this.#folder = join(folder, 'clock');
    mkdirSync(this.#folder, { recursive: true });
  }

  /** A test begins, as soon as the clock stands. @param id of the test, unlike that of any other */
  async begin(id: string): Promise<Turn> {
    const mark = this.#at(RUNNING + id);
    for (;;) {
      writeFileSync(mark, String(process.pid));
      // Somebody may have begun to move it between the look and the mark.
      if (this.areApart || !this.#isMoving()) return new Turn(this, id);
      rmSync(mark, { force: true });
      await pause(LOOK_MS);
    }
  }

  end(id: string): void {
    for (const kind of [RUNNING, WAITING]) rmSync(this.#at(kind + id), { force: true });
  }

  /** Whether each customer has a clock of his own after all: then nobody has to wait. */
  get areApart(): boolean {
    return this.#read(APART) !== undefined;
  }

  tellApart(): void {
    this.#write(APART, '');
  }

  /** What this run has done to it. */
  get moved(): Moved {
    return JSON.parse(this.#read(TIME) ?? '{"by":0}') as Moved;
  }

  /** How far the clock is ahead, as somebody has just been told. */
  tellAhead(ahead: number): void {
    this.#write(TIME, JSON.stringify({ ...this.moved, ahead }));
  }

  /**
   * Waits until the clock shows a time: whoever's time comes next moves it, once nobody runs.
   *
   * @param due epoch milliseconds, by our clock and the moves of this run
   */
  async until(id: string, due: number, move: (seconds: number) => Promise<Move>): Promise<void> {
    this.#write(WAITING + id, `${process.pid} ${due}`);
    rmSync(this.#at(RUNNING + id), { force: true });
    while (this.#read(WAITING + id) !== undefined) {
      if (this.areApart) {
        this.#run(id);
        await move(Math.max(0, Math.ceil((due - Date.now()) / 1_000)));
      } else if (this.#isNext(id) && this.#claim()) {
        try {
          // A test may have begun between the look and the claim.
          if (this.#isNext(id)) await this.#moveFor(id, due, move);
        } finally {
          rmSync(this.#at(MOVING), { force: true });
        }
      } else await pause(LOOK_MS);
    }
  }

  async #moveFor(id: string, due: number, move: (seconds: number) => Promise<Move>): Promise<void> {
    const together = this.#waiting().filter((other) => other.due <= due + TOGETHER_MS);
    const last = Math.max(...together.map((other) => other.due));
    const before = this.moved;
    const seconds = Math.max(0, Math.ceil((last - before.by - Date.now()) / 1_000));
    let release = [id];
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
  #isNext(id: string): boolean {
    if (this.#living(RUNNING).length > 0) return false;
    const [first] = this.#waiting().sort((one, other) => one.due - other.due || (one.id < other.id ? -1 : 1));
    return first?.id === id;
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

  /** Marks of workers that live: one that was killed leaves its mark behind. */
  #living(kind: string): { readonly id: string; readonly text: string }[] {
    return readdirSync(this.#folder)
      .filter((name) => name.startsWith(kind))
      .flatMap((name) => {
        const text = this.#read(name);
        if (text === undefined) return [];
        if (isAlive(Number.parseInt(text) || process.pid)) return [{ id: name.slice(kind.length), text }];
        rmSync(this.#at(name), { force: true });
        return [];
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

/** One test's part in it. */
export class Turn {
  readonly #turns: ClockTurns;
  readonly #id: string;

  constructor(turns: ClockTurns, id: string) {
    this.#turns = turns;
    this.#id = id;
  }

  /** What this run has done to the one clock. */
  get moved(): Moved {
    return this.#turns.areApart ? { by: 0 } : this.#turns.moved;
  }

  tellAhead(ahead: number): void {
    this.#turns.tellAhead(ahead);
  }

  tellApart(): void {
    this.#turns.tellApart();
  }

  /**
   * Waits until so much time has passed for the target.
   *
   * @param move moves the clock by so many seconds, and throws where it cannot
   * @returns by how much it is later now than it should be, in milliseconds
   */
  async pass(seconds: number, move: (seconds: number) => Promise<Move>): Promise<number> {
    const turns = this.#turns;
    const due = Date.now() + turns.moved.by + seconds * 1_000;
    if (turns.areApart) await move(seconds);
    else await turns.until(this.#id, due, move);
    return turns.areApart ? 0 : Date.now() + turns.moved.by - due;
  }

  end(): void {
    this.#turns.end(this.#id);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
