import { AsyncLocalStorage } from 'node:async_hooks';
import type { Answer } from './answer.ts';

/** What one check has looked at. */
export class Reads {
  readonly #pointers = new Map<Answer, Set<string>>();

  note(answer: Answer, pointer?: string): void {
    let pointers = this.#pointers.get(answer);
    if (!pointers) this.#pointers.set(answer, (pointers = new Set()));
    if (pointer !== undefined) pointers.add(pointer);
  }

  get answers(): readonly Answer[] {
    return [...this.#pointers.keys()];
  }

  /**
   * Why a failure here would prove nothing: an answer that may come from something in between, or a shape that is blamed
   * already. Undefined where nothing stands against it.
   */
  doubt(): string | undefined {
    const between = this.answers.find((answer) => answer.cameFromBetween);
    if (between)
      return `"${between.label}" was answered ${between.outcome}, which may come from something in between`;
    const broken = this.brokenShapes();
    return broken.length > 0
      ? `it stands on a part of an answer that already breaks ${broken.join(', ')}`
      : undefined;
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
