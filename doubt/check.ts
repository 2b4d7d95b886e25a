/**
 * When does a check accuse, and when does it prove anything? It notes what it looks at: a failure that stands on an answer
 * from something in between, or on a shape that is blamed already, accuses nobody, and neither does a pass over trouble
 * prove that a rule is kept.
 */
import { AssertionError } from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import { stripVTControlCharacters } from 'node:util';
import type { Counterexample, Looked } from '../journal/types.ts';
import type { Witness } from './answer.ts';

/** Why a check proves nothing. */
export interface Doubt {
  readonly reason: string;
  /** Trouble of the moment, so that another try may well tell. */
  readonly trouble: boolean;
}

/** How an assertion over answers ended; it was kept where nothing is set. */
export interface Judged {
  readonly doubt?: Doubt;
  /** The assertion that failed, which accuses. */
  readonly broken?: Error;
  /** Any other error: it ends the test, or is a mistake of the suite. */
  readonly other?: Error;
}

/** Thrown by reading an answer that never came: makes a check inconclusive. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** A property does not hold: the smallest failing input and how to replay it. */
export class CounterexampleFound extends Error {
  override readonly name = 'CounterexampleFound';
  readonly counterexample: Counterexample;

  constructor(message: string, counterexample: Counterexample) {
    super(message);
    this.counterexample = counterexample;
  }
}

/** What one check has looked at. */
export class Reads {
  readonly #pointers = new Map<Witness, Set<string>>();
  readonly #named = new Set<Witness>();

  /** @param evidence answers that count as looked at from the start */
  constructor(evidence: readonly Witness[] = []) {
    for (const answer of evidence) this.note(answer);
  }

  note(answer: Witness, pointer?: string): void {
    let pointers = this.#pointers.get(answer);
    if (!pointers) this.#pointers.set(answer, (pointers = new Set()));
    if (pointer !== undefined) pointers.add(pointer);
  }

  /** Notes that an assertion has named the status or code of an answer and found it: that is no doubt but the answer. */
  noteNamed(answer: Witness): void {
    this.#named.add(answer);
  }

  get answers(): readonly Witness[] {
    return [...this.#pointers.keys()];
  }

  /** Where in the answers the check looked; a bare read is one of the status. */
  looked(): readonly Looked[] {
    return [...this.#pointers].map(([{ id }, pointers]) => ({
      exchange: id,
      pointers: ['#status', ...pointers],
    }));
  }

  /**
   * Runs assertions and says what they have shown.
   *
   * @param options.isRepeat the test met the same before: a refusal that comes as a page twice is how this target refuses
   * @param options.faultsAccuse whether a fault that no assertion names fails them; true unless given
   * @param options.isEnd errors that end the test or the input, and show nothing
   */
  async judge(
    run: () => unknown,
    options: {
      readonly isRepeat: boolean;
      readonly faultsAccuse?: boolean;
      readonly isEnd?: (error: Error) => boolean;
    },
  ): Promise<Judged> {
    const { isRepeat, faultsAccuse = true, isEnd } = options;
    try {
      await withReads(this, run);
      if (faultsAccuse) this.assertNoFault();
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (isEnd?.(error)) return { other: error };
      const doubt = this.#doubtInFailure(error);
      if (doubt) return { doubt };
      return isAssertion(error) ? { broken: error } : { other: error };
    }
    const doubt = this.doubtInPass(isRepeat);
    return doubt ? { doubt } : {};
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
  momentary(): Witness | undefined {
    return this.answers.find((answer) => answer.trouble?.mayAccuse);
  }

  /** Rules of the shapes that are broken where the check looked: above, at or below a property that it read. */
  brokenShapes(): readonly string[] {
    const rules = new Set<string>();
    for (const [answer, pointers] of this.#pointers)
      for (const breach of answer.breaches)
        for (const pointer of pointers) if (overlaps(breach.pointer, pointer)) rules.add(breach.rule);
    return [...rules];
  }

  #doubtInFailure(error: Error): Doubt | undefined {
    const between = this.answers.find(({ trouble }) => trouble?.mayAccuse === false);
    const broken = this.brokenShapes()
      .filter((rule) => !rule.startsWith(CODES_OF_A_STATUS))
      .join(', ');
    const stands = between
      ? doubtOver(between)
      : broken === ''
        ? undefined
        : { reason: `it stands on a part of an answer that already breaks ${broken}`, trouble: false };
    if (error instanceof Unanswered) return { reason: error.message, trouble: stands?.trouble ?? true };
    const unlike = incomparable(error);
    return stands ?? (unlike === undefined ? undefined : { reason: unlike, trouble: false });
  }

  /** Why a pass here would prove nothing: "is not refused with X" holds of every 500, and "has no field X" of every page. */
  doubtInPass(isRepeat: boolean): Doubt | undefined {
    for (const [answer, pointers] of this.#pointers) {
      if (this.#named.has(answer)) continue;
      const { trouble, exchange } = answer;
      const isOwnRefusal = isRepeat && trouble?.mayAccuse && (exchange.response?.status ?? 0) < 500;
      if (trouble && !isOwnRefusal) return doubtOver(answer);
      const whole = answer.breaches.find((breach) => breach.pointer === '' || breach.pointer === '#body');
      if (whole && pointers.size > 0) {
        const reason = `it stands on a body that already breaks ${whole.rule}: ${whole.message}`;
        return { reason, trouble: false };
      }
    }
    return undefined;
  }
}

function doubtOver({ label, trouble }: Witness): Doubt {
  const isMomentary = trouble?.momentary === true;
  const why = isMomentary ? 'which may be trouble of the moment' : 'which proves nothing';
  return { reason: `"${label}" was answered ${trouble?.what}, ${why}`, trouble: isMomentary };
}

function overlaps(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/** True for errors that a failed assertion throws, which accuse the target; any other error is a defect of ours. */
function isAssertion(error: Error): boolean {
  return (
    error instanceof AssertionError ||
    error instanceof CounterexampleFound ||
    'matcherResult' in error ||
    error.name === 'ExpectError'
  );
}

/** A code that its status does not have fails who expects another: what is wrong with it is told by the whole run. */
export const CODES_OF_A_STATUS = 'ERROR-CODE-';

const WHY_INCOMPARABLE = /Matcher error[^:]*: ([^\n]*)/;

/** Why an assertion could not compare what it was given: a text in place of a number is told by the rule of its shape. */
function incomparable(error: Error): string | undefined {
  const why = WHY_INCOMPARABLE.exec(stripVTControlCharacters(error.message))?.[1];
  return why === undefined ? undefined : `it compares another kind of value: ${why}`;
}

const current = new AsyncLocalStorage<Reads>();

/** Runs a function and notes every answer that it looks at. */
export function withReads<T>(reads: Reads, run: () => T): T {
  return current.run(reads, run);
}

/** Notes that the running check, if any, looked at a property of an answer. */
export function noteRead(answer: Witness, pointer?: string): void {
  current.getStore()?.note(answer, pointer);
}

/** Notes that an assertion of the running check has named what it found in an answer. */
export function noteNamed(answer: Witness): void {
  current.getStore()?.noteNamed(answer);
}

/** Whether a check is running: it settles by itself what an answer that never came means. */
export function insideCheck(): boolean {
  return current.getStore() !== undefined;
}
