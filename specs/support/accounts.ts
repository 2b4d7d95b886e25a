import {
  lower,
  succeeded,
  type Answer,
  type Given,
  type Need,
  type Ownership,
  type Platform,
} from '../../suite/index.ts';
import { balanceIn, type Balance as Shown } from '../../suite/taken.ts';

/** States of the ownership verification that the interface names. */
export const PENDING = 'PENDING_OWNERSHIP_VERIFICATION';
export const ACTIVE = 'ACTIVE';
export const UNVERIFIED = 'UNVERIFIED';
/** What a verification ends in. Others are not shown, and an account may pass through them. */
export const ENDS: readonly string[] = [ACTIVE, UNVERIFIED];

type Sighting = NonNullable<Awaited<ReturnType<Ownership['look']>>>;

/** One attempt to verify the ownership. */
export interface Attempt {
  readonly challenge: Answer;
  readonly verified: Answer;
  /** The account right after verify has answered. */
  readonly atOnce: Sighting;
  /** The account once its verification has ended, or as it was seen last. */
  readonly after: Sighting;
}

/** Asks for a challenge and answers it with a signature; without a readable account the test is not verified. */
export async function proven(
  ownership: Ownership,
  tamper: Parameters<Ownership['verify']>[1] = {},
): Promise<Attempt> {
  const { need } = ownership.customer;
  await needPending(ownership);
  const challenge = await ownership.challenge();
  need(challenge).available();
  const verified = need.offered(
    await ownership.verify(challenge, tamper),
    'the challenge shows no message to sign that could be recognised',
  );
  const atOnce = need.offered(await ownership.look(), 'the account could not be read after verify');
  const after = ENDS.includes(atOnce.status)
    ? atOnce
    : need.offered(
        await ownership.until((status) => ENDS.includes(status)),
        'the account could not be read again',
      );
  return { challenge, verified, atOnce, after };
}

/**
 * A hosted liveness check, which is a person's: the state says how it has ended. Without a readable account the test is not
 * verified.
 *
 * @returns the account before, and once it is no longer pending or as it was seen last
 */
export async function checkedLive(
  given: Given,
  ownership: Ownership,
  outcome: 'PASSED' | 'FAILED',
): Promise<{ readonly before: Sighting; readonly after: Sighting }> {
  const { need } = ownership.customer;
  const before = await needPending(ownership);
  // Some services want it asked for; how one that does not answers is its own matter.
  await ownership.challenge('LIVENESS');
  await given.state('liveness', { externalAccountId: ownership.accountId, outcome });
  const after = need.offered(
    await ownership.until((status) => ENDS.includes(status)),
    'the account could not be read again',
  );
  return { before, after };
}

/** The account as a test starts with it. Not verified where it cannot be read. */
export async function needPending(ownership: Ownership): Promise<Sighting> {
  const { need } = ownership.customer;
  const before = need.offered(await ownership.look(), 'this target offers no read of an external account');
  need.that(before.status === PENDING, `the account starts as ${before.status}, not as ${PENDING}`);
  return before;
}

/** Balance of an account, and the answer that shows it. */
export interface Balance extends Shown {
  readonly answer: Answer;
}

interface Owned {
  readonly accountId: string;
  readonly customerId: string;
}

/** How fields of an account are called is not shown: undefined where no balance can be recognised. */
export async function balanceSeen(
  platform: Platform,
  { accountId, customerId }: Owned,
): Promise<Balance | undefined> {
  const answer = await platform.call('listInternalAccounts', {
    label: "reading the customer's accounts",
    query: { customerId },
  });
  const data: unknown = succeeded(answer) ? (answer.body as { data?: unknown })?.data : [];
  const account = (Array.isArray(data) ? (data as Record<string, unknown>[]) : []).find(
    ({ id }) => lower(id) === lower(accountId),
  );
  const seen = balanceIn(account);
  return seen && { ...seen, answer };
}

/** The same; the test is not verified where there is none. */
export async function accountBalance(need: Need, platform: Platform, account: Owned): Promise<Balance> {
  return need.offered(
    await balanceSeen(platform, account),
    'the target shows no balance of the account that could be recognised',
  );
}
