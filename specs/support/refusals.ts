import type fc from 'fast-check';
import { expect, explore, succeeded, type Answer, type Check, Unanswered } from '../../suite/index.ts';

/** With which status an invalid parameter of a transfer-out fails. */
const STATUS_RULE = 'TRANSFER-INVALID-STATUS';

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
  await check(rule, () => answers.forEach(notAcceptedIfAnswered));
  // One that was accepted is the parameter's own breach.
  if (answers.some(succeeded)) return;
  await check(STATUS_RULE, () => {
    for (const answer of answers)
      if (statuses.length > 0) expect(answer).toHaveHttpStatus(...statuses);
      else expect(answer).toBeRefused();
  });
}

/** As {@link refusedAsInvalid}, for inputs that are explored. */
export async function exploredAsInvalid<T>(
  check: Check,
  rule: string,
  inputs: fc.Arbitrary<T>,
  send: (input: T) => Promise<Answer>,
  options: { readonly runs?: number } = {},
): Promise<void> {
  const faults: Answer[] = [];
  const property = async (input: T) => {
    const answer = await send(input);
    if (answer.isFault) faults.push(answer);
    notAcceptedIfAnswered(answer);
  };
  await check(rule, () => explore(inputs, property, options));
  if (faults[0]) await check(STATUS_RULE, () => expect(faults[0] as Answer).toHaveHttpStatus(400));
}

/** A fault inside the service has the wrong status, which has a rule of its own. */
function notAcceptedIfAnswered(answer: Answer): void {
  if (answer.isFault)
    throw new Unanswered(`"${answer.label}" was answered ${answer.outcome}, which ${STATUS_RULE} speaks of`);
  notAccepted(answer);
}

/** Refused with the status and the code that the text gives it. */
export function expectError(answer: Answer, status: number, code: string): void {
  expect(answer).toBeRefused(status);
  expect(answer).toHaveCode(code);
}

/** Codes that speak of the amount alone. */
const OF_THE_AMOUNT = new Set(['AMOUNT_OUT_OF_RANGE', 'TRANSACTION_SIZE_LIMIT_EXCEEDED']);

/** Refused for its amount: the least and the greatest one that a service takes, or a rail of it, are not shown. */
export function isOfTheAmount(answer: Answer): boolean {
  return answer.exchange.response !== undefined && !answer.accepted && OF_THE_AMOUNT.has(answer.code ?? '');
}
