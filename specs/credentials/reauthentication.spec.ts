import { expect, movesClock, test, verifies } from '../../suite/index.ts';
import { mustReachVerify } from './support/sign-in.ts';

/** Seconds beyond the session's end, for clocks that differ. */
const MARGIN_SECONDS = 60;

const KINDS = [
  { type: 'EMAIL_OTP', rule: 'SESSION-REAUTHENTICATE-OTP' },
  { type: 'OAUTH', rule: 'SESSION-REAUTHENTICATE-OAUTH' },
  { type: 'PASSKEY', rule: 'SESSION-REAUTHENTICATE-PASSKEY' },
] as const;

for (const { type, rule } of KINDS)
  test(
    `after its session has expired ${type} logs in again without being registered anew`,
    movesClock(verifies(rule)),
    async ({ given, check, clock, need }) => {
      const { wallet, credential, session } = await given.signedIn(type);
      const lifetime = (Date.parse(session.expiresAt ?? '') - wallet.now().getTime()) / 1_000;
      need.that(lifetime > 0, 'the session does not say when it expires');
      wallet.clockAheadMs += await clock.advance(Math.ceil(lifetime) + MARGIN_SECONDS, wallet.customerId);

      const login = await wallet.login(credential);
      mustReachVerify(need, login);
      await check(rule, () => expect(login.answer).toBeAccepted());
      need(login.answer).accepted();
      need.that(login.session, login.problem ?? 'the login ended without a session');
      const request = await wallet.probe(login.session?.key ?? wallet.newKey(), {
        label: 'a wallet request signed by the new session',
      });
      need.that(
        request.challenge,
        `the first call was answered ${request.first.outcome} without a challenge`,
      );
      await check(rule, () => expect(request.answer).toBeAccepted(), { assumes: ['stamp'] });
    },
  );

test(
  'a passkey challenge does not serve after its expiresAt',
  movesClock(verifies('VERIFY-PASSKEY-EXPIRED')),
  async ({ given, check, clock, need }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
    const challenge = await wallet.challenge(credential);
    need(challenge).accepted();
    const left = (Date.parse(String(challenge.body.expiresAt)) - wallet.now().getTime()) / 1_000;
    need.that(left > 0, 'the challenge does not say when it expires');
    wallet.clockAheadMs += await clock.advance(Math.ceil(left) + MARGIN_SECONDS, wallet.customerId);
    const fresh = await wallet.login(credential);
    mustReachVerify(need, fresh);
    need(fresh.answer).accepted();
    const late = await wallet.login(credential, {
      challenge,
      verify: (request) => ({ ...request, label: 'verifying with a challenge that has expired' }),
    });
    mustReachVerify(need, late);
    await check('VERIFY-PASSKEY-EXPIRED', () => expect(late.answer).toBeRefused());
  },
);
