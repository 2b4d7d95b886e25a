import type { Answer, Need, Ownership } from '../../suite/index.ts';

/** States of the ownership verification that the interface names. */
export const PENDING = 'PENDING_OWNERSHIP_VERIFICATION';
export const ACTIVE = 'ACTIVE';
export const UNVERIFIED = 'UNVERIFIED';

type Sighting = NonNullable<Awaited<ReturnType<Ownership['look']>>>;

/** One attempt to verify the ownership. */
export interface Attempt {
  readonly challenge: Answer;
  readonly verified: Answer;
  /** The account right after verify has answered. */
  readonly atOnce: Sighting;
  /** The account once it is no longer pending, or as it was seen last. */
  readonly after: Sighting;
}

/** Asks for a challenge and answers it with a signature; without a readable account the test is not verified. */
export async function proven(
  ownership: Ownership,
  need: Need,
  tamper: Parameters<Ownership['verify']>[1] = {},
): Promise<Attempt> {
  const before = need.offered(await ownership.look(), 'this target offers no read of an external account');
  need.that(before.status === PENDING, `the account starts as ${before.status}, not as ${PENDING}`);
  const challenge = await ownership.challenge();
  need(challenge).available();
  const verified = need.offered(
    await ownership.verify(challenge, tamper),
    'the challenge shows no message to sign that could be recognised',
  );
  const atOnce = need.offered(await ownership.look(), 'the account could not be read after verify');
  const after =
    atOnce.status === PENDING
      ? need.offered(await ownership.leaves(PENDING), 'the account could not be read again')
      : atOnce;
  return { challenge, verified, atOnce, after };
}
