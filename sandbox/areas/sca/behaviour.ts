import type { JsonObject } from '../../server/json.ts';
import type { Refusal } from '../../server/refusal.ts';
import { type Passes } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import type { Customer, ScaProfile } from '../customers/records.ts';
import { quoteStillValid, setQuoteStatus } from '../quotes/execution.ts';
import type { Quote } from '../quotes/records.ts';
import {
  scaOf,
  challengesFor,
  issueChallenge,
  SCA_CHALLENGE_LIFE,
  type ScaChallenge,
  scaLogins,
  SESSION_TIME,
} from './records.ts';
import { changeStatus } from '../../world/table.ts';

/*
 * Strong customer authentication, for customers of regions that require it: logins, and the challenges that stand before a quote
 * can be executed (challenge-behaviour.ts).
 */

/** Completes a login with the proof of its challenge. @returns until when the session lasts @throws Refusal */
export async function completeScaLogin(world: World, customer: Customer, body: JsonObject): Promise<number> {
  const { behaviour } = world;
  const sca = scaOf(world, customer.id);
  if (!sca) throw behaviour.refuseLoginWithoutSca();
  behaviour.accountNotLocked(customer.id, sca);
  const challenge =
    scaLogins.get(world, String(body['challengeId'])) ??
    latestLogin(world, customer.id, body['challengeId'] === undefined);
  if (!challenge || challenge.customerId !== customer.id || isUsed(challenge))
    throw behaviour.refuseScaProof('There is no such login challenge.');
  if (behaviour.challengeExpired(challenge)) throw behaviour.refuseScaProof('The challenge has expired.');
  if (!(await behaviour.proofHolds(challenge, body))) {
    countFailure(world, customer.id, sca);
    throw behaviour.refuseScaProof('The proof is not right for this login.');
  }
  // Two proofs at once: a challenge opens one session. Or time has ended it meanwhile.
  if (isUsed(challenge)) throw behaviour.refuseScaProof('The challenge has been used.');
  if (behaviour.challengeExpired(challenge)) throw behaviour.refuseScaProof('The challenge has expired.');
  useScaChallenge(world, challenge);
  sca.failedAttempts = 0;
  const until = world.clock.now(customer.id) + SESSION_TIME;
  behaviour.openScaSession(customer, until);
  return until;
}

/** A customer has one session: a later login takes its place. @param until milliseconds since the epoch */
export function openScaSession(world: World, customer: Customer, until: number): void {
  scaOf(world, customer.id)!.sessionExpiresAt = until;
}

const isUsed = ({ status }: ScaChallenge): boolean => status === 'USED';

function latestLogin(world: World, customerId: string, isWanted: boolean): ScaChallenge | undefined {
  return isWanted
    ? scaLogins
        .all(world)
        .findLast((challenge) => challenge.customerId === customerId && challenge.status === 'OPEN')
    : undefined;
}

/** Wrong proofs in a row that lock a customer. */
const MOST_FAILURES = 10;

const LOCK_TIME = 15 * 60_000;

/** Submits a proof for the active challenge of a quote. @throws Refusal */
export async function authorizeQuote(world: World, quote: Quote, proof: JsonObject): Promise<void> {
  const { behaviour } = world;
  const sca = scaOf(world, quote.customerId);
  if (!sca) throw refuseAuthorizeWithoutSca(world);
  behaviour.accountNotLocked(quote.customerId, sca);
  behaviour.scaSessionAlive(quote.customerId, sca);
  if (quote.challenge && behaviour.challengeExpired(quote.challenge))
    throw behaviour.refuseScaProof('The challenge has expired.');
  quoteStillValid(world, quote);
  quoteAwaitsProof(world, quote);
  const challenge = quote.challenge!;
  if (!(await behaviour.proofHolds(challenge, proof))) {
    countFailure(world, quote.customerId, sca);
    behaviour.afterWrongProof(quote);
    throw behaviour.refuseScaProof('The proof is not right for the active challenge.');
  }
  // Two proofs at once: the other one may have taken the challenge meanwhile, or time the quote.
  quoteStillValid(world, quote);
  quoteAwaitsProof(world, quote);
  if (behaviour.challengeExpired(challenge)) throw behaviour.refuseScaProof('The challenge has expired.');
  if (quote.challenge !== challenge) throw behaviour.refuseConflict('The challenge has been authorized.');
  sca.failedAttempts = 0;
  behaviour.advanceAuthorization(quote);
}

/** Customers outside SCA regions. Which code is not shown. */
function refuseAuthorizeWithoutSca(world: World): Refusal {
  return world.behaviour.refuseScaNotApplicable();
}

/** An account is locked for a while after too many wrong proofs. */
export function accountNotLocked(world: World, customerId: string, sca: ScaProfile): Passes {
  const until = sca.lockedUntil;
  if (until === undefined || world.clock.now(customerId) >= until) return;
  throw world.behaviour.refuseLocked(until, sca.failedAttempts);
}

/** The interface knows locked accounts and not what locks them: here wrong proofs in a row, for a quarter of an hour. */
function countFailure(world: World, customerId: string, sca: ScaProfile): void {
  sca.failedAttempts++;
  if (sca.failedAttempts < world.behaviour.mostFailures()) return;
  sca.lockedUntil = world.clock.now(customerId) + LOCK_TIME;
}

/** How many wrong proofs in a row lock an account. */
export const mostFailures = (_world: World): number => MOST_FAILURES;

/** A wrong proof leaves the quote as it was. */
export function afterWrongProof(_world: World, _quote: Quote): void {}

/** Authorizing needs a login that is not older than a session lasts. */
export function scaSessionAlive(world: World, customerId: string, sca: ScaProfile): Passes {
  const until = sca.sessionExpiresAt;
  if (!(until !== undefined && world.clock.now(customerId) < until))
    throw world.behaviour.refuseWithoutSession();
}

/**
 * interface.md > Quote status: authorizing begins at PENDING_AUTHORIZATION. What a quote in another status gets is not
 * shown.
 */
function quoteAwaitsProof(world: World, quote: Quote): Passes {
  if (quote.status === 'PENDING_AUTHORIZATION' && quote.challenge) return;
  throw world.behaviour.refuseConflict(`The quote is ${quote.status} and awaits no authorization.`);
}

/**
 * interface.md > ScaChallenge: after expiresAt it cannot be authorized. passTime has seen to the status before anybody
 * asks.
 */
export function challengeExpired(_world: World, challenge: ScaChallenge): boolean {
  return challenge.status === 'EXPIRED';
}

/** An expired challenge ends the quote; no new one is issued. */
export function failOnExpiredChallenge(world: World, quote: Quote): void {
  world.behaviour.failQuote(quote, 'SCA_NOT_COMPLETED');
}

/** One authorization more: the next challenge, or none is left. */
export function advanceAuthorization(world: World, quote: Quote): void {
  if (quote.challenge) useScaChallenge(world, quote.challenge);
  quote.authorizations++;
  if (world.behaviour.needsNextChallenge(quote)) {
    quote.challenge = world.behaviour.nextChallenge(quote);
    return;
  }
  delete quote.challenge;
  world.behaviour.releaseQuote(quote);
}

/** interface.md > ScaChallenge: one authorization after the other, until none is left. */
export function needsNextChallenge(world: World, quote: Quote): boolean {
  return quote.authorizations < challengesFor(world, quote);
}

/** interface.md > ScaChallenge: the next one has a new id. */
export function nextChallenge(world: World, quote: Quote): NonNullable<Quote['challenge']> {
  return issueChallenge(world, quote);
}

/** Nothing is left to authorize; which status comes next is not named. */
export function releaseQuote(world: World, quote: Quote): void {
  setQuoteStatus(world, quote, 'PENDING');
}

/** From here on a challenge has been authorized. */
function useScaChallenge(world: World, challenge: ScaChallenge): void {
  changeStatus(world, SCA_CHALLENGE_LIFE, challenge, 'USED');
}
