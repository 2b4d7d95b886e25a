import type { Counterexample } from '../journal/types.ts';

/** A property does not hold: the smallest failing input and how to replay it. */
export class CounterexampleFound extends Error {
  override readonly name = 'CounterexampleFound';
  readonly counterexample: Counterexample;

  constructor(message: string, counterexample: Counterexample) {
    super(message);
    this.counterexample = counterexample;
  }
}
