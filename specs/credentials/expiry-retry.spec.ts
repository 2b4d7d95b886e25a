import { expect, movesClock, signedOperations, test, verifies } from '../../suite/index.ts';
import type { Need, PreparedRequest } from '../../suite/index.ts';

/** Seconds beyond the end of the window, for clocks that differ. */
const BEYOND_SECONDS = 60;
/** Seconds before the end of the window. */
const BEFORE_SECONDS = 20;

for (const operation of signedOperations) {
  test(
    `${operation.name}: a retry after expiresAt is refused`,
    movesClock(verifies('RETRY-EXPIRED')),
    async ({ given, check, need, observe }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const request = await wallet.prepare(operation);
      mustNotAge(need, request);
      const window = wallet.clock.secondsLeft((await wallet.mustComplete(operation)).first);
      const late = await wallet.signedRetry(request, {
        label: 'retried after expiresAt',
        between: () => wallet.clock.letPass(Math.ceil(window) + BEYOND_SECONDS),
      });
      await wallet.mustComplete(operation);
      await check('RETRY-EXPIRED', () => expect(late.answer).toBeRefused());
      observe('retry-expired-answer', late.answer);
    },
  );

  test(
    `${operation.name}: a retry shortly before expiresAt is accepted`,
    movesClock(verifies('RETRY-VALID-UNTIL-EXPIRY')),
    async ({ given, check, need }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const request = await wallet.prepare(operation);
      mustNotAge(need, request);
      const window = wallet.clock.secondsLeft((await wallet.mustComplete(operation)).first);
      need.offered(
        window > 2 * BEFORE_SECONDS,
        `the window of ${Math.round(window)} s is too short to measure its end`,
      );
      // A session that ends before the window does would be what refuses the retry.
      const { session } = request;
      need.offered(
        !session || Date.parse(session.expiresAt ?? '') - wallet.clock.now().getTime() > window * 1_000,
        'the session that signs does not outlive the window',
      );
      const timely = await wallet.signedRetry(request, {
        label: `retried ${BEFORE_SECONDS} s before expiresAt`,
        between: () => wallet.clock.letPass(Math.floor(window) - BEFORE_SECONDS),
      });
      await wallet.mustComplete(operation);
      await check('RETRY-VALID-UNTIL-EXPIRY', () => expect(timely.answer).toBeAccepted());
    },
  );
}

/**
 * An OIDC token is at most 60 seconds old on every call, the retry included (Authentication, 7): within the window it comes to
 * be refused for its age.
 */
function mustNotAge(need: Need, { request }: PreparedRequest): void {
  const isToken = typeof (request?.body as { oidcToken?: unknown } | undefined)?.oidcToken === 'string';
  need.offered(!isToken, 'the OIDC token in the body ages faster than the window of the retry');
}
