import { AssertionError } from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Looked } from '../journal/types.ts';
import type { Answer } from './answers/answer.ts';

/** Why a check proves nothing. */
export interface Doubt {
  readonly reason: string;
  /** Trouble of the moment, so that another try may well tell. */
  readonly trouble: boolean;
}

/** What one check has looked at. */
export class Reads {
  readonly #pointers = new Map<Answer, Set<string>>();
  readonly #named = new Set<Answer>();

  note(answer: Answer, pointer?: string): void {
    let pointers = this.#pointers.get(answer);
    if (!pointers) this.#pointers.set(answer, (pointers = new Set()));
    if (pointer !== undefined) pointers.add(pointer);
  }

  get answers(): readonly Answer[] {
    return [...this.#pointers.keys()];
  }

  /** Where in the answers the check looked; a bare read is one of the status. */
  looked(): readonly Looked[] {
    return [...this.#pointers].map(([{ id }, pointers]) => ({
      exchange: id,
      pointers: ['#status', ...pointers],
    }));
  }

  /** Notes that an assertion has named the status or code of an answer and found it: that is no doubt but the answer. */
  noteNamed(answer: Answer): void {
    this.#named.add(answer);
  }

  /**
   * Why a failure here would prove nothing: an answer that may come from something in between, or a shape that is blamed
   * already. Undefined where nothing stands against it.
   */
  doubtInFailure(): Doubt | undefined {
    const between = this.answers.find((answer) => answer.cameFromBetween);
    if (between) return doubtOver(between);
    const broken = this.brokenShapes();
    return broken.length > 0
      ? {
          reason: `it stands on a part of an answer that already breaks ${broken.join(', ')}`,
          trouble: false,
        }
      : undefined;
  }

  /**
   * Fails where the check has looked at a fault inside the service (section Errors, 500 codes), and asked for anything
   * else: it shows no rule kept. Whether it was the moment's alone, the repeat of the test tells.
   *
   * @throws AssertionError
   */
  assertNoFault(): void {
    const fault = this.answers.find((answer) => answer.isFault && !this.#named.has(answer));
    if (fault)
      throw new AssertionError({
        message: `"${fault.label}": expected an answer to the request, got ${fault.told}, a fault inside the service`,
      });
  }

  /** An answer that may be trouble of the moment: a failure on it accuses only where the repeat shows it again. */
  momentary(): Answer | undefined {
    return this.answers.find((answer) => answer.trouble?.mayAccuse);
  }

  /**
   * Why a pass here would prove nothing: "is not refused with X" holds of every 500, and "has no field X" of every page.
   *
   * @param isRepeat the test met the same before: a refusal that comes as a page twice is how this target refuses
   */
  doubtInPass(isRepeat: boolean): Doubt | undefined {
    for (const [answer, pointers] of this.#pointers) {
      if (this.#named.has(answer)) continue;
      const { trouble, exchange } = answer;
      const isOwnRefusal = isRepeat && trouble?.mayAccuse && (exchange.response?.status ?? 0) < 500;
      if (trouble && !isOwnRefusal) return doubtOver(answer);
      const whole = answer.breaches.find((breach) => breach.pointer === '' || breach.pointer === '#body');
      if (whole && pointers.size > 0)
        return {
          reason: `it stands on a body that already breaks ${whole.rule}: ${whole.message}`,
          trouble: false,
        };
    }
    return undefined;
  }

  /** Rules of the shapes that are broken where the check looked: above, at or below a property that it read. */
  brokenShapes(): readonly string[] {
    const rules = new Set<string>();
    for (const [answer, pointers] of this.#pointers)
      for (const breach of answer.breaches)
        for (const pointer of pointers) if (overlaps(breach.pointer, pointer)) rules.add(breach.rule);
    return [...rules];
  }
}

function doubtOver({ label, trouble }: Answer): Doubt {
  const isMomentary = trouble?.momentary === true;
  const why = isMomentary ? 'which may be trouble of the moment' : 'which proves nothing';
  return { reason: `"${label}" was answered ${trouble?.what}, ${why}`, trouble: isMomentary };
}

function overlaps(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

const current = new AsyncLocalStorage<Reads>();

/** Runs a function and notes every answer that it looks at. */
export function withReads<T>(reads: Reads, run: () => T): T {
  return current.run(reads, run);
}

/** Notes that the running check, if any, looked at a property of an answer. */
export function noteRead(answer: Answer, pointer?: string): void {
  current.getStore()?.note(answer, pointer);
}

/** Notes that an assertion of the running check has named what it found in an answer. */
export function noteNamed(answer: Answer): void {
  current.getStore()?.noteNamed(answer);
}

/** Whether a check is running: it settles by itself what an answer that never came means. */
export function insideCheck(): boolean {
  return current.getStore() !== undefined;
}

/**
 * A read-only view of a JSON value that reports every property that is read, as a JSON pointer. It lets a failing check
 * say which part of an answer it stands on, so that a breach of shape there is not accused a second time.
 */
export function tracked<T>(value: T, onRead: (pointer: string) => void, pointer = ''): T {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value as object, {
    get(target, key, receiver) {
      const inner: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol' || typeof inner === 'function') return inner;
      const path = `${pointer}/${key}`;
      onRead(path);
      return tracked(inner, onRead, path);
    },
    has(target, key) {
      if (typeof key === 'string') onRead(`${pointer}/${key}`);
      return Reflect.has(target, key);
    },
    getOwnPropertyDescriptor(target, key) {
      if (typeof key === 'string') onRead(`${pointer}/${key}`);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
    set() {
      throw new TypeError('an answer cannot be changed');
    },
  }) as T;
}
