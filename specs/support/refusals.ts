import { Unanswered } from '../../suite/answer.ts';
import { expect, succeeded, type Answer, type Check } from '../../suite/index.ts';

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

/**
 * Holds requests with one invalid parameter each to the two halves of "invalid parameters answer 400": that they do not
 * succeed is the parameter's own rule; with which status is TRANSFER-INVALID-STATUS, looked at where none does.
 *
 * @param statuses those that the text allows here; none for every 4xx
 */
export async function refusedAsInvalid(
  check: Check,
  rule: string,
  answers: readonly Answer[],
  statuses: readonly number[] = [400],
): Promise<void> {
  await check(rule, () => answers.forEach(notAccepted));
  // One that was accepted is the parameter's own breach.
  if (answers.some(succeeded)) return;
  await check('TRANSFER-INVALID-STATUS', () => {
    for (const answer of answers)
      if (statuses.length > 0) expect(answer).toHaveHttpStatus(...statuses);
      else expect(answer).toBeRefused();
  });
}
