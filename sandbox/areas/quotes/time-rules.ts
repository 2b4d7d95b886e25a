import type { World } from '../../world/world.ts';
import { isOpen, openQuotes, type Quote } from './records.ts';

/** Ends the quotes whose time is over, or that of their challenge. */
export function endQuotes(world: World): void {
  const { rules } = world;
  for (const quote of openQuotes.all(world)) {
    if (!isOpen(quote)) openQuotes.delete(world, quote.id);
    else if (challengeEnded(world, quote)) rules.failOnExpiredChallenge(quote);
    else if (rules.quoteExpired(quote)) rules.expireQuote(quote);
  }
}

/** A quote that nobody executed in time: it is EXPIRED, and its transaction has failed. */
export function expireQuote(world: World, quote: Quote): void {
  const reason = quote.status === 'PENDING_AUTHORIZATION' ? 'SCA_NOT_COMPLETED' : 'QUOTE_EXECUTION_FAILED';
  world.rules.failQuote(quote, reason, 'EXPIRED');
}

/** Before the quote itself does. */
function challengeEnded(world: World, { status, challenge, expiresAt }: Quote): boolean {
  if (status !== 'PENDING_AUTHORIZATION' || challenge === undefined) return false;
  return challenge.expiresAt < expiresAt && world.rules.challengeExpired(challenge);
}
