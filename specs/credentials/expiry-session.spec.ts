import {
  expect,
  movesClock,
  test,
  verifies,
  type Need,
  type Wallet,
  type WalletSession,
} from '../../suite/index.ts';
import { mistaken, mustChallenge } from './support/attempts.ts';
import { sessionSigned } from './support/signed-operations.ts';

/** Seconds beyond the session's end, for clocks that differ. */
const BEYOND_SECONDS = 60;
/** Seconds before the session's end. */
const BEFORE_SECONDS = 60;

function secondsLeft(need: Need, wallet: Wallet, session: WalletSession): number {
  const left = (Date.parse(session.expiresAt ?? '') - wallet.now().getTime()) / 1_000;
  need.that(left > 0, 'the session does not say when it expires');
  return left;
}

for (const { name, rule, prepare } of sessionSigned)
  test(
    `${name}: an expired session does not sign`,
    movesClock(verifies('STAMP-EXPIRED-SESSION')),
    async ({ given, check, clock, need, observe, profile }) => {
      const situation = await prepare({ given, need, profile });
      const { wallet, session } = situation;
      const live = await wallet.probe(session, { label: 'a wallet request before the session expires' });
      mustChallenge(need, live);
      need(live.answer).accepted();
      wallet.clockAheadMs += await clock.advance(
        Math.ceil(secondsLeft(need, wallet, session)) + BEYOND_SECONDS,
        wallet.customerId,
      );
      situation.session = await given.session(wallet, situation.credential);
      const [answer] = await mistaken(need, situation, [
        { says: 'signed by an expired session', bend: { key: session.key } },
      ]);
      const judged = need.that(answer, 'nothing was sent');
      await check('STAMP-EXPIRED-SESSION', () => expect(judged).toBeRefused(401, 403));
      observe('stamp-ended-session-code', { expired: judged.outcome }, judged);
      if (rule !== 'RETRY-SESSION-REFRESH' || session.id === undefined) return;
      const refresh = await wallet.refreshSession(session.id, session, wallet.newKey());
      observe('session-of-expired-refresh', refresh.answer);
    },
  );

test(
  'a session that expires between the first call and the retry does not sign',
  movesClock(verifies('STAMP-EXPIRED-SESSION')),
  async ({ given, check, clock, need }) => {
    const { wallet, credential, session } = await given.signedIn();
    const control = await wallet.probe(session);
    mustChallenge(need, control);
    need(control.answer).accepted();
    const window = (Date.parse(String(control.first.body?.expiresAt)) - wallet.now().getTime()) / 1_000;
    const wait = 60 + BEYOND_SECONDS;
    need.offered(
      window > wait + BEYOND_SECONDS,
      'the signed retry is not open long enough for its session to end within',
    );
    wallet.clockAheadMs += await clock.advance(
      Math.max(0, Math.floor(secondsLeft(need, wallet, session)) - 60),
      wallet.customerId,
    );
    const late = await wallet.probe(session, {
      label: 'a wallet request whose session expires before the retry',
      between: async () => void (wallet.clockAheadMs += await clock.advance(wait, wallet.customerId)),
    });
    mustChallenge(need, late);
    const again = await given.session(wallet, credential);
    need((await wallet.probe(again)).answer).accepted();
    await check('STAMP-EXPIRED-SESSION', () => expect(late.answer).toBeRefused(401, 403));
  },
);

for (const type of ['EMAIL_OTP', 'OAUTH', 'PASSKEY'] as const)
  test(
    `a session of ${type} signs until shortly before its expiresAt`,
    movesClock(verifies('SESSION-VALID-UNTIL-EXPIRY')),
    async ({ given, check, clock, need, observe }) => {
      const { wallet, session, credential } = await given.signedIn(type);
      const left = secondsLeft(need, wallet, session);
      observe('session-lifetime', { [type]: `${Math.round(left / 60)} min` });
      need.offered(
        left > 2 * BEFORE_SECONDS,
        `a session of ${Math.round(left)} s is too short to measure its end`,
      );
      const live = await wallet.probe(session);
      mustChallenge(need, live);
      need(live.answer).accepted();
      wallet.clockAheadMs += await clock.advance(Math.floor(left) - BEFORE_SECONDS, wallet.customerId);
      const late = await wallet.probe(session, {
        label: `a wallet request ${BEFORE_SECONDS} s before the session expires`,
      });
      mustChallenge(need, late);
      // The control comes after it: a new login may be what ends the session before it.
      const fresh = await wallet.probe(await given.session(wallet, credential), {
        label: 'a wallet request signed by a fresh session',
      });
      need(fresh.answer).accepted();
      await check('SESSION-VALID-UNTIL-EXPIRY', () => expect(late.answer).toBeAccepted());
    },
  );
