import { expect, movesClock, test, verifies, type Need } from '../../suite/index.ts';
import { mustChallenge, mustComplete, secondsToExpiry } from './support/attempts.ts';
import { signedOperations } from './support/signed-operations.ts';
import type { Attempt } from './support/situation.ts';

/** Seconds beyond the end of the window, for clocks that differ. */
const BEYOND_SECONDS = 60;
/** Seconds before the end of the window. */
const BEFORE_SECONDS = 20;

for (const { name, prepare } of signedOperations) {
  test(
    `${name}: a retry after expiresAt is refused`,
    movesClock(verifies('RETRY-EXPIRED')),
    async ({ given, check, clock, need, observe, profile }) => {
      const situation = await prepare({ given, need, profile });
      const { wallet } = situation;
      const attempt = await situation.fresh();
      mustNotAge(need, attempt);
      const window = secondsToExpiry(need, wallet, (await mustComplete(need, situation)).first);
      const between = async () =>
        void (wallet.clockAheadMs += await clock.advance(
          Math.ceil(window) + BEYOND_SECONDS,
          wallet.customerId,
        ));
      const late = await attempt.run({ between }, 'retried after expiresAt');
      mustChallenge(need, late);
      await mustComplete(need, situation);
      await check('RETRY-EXPIRED', () => expect(late.answer).toBeRefused());
      observe('retry-expired-answer', late.answer);
    },
  );

  test(
    `${name}: a retry shortly before expiresAt is accepted`,
    movesClock(verifies('RETRY-VALID-UNTIL-EXPIRY')),
    async ({ given, check, clock, need, profile }) => {
      const situation = await prepare({ given, need, profile });
      const { wallet } = situation;
      const attempt = await situation.fresh();
      mustNotAge(need, attempt);
      const window = secondsToExpiry(need, wallet, (await mustComplete(need, situation)).first);
      need.offered(
        window > 2 * BEFORE_SECONDS,
        `the window of ${Math.round(window)} s is too short to measure its end`,
      );
      // A session that ends before the window does would be what refuses the retry.
      const ends = attempt.bySession?.expiresAt;
      if (attempt.bySession)
        need.offered(
          ends !== undefined && Date.parse(ends) - wallet.now().getTime() > window * 1_000,
          'the session that signs does not outlive the window',
        );
      const between = async () =>
        void (wallet.clockAheadMs += await clock.advance(
          Math.floor(window) - BEFORE_SECONDS,
          wallet.customerId,
        ));
      const timely = await attempt.run({ between }, `retried ${BEFORE_SECONDS} s before expiresAt`);
      mustChallenge(need, timely);
      await mustComplete(need, situation);
      await check('RETRY-VALID-UNTIL-EXPIRY', () => expect(timely.answer).toBeAccepted());
    },
  );
}

/**
 * An OIDC token is at most 60 seconds old on every call, the retry included (Authentication, 7): within the window it comes to
 * be refused for its age.
 */
function mustNotAge(need: Need, { request }: Attempt): void {
  const isToken = typeof (request?.body as { oidcToken?: unknown } | undefined)?.oidcToken === 'string';
  need.offered(!isToken, 'the OIDC token in the body ages faster than the window of the retry');
}
