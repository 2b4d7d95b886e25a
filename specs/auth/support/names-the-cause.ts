import { expect, type Answer, type Check } from '../../../suite/index.ts';

/** A 401 for an issue with the credentials says so in its code. Answers of another status are another rule's matter. */
export async function namesTheCause(check: Check, ...answers: readonly Answer[]): Promise<void> {
  const unauthenticated = answers.filter((answer) => answer.exchange.response?.status === 401);
  if (unauthenticated.length === 0) return;
  await check('AUTH-FAILURE-CODE', () => {
    for (const answer of unauthenticated) expect(answer).toHaveCode('UNAUTHORIZED');
  });
}
