import type { RetryChallenge, SignedRetry } from '../../../client/signed-retry.ts';
import { expect, type Answer, type Need, type Wallet, type WalletBend } from '../../../suite/index.ts';
import type { Situation } from './situation.ts';

/** One thing to do wrong on the signed retry. */
export interface Mistake {
  /** Follows the operation's name in labels. */
  readonly says: string;
  readonly bend: WalletBend;
}

/** The challenge of a first call, without which there is no retry to judge. */
export function mustChallenge(need: Need, { first, challenge }: SignedRetry<Answer>): RetryChallenge {
  return need.that(
    challenge,
    `the first call "${first.label}" was answered ${first.outcome} without a challenge, so there is no signed retry`,
  );
}

/** The control: the same operation with nothing wrong. */
export async function mustComplete(
  need: Need,
  situation: Situation,
  bend: WalletBend = {},
): Promise<SignedRetry<Answer>> {
  const control = await (await situation.fresh()).run(bend, 'with nothing wrong');
  mustChallenge(need, control);
  need(control.answer).accepted();
  return control;
}

/**
 * Makes each mistake on a retry of its own, and after them the control: a target that does not take the request without
 * a mistake proves nothing by refusing it. The control comes last, since the operation may end the session that signs.
 *
 * @returns the answers to the wrong retries, up to the first that was accepted
 */
export async function mistaken(
  need: Need,
  situation: Situation,
  mistakes: readonly Mistake[],
  control: WalletBend = {},
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const attempt = await situation.fresh();
  for (const { says, bend } of mistakes) {
    const retry = await attempt.run(bend, says);
    mustChallenge(need, retry);
    answers.push(retry.answer);
    if ((retry.answer.exchange.response?.status ?? 0) < 300) break;
  }
  await mustComplete(need, situation, control);
  return answers;
}

/** 401 with one of these codes. */
export function expectUnauthorized(answer: Answer, ...codes: readonly string[]): void {
  expect(answer).toHaveHttpStatus(401);
  expect(answer).toHaveCode(...codes);
}

/**
 * That an answer's `expiresAt` lies ahead of it, within a check. Of our clock and the target's the one that is behind
 * counts, so that no difference between them accuses.
 */
export function expectEndAhead(wallet: Wallet, answer: Answer): void {
  const theirs = Date.parse(answer.header('date') ?? '');
  const issued = Math.min(wallet.now().getTime(), Number.isNaN(theirs) ? Infinity : theirs);
  const end = Date.parse(String(answer.body.expiresAt));
  expect(end, `expiresAt, answered at ${new Date(issued).toISOString()}`).toBeGreaterThan(issued);
}

/** Seconds by the target's own clock from an answer to its `expiresAt`; the target's clock must not have been moved yet. */
export function secondsToExpiry(need: Need, wallet: Wallet, answer: Answer): number {
  const sent = Date.parse(answer.header('date') ?? '');
  const now = Number.isNaN(sent) || wallet.clockAheadMs !== 0 ? wallet.now().getTime() : sent;
  const left = (Date.parse(String(answer.body?.expiresAt)) - now) / 1_000;
  need.that(left > 0, `"${answer.label}" does not say when it expires`);
  return left;
}
