import { Unanswered } from '../../../suite/answer.ts';
import { expect, type Answer } from '../../../suite/index.ts';

/**
 * A request that must not succeed did not. With which status it failed is a rule of its own; but the answer must be the
 * service's own, or it shows nothing.
 *
 * @throws Unanswered where something in between may have answered
 */
export function notAccepted(answer: Answer): void {
  if (answer.cameFromBetween)
    throw new Unanswered(
      `"${answer.label}" was answered ${answer.outcome}, which may come from something in between`,
    );
  expect(answer).not.toBeAccepted();
}
