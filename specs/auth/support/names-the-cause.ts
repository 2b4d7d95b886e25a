import { expect, type Answer, type Check } from '../../../suite/index.ts';

/** A 401 for an issue with the credentials says so in its code. Answers of another status are another rule's matter. */
export async function namesTheCause(check: Check, ...answers: readonly Answer[]): Promise<void> {
  await namesOneOf(check, ['UNAUTHORIZED'], answers);
}

/** The same for a token that may be signed: how an agent's token is made is not shown, so its header may be a signature header. */
export async function namesTheCauseOfToken(check: Check, ...answers: readonly Answer[]): Promise<void> {
  await namesOneOf(check, ['UNAUTHORIZED', 'INVALID_SIGNATURE'], answers);
}

async function namesOneOf(check: Check, codes: readonly string[], answers: readonly Answer[]): Promise<void> {
  const unauthenticated = answers.filter((answer) => answer.exchange.response?.status === 401);
  if (unauthenticated.length === 0) return;
  await check('AUTH-FAILURE-CODE', () => {
    for (const answer of unauthenticated) expect(answer).toHaveCode(...codes);
  });
}
