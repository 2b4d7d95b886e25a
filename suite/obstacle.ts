import { Unanswered } from './answer.ts';
import { isAssertion } from './is-assertion.ts';
import type { Reads } from './reads.ts';

/** An error that says nothing about the rule: no answer, a gateway's answer, a shape blamed already, a defect of ours. */
export function obstacleIn(error: unknown, reads: Reads): Error | undefined {
  if (!(error instanceof Error)) return new Error(String(error));
  const doubt = reads.doubtInFailure();
  if (doubt) return new Unanswered(doubt.reason);
  return isAssertion(error) ? undefined : error;
}
