import { expect, type Answer, type Check } from '../../../suite/index.ts';
import { notAccepted } from './not-accepted.ts';

/**
 * Holds requests with one invalid parameter each to the two halves of "invalid parameters answer 400": that they do not
 * succeed is the parameter's own rule; with which status is TRANSFER-INVALID-STATUS, looked at where the first holds.
 *
 * @param statuses those that the text allows here; none for every 4xx
 */
export async function refusedAsInvalid(
  check: Check,
  rule: string,
  answers: readonly Answer[],
  statuses: readonly number[] = [400],
): Promise<void> {
  if (!(await check(rule, () => answers.forEach(notAccepted)))) return;
  await check('TRANSFER-INVALID-STATUS', () => {
    for (const answer of answers) expect(answer).toBeRefused(...statuses);
  });
}
