import { stripVTControlCharacters } from 'node:util';
import { AssertionError } from 'node:assert';
import type { Counterexample } from '../journal/types.ts';
import { Unanswered } from './answers/answer.ts';
import type { Reads } from './check-reads.ts';

/** A property does not hold: the smallest failing input and how to replay it. */
export class CounterexampleFound extends Error {
  override readonly name = 'CounterexampleFound';
  readonly counterexample: Counterexample;

  constructor(message: string, counterexample: Counterexample) {
    super(message);
    this.counterexample = counterexample;
  }
}

/** True for errors that a failed assertion throws, which accuse the target; any other error is a defect of ours. */
export function isAssertion(error: unknown): error is Error {
  return (
    error instanceof AssertionError ||
    error instanceof CounterexampleFound ||
    (error instanceof Error && ('matcherResult' in error || error.name === 'ExpectError'))
  );
}

/** An error that says nothing about the rule: no answer, a gateway's answer, a shape blamed already, a defect of ours. */
export function obstacleIn(error: unknown, reads: Reads): Error | undefined {
  if (!(error instanceof Error)) return new Error(String(error));
  const doubt = reads.doubtInFailure();
  if (doubt) return new Unanswered(doubt.reason);
  if (isAssertion(error)) return undefined;
  const unlike = incomparable(error);
  return unlike === undefined ? error : new Unanswered(unlike);
}

const WHY_INCOMPARABLE = /Matcher error[^:]*: ([^\n]*)/;

/**
 * Why an assertion could not compare what it was given: a text in place of a number is told by the rule of its shape.
 * Undefined for any other error.
 */
export function incomparable(error: unknown): string | undefined {
  const [, why] =
    error instanceof Error ? (WHY_INCOMPARABLE.exec(stripVTControlCharacters(error.message)) ?? []) : [];
  return why === undefined ? undefined : `it compares another kind of value: ${why}`;
}
