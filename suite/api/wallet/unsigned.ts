import type { SignedRetry } from '../../../client/signed-retry.ts';
import { type Answer, succeeded } from '../../answers/answer.ts';
import type { SignedOperation } from './signed-operations.ts';
import type { Wallet } from '../wallet.ts';

/** Answers that have been blamed already. */
const blamed = new WeakSet<Answer>();

/**
 * Blames a first call that was carried out where the interface has something to sign (section Signed-retry request
 * lifecycle), whatever the test was about: a service may ask for the signature most of the time. A success that is no 202 and
 * yet gives something to sign is the matter of the answer's status.
 *
 * @param operation whose rule says that it needs the signed retry
 */
export function blameUnsigned(
  wallet: Wallet,
  { rule, assumes }: Pick<SignedOperation, 'rule' | 'assumes'>,
  { first, challenge }: Pick<SignedRetry<Answer>, 'first' | 'challenge'>,
): void {
  const isCarriedOut = succeeded(first) && first.exchange.response?.status !== 202 && !challenge;
  if (!isCarriedOut || first.trouble || first.cameFromBetween || blamed.has(first)) return;
  blamed.add(first);
  const message = `"${first.label}" was answered ${first.outcome} without a signature, and not with a 202 to sign`;
  wallet.means.platform.blame(rule, first, message, assumes);
}
