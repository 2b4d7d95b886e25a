import {
  expect,
  movesClock,
  signedCases,
  signedOperations,
  succeeded,
  test,
  verifies,
  type Answer,
  type Given,
  type Need,
  type PreparedRequest,
  type ReadBack,
  type Wallet,
} from '../../suite/index.ts';
import { needRefreshed } from '../support/credentials.ts';

/** Seconds beyond an end, for clocks that differ. */
const BEYOND_SECONDS = 10;
/** Seconds before the session's end. */
const BEFORE_SECONDS = 60;
/** Seconds before the end of the window in which a retry or a challenge is taken. */
const BEFORE_WINDOW_ENDS_SECONDS = 20;

/** Rules of operations on a session, which is gone when it has expired. */
const IS_ABOUT_ITS_SESSION = new Set(['RETRY-SESSION-REFRESH', 'RETRY-SESSION-REVOKE']);

test('whether an expired session is refreshed', movesClock({}), async ({ given, observe }) => {
  const { wallet, session } = await given.signedIn();
  if (session.id === undefined) return;
  await wallet.clock.letPass(Math.ceil(wallet.clock.secondsLeft(session)) + BEYOND_SECONDS);
  const { answer } = await wallet.sessions.refresh(session.id, session, wallet.newKey());
  observe('session-of-expired-refresh', answer);
});

test(
  'a session that expires between the first call and the retry does not sign',
  movesClock(verifies('STAMP-EXPIRED-SESSION')),
  async ({ given, check, need }) => {
    const { wallet, credential, session } = await given.signedIn();
    const control = await wallet.needSign(session);
    const wait = BEFORE_SECONDS + BEYOND_SECONDS;
    need.offered(
      wallet.clock.secondsLeft(control.first) > wait + BEYOND_SECONDS,
      'the signed retry is not open long enough for its session to end within',
    );
    await wallet.clock.letPass(Math.max(0, Math.floor(wallet.clock.secondsLeft(session)) - BEFORE_SECONDS));
    const late = await wallet.signedBy(session, 'a wallet request whose session expires before the retry', {
      between: () => wallet.clock.letPass(wait),
    });
    const again = await given.session(wallet, credential);
    await wallet.needSign(again);
    await check('STAMP-EXPIRED-SESSION', () => expect(late).toBeRefused(401, 403));
  },
);

test(
  'a later login makes no session last longer',
  movesClock(verifies('STAMP-EXPIRED-SESSION')),
  async ({ given, check }) => {
    const { wallet, credential, session } = await given.signedIn();
    await wallet.clock.letPass(Math.max(0, Math.floor(wallet.clock.secondsLeft(session)) - BEFORE_SECONDS));
    await given.session(wallet, credential);
    await wallet.clock.letPass(BEFORE_SECONDS + BEYOND_SECONDS);
    await wallet.needSign(await given.session(wallet, credential));
    const late = await wallet.signedBy(
      session,
      'a wallet request of a session that ended after a later login',
    );
    await check('STAMP-EXPIRED-SESSION', () => expect(late).toBeRefused(401, 403));
  },
);

test(
  'a session that was refreshed signs nothing after its expiresAt',
  movesClock(verifies('STAMP-EXPIRED-SESSION')),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.signedIn();
    const refreshed = await needRefreshed(wallet, await wallet.sessions.another());
    need.offered(refreshed.expiresAt, 'what was answered to the refresh tells no end');
    await wallet.clock.letPass(Math.ceil(wallet.clock.secondsLeft(refreshed)) + BEYOND_SECONDS);
    await wallet.needSign(await given.session(wallet, credential));
    const late = await wallet.signedBy(refreshed, 'a wallet request of the refreshed session after its end');
    await check('STAMP-EXPIRED-SESSION', () => expect(late).toBeRefused(401, 403));
  },
);

const AGAIN = [
  { type: 'EMAIL_OTP', rule: 'SESSION-REAUTHENTICATE-OTP' },
  { type: 'SMS_OTP', rule: 'SESSION-REAUTHENTICATE-OTP' },
  { type: 'OAUTH', rule: 'SESSION-REAUTHENTICATE-OAUTH' },
  { type: 'PASSKEY', rule: 'SESSION-REAUTHENTICATE-PASSKEY' },
] as const;

for (const { type, rule } of AGAIN)
  test(
    `a session of ${type} signs until shortly before its expiresAt and not after it, when ${type} logs in again`,
    movesClock(verifies('SESSION-VALID-UNTIL-EXPIRY', 'STAMP-EXPIRED-SESSION', 'SESSION-EXPIRES-AT', rule)),
    async ({ given, check, need, observe }) => {
      const { wallet, session: old, credential } = await given.signedIn(type);
      const left = wallet.clock.secondsLeft(old);
      observe('session-lifetime', { [type]: `${Math.round(left / 60)} min` });
      await wallet.needSign(old);
      const isLong = left > 2 * BEFORE_SECONDS;
      if (isLong) await wallet.clock.letPass(Math.floor(left) - BEFORE_SECONDS);
      const label = `a wallet request ${BEFORE_SECONDS} s before the session expires`;
      const late = isLong ? await wallet.signedBy(old, label) : undefined;
      await wallet.clock.letPass(Math.ceil(wallet.clock.secondsLeft(old)) + BEYOND_SECONDS);
      // Before the login, since a new session may end the one before it.
      const dead = await wallet.signedBy(old, 'a wallet request signed by the expired session');
      const login = await wallet.attempt(credential);
      await check(rule, () => expect(login.answer).toBeAccepted());
      const { session } = need.minted(login);
      const over = new Date(String(old.expiresAt));
      // In whole seconds the two may be one, where a state has let records age in place of moving a clock.
      if (over.getMilliseconds() === 0) over.setSeconds(over.getSeconds() - 1);
      await check('SESSION-EXPIRES-AT', () => expect(login.answer).toExpireAfter(over));
      const request = await wallet.signedBy(session, 'a wallet request signed by the new session');
      await check(rule, () => expect(request).toBeAccepted(), { assumes: ['stamp'] });
      need(request).accepted();
      await check('STAMP-EXPIRED-SESSION', () => expect(dead).toBeRefused(401, 403));
      observe('stamp-ended-session-code', { expired: dead.outcome }, dead);
      const judged = need.offered(late, `a session of ${Math.round(left)} s is too short to measure its end`);
      await check('SESSION-VALID-UNTIL-EXPIRY', () => expect(judged).toBeAccepted());
    },
  );

test(
  'a passkey challenge serves until shortly before its expiresAt, and not after it',
  movesClock(verifies('VERIFY-PASSKEY-ACCEPTED', 'VERIFY-PASSKEY-EXPIRED')),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
    const first = await wallet.needChallenge(credential);
    const left = wallet.clock.secondsLeft(first);
    const isLong = left > 2 * BEFORE_WINDOW_ENDS_SECONDS;
    if (isLong) await wallet.clock.letPass(Math.floor(left) - BEFORE_WINDOW_ENDS_SECONDS);
    const label = isLong ? `verifying ${BEFORE_WINDOW_ENDS_SECONDS} s before expiresAt` : 'verifying at once';
    const timely = await wallet.attempt(credential, { label, challenge: first });
    // The control: another challenge serves at once.
    if (!succeeded(timely.answer)) need((await wallet.attempt(credential)).answer).accepted();
    await check('VERIFY-PASSKEY-ACCEPTED', () => expect(timely.answer).toBeAccepted());
    const expired = async (meanwhile?: () => Promise<unknown>) => {
      const challenge = await wallet.needChallenge(credential);
      const seconds = Math.ceil(wallet.clock.secondsLeft(challenge)) + BEYOND_SECONDS;
      const early = meanwhile ? Math.floor(seconds / 2) : seconds;
      await wallet.clock.letPass(early);
      await meanwhile?.();
      if (early < seconds) await wallet.clock.letPass(seconds - early);
      return challenge;
    };
    const refuses = async (challenge: Answer, when: string) => {
      const label = `verifying with a challenge that has expired${when}`;
      const late = await wallet.attempt(credential, { label, challenge });
      await check('VERIFY-PASSKEY-EXPIRED', () => expect(late.answer).toBeRefused());
    };
    const old = await expired();
    await refuses(old, '');
    await refuses(old, ', once more');
    await refuses(await expired(() => wallet.needChallenge(credential)), ', after a later one');
  },
);

for (const { operation, name, signsInWith } of signedCases)
  test(
    `${name}: a retry after expiresAt is refused`,
    movesClock(verifies('RETRY-EXPIRED')),
    async ({ given, check, need, observe }) => {
      const { wallet } = await given.signedIn(signsInWith);
      // What a late retry has done must have had the time to show.
      await wallet.showsLate(operation);
      const request = await wallet.prepare(operation);
      needNotAge(need, request);
      let before: ReadBack | undefined;
      let wait = 0;
      let lasts = false;
      const retried = await wallet.signedRetry(request, {
        label: 'retried after expiresAt, where its session lasts so long',
        between: async (_, { first }) => {
          wait = Math.ceil(wallet.clock.secondsLeft(first)) + BEYOND_SECONDS;
          lasts = outlives(request, wallet, wait + BEYOND_SECONDS);
          if (!lasts) return;
          before = await request.readBack?.();
          await wallet.clock.letPass(wait);
        },
      });
      let late = retried.answer;
      if (!lasts) {
        need(late).accepted();
        need.offered(
          !IS_ABOUT_ITS_SESSION.has(operation.rule),
          'the session that the request is about ends before the window does',
        );
        const [control, other] = [await wallet.prepare(operation), await wallet.prepare(operation)];
        need(await signedAfresh(given, wallet, control, { what: 'begun in the session before' })).accepted();
        const between = () => wallet.clock.letPass(wait);
        late = await signedAfresh(given, wallet, other, { what: 'retried after expiresAt', between });
      }
      const after = lasts && before?.value !== undefined ? await request.readBack?.() : undefined;
      await wallet.needComplete(operation);
      await check('RETRY-EXPIRED', () => expect(late).toBeRefused());
      if (after?.value !== undefined)
        await check('RETRY-EXPIRED', () => expect(after.value, 'after the retry').toEqual(before?.value), [
          late,
          after.answer,
        ]);
      observe('retry-expired-answer', late);
    },
  );

for (const operation of signedOperations)
  test(
    `${operation.name}: a retry shortly before expiresAt is accepted`,
    movesClock(verifies('RETRY-VALID-UNTIL-EXPIRY')),
    async ({ given, check, need }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const request = await wallet.prepare(operation);
      needNotAge(need, request);
      const timely = await wallet.signedRetry(request, {
        label: `retried ${BEFORE_WINDOW_ENDS_SECONDS} s before expiresAt`,
        between: async (_, { first }) => {
          const window = wallet.clock.secondsLeft(first);
          need.offered(
            window > 2 * BEFORE_WINDOW_ENDS_SECONDS,
            `the window of ${Math.round(window)} s is too short to measure its end`,
          );
          // A session that ends before the window does would be what refuses the retry.
          need.offered(
            outlives(request, wallet, window),
            'the session that signs does not outlive the window',
          );
          await wallet.clock.letPass(Math.floor(window) - BEFORE_WINDOW_ENDS_SECONDS);
        },
      });
      if (!succeeded(timely.answer)) await wallet.needComplete(operation);
      await check('RETRY-VALID-UNTIL-EXPIRY', () => expect(timely.answer).toBeAccepted());
    },
  );

/** Whether the session that signs goes on for so many seconds; a request that mints one is signed by none. */
function outlives({ session }: PreparedRequest, wallet: Wallet, seconds: number): boolean {
  return !session || Date.parse(session.expiresAt ?? '') - wallet.clock.now().getTime() > seconds * 1_000;
}

/** The retry of a request by a session that was minted after its first call, which signs for the wallet from now on. */
async function signedAfresh(
  given: Given,
  wallet: Wallet,
  prepared: PreparedRequest,
  { what, between }: { readonly what: string; readonly between?: () => Promise<unknown> },
): Promise<Answer> {
  const { challenge } = await wallet.signedRetry(prepared, { label: what, times: 0 });
  const request = wallet.need.that(prepared.request, 'there is no request to send');
  await between?.();
  const { credential } = wallet.signer;
  const session = await given.session(wallet, credential);
  wallet.signWith(credential, session);
  return wallet.retry({ ...request, label: `${prepared.name}, ${what}` }, challenge, session);
}

/**
 * An OIDC token is at most 60 seconds old on every call, the retry included (Authentication, 7): within the window it comes to
 * be refused for its age.
 */
function needNotAge(need: Need, { request }: PreparedRequest): void {
  const isToken = typeof (request?.body as { oidcToken?: unknown } | undefined)?.oidcToken === 'string';
  need.offered(!isToken, 'the OIDC token in the body ages faster than the window of the retry');
}
