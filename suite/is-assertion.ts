import { AssertionError } from 'node:assert';
import { CounterexampleFound } from './counterexample-found.ts';

/** True for errors that a failed assertion throws, which accuse the target; any other error is a defect of ours. */
export function isAssertion(error: unknown): error is Error {
  return (
    error instanceof AssertionError ||
    error instanceof CounterexampleFound ||
    (error instanceof Error && ('matcherResult' in error || error.name === 'ExpectError'))
  );
}
