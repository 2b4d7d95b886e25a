import {
  credentialRequests,
  expect,
  movesClock,
  succeeded,
  survey,
  test,
  verifies,
  type CredentialType,
  type Walk,
} from '../../suite/index.ts';
import { mustQuote } from '../support/quotes.ts';
import { mustWait, releaseOf } from '../support/sca.ts';

/**
 * Parts of the life of what expires: below 1 before its end, above 1 beyond it. The two nearest to the end are taken as near
 * as the margin lets them.
 */
const MOMENTS = [0.999, 1.001, 0.55, 4, 30];
/** Seconds that clocks may differ by, left free on both sides of an end. */
const MARGIN_SECONDS = 60;
/** A shorter life than this is no longer than the way to the target and back, in seconds. */
const SHORTEST_SECONDS = 30;
/** Beyond it the session that signs may have ended too, as a part of the window. */
const LONGEST_RETRY = 1.6;

/** Seconds to let pass for a moment of a life, clear of its end. */
function secondsTo(moment: number, life: number): number {
  const margin = Math.min(MARGIN_SECONDS, life / 4);
  return moment < 1
    ? Math.floor(Math.min(moment * life, life - margin))
    : Math.ceil(Math.max(moment * life, life + margin));
}

function lifeOf(on: Walk, from: unknown, to: unknown): number {
  const life = (Date.parse(String(to)) - Date.parse(String(from))) / 1_000;
  return on.must(
    life > SHORTEST_SECONDS && life,
    'it does not live long enough to tell, or does not say how long',
  );
}

test(
  'a quote is executed until its expiresAt, and not after',
  movesClock(verifies('QUOTE-EXECUTABLE-UNTIL-EXPIRY', 'QUOTE-EXPIRED-NOT-EXECUTABLE')),
  async ({ given, check, clock, need }) => {
    const control = await given.customer();
    const sound = await mustQuote(need, control);
    need(await control.execute(sound.quote.id, { label: 'executing a quote at once' })).available();

    await survey(
      check,
      MOMENTS,
      async (moment, on) => {
        const customer = await given.customer();
        const { customerId } = customer.state;
        const seen = on.must(
          customer.sighting(on.told(await customer.create())),
          'no quote could be recognised',
        );
        const { id, createdAt, expiresAt } = seen.quote;
        const seconds = secondsTo(moment, lifeOf(on, createdAt, expiresAt));
        await clock.advance(seconds, customerId);
        const late = on.told(
          await customer.execute(id, { label: `executing the quote ${seconds} s after its creation` }),
        );
        on.must(late.exchange.response, 'the execution got no answer');
        const { outcome, answers } = await customer.outcome(late, id);
        if (moment > 1) {
          on.must(outcome !== 'unknown', 'what the execution came to could not be seen');
          return on.hold(
            'QUOTE-EXPIRED-NOT-EXECUTABLE',
            () =>
              expect(outcome, `executed although it expired at ${String(expiresAt)}`).toBe('not executed'),
            answers,
          );
        }
        const after = customer.sighting(late);
        return on.hold('QUOTE-EXECUTABLE-UNTIL-EXPIRY', () => {
          expect(late).toBeAccepted();
          expect(after?.quote.status).not.toBe('EXPIRED');
        });
      },
      { inTurn: true },
    );
  },
);

test(
  'a challenge authorizes until its expiresAt, and not after',
  movesClock(verifies('SCA-CHALLENGE-EXPIRED', 'SCA-AUTHORIZE-ACCEPTED')),
  async ({ given, check, clock }) => {
    await survey(
      check,
      MOMENTS.map((moment, at) => ({ moment, factor: at < 2 ? 'SMS_OTP' : 'PASSKEY' })),
      async ({ moment, factor }, on) => {
        const customer = await given.scaCustomer({ challenges: 1, factor });
        const { customerId } = customer.state;
        await given.state('quote-expiry', { customerId, expiresInSeconds: 500_000 });
        const { need } = on;
        const { quote, challenge } = await mustWait(need, customer);
        const seconds = secondsTo(moment, lifeOf(on, quote.createdAt, challenge.expiresAt));
        on.must(
          Date.parse(String(quote.createdAt)) + seconds * 1_000 < Date.parse(String(quote.expiresAt)),
          'the quote expires first',
        );
        const control = await given.scaCustomer({ challenges: 1, factor });
        const waiting = await mustWait(need, control);
        on.must(
          succeeded(
            on.must(await control.prove(waiting.quote.id, waiting.challenge), 'it cannot be proved here'),
          ),
          'the control was refused',
        );
        await clock.advance(seconds, customerId);
        const proof = on.must(customer.proof(challenge), 'the challenge cannot be proved here');
        const late = on.told(
          await customer.authorize(quote.id, proof, { label: `a right proof after ${seconds} s` }),
        );
        on.must(late.exchange.response, 'the proof got no answer');
        if (moment < 1) return on.hold('SCA-AUTHORIZE-ACCEPTED', () => expect(late).toBeAccepted());
        const seen = customer.sighting(late) ?? customer.sighting(await customer.read(quote.id));
        on.must(seen ?? !succeeded(late), 'the quote could not be seen again');
        const { released, answers } = seen
          ? await releaseOf(need, customer, seen)
          : { released: false, answers: [] };
        return on.hold(
          'SCA-CHALLENGE-EXPIRED',
          () => expect(released, 'the quote was released').toBe(false),
          [late, ...answers],
        );
      },
      { inTurn: true },
    );
  },
);

const AGAIN: Readonly<Partial<Record<CredentialType, string>>> = {
  EMAIL_OTP: 'SESSION-REAUTHENTICATE-OTP',
  OAUTH: 'SESSION-REAUTHENTICATE-OAUTH',
  PASSKEY: 'SESSION-REAUTHENTICATE-PASSKEY',
};

test(
  'a session signs until its expiresAt and not after, and its credential then opens another',
  movesClock(verifies('SESSION-VALID-UNTIL-EXPIRY', 'STAMP-EXPIRED-SESSION', ...Object.values(AGAIN))),
  async ({ given, check, profile }) => {
    given.unshared('prepared wallets are shared between tests');
    const types = (['EMAIL_OTP', 'OAUTH', 'PASSKEY'] as const).filter(
      (type) => type !== 'PASSKEY' || profile.capabilities.includes('passkey'),
    );
    const inputs = types.flatMap((type) => [
      { type, moment: 0.8 },
      { type, moment: 1.2 },
    ]);
    await survey(
      check,
      inputs,
      async ({ type, moment }, on) => {
        const { wallet, credential, session } = await given.signedIn(type);
        const live = await wallet.probe(session, { label: 'a wallet request before' });
        on.must(succeeded(live.answer), 'the session does not sign');
        const seconds = secondsTo(moment, lifeOf(on, wallet.clock.now().toISOString(), session.expiresAt));
        await wallet.clock.letPass(seconds);
        const label = `a wallet request ${seconds} s later`;
        const late = moment < 1 ? await wallet.probe(session, { label }) : undefined;
        const again = await wallet.login(credential);
        on.told(again.answer);
        on.must(again.first, again.problem ?? 'the login ended before its verify call');
        if (moment > 1)
          await on.hold(AGAIN[type] as string, () => expect(again.answer).toBeAccepted(), {
            unless: ['SESSION-VALID-UNTIL-EXPIRY'],
          });
        const fresh = on.must(again.session, again.problem ?? 'the login was refused');
        const control = await wallet.probe(fresh, { label: 'the same, signed by a fresh session' });
        on.must(succeeded(control.answer), 'a fresh session does not sign');
        const judged = late ?? (await wallet.probe(session, { label }));
        on.told(judged.answer);
        on.must(judged.retries.length > 0, 'the request could not be signed');
        if (moment < 1)
          await on.hold('SESSION-VALID-UNTIL-EXPIRY', () => expect(judged.answer).toBeAccepted());
        else await on.hold('STAMP-EXPIRED-SESSION', () => expect(judged.answer).toBeRefused(401, 403));
      },
      { inTurn: true },
    );
  },
);

test(
  'a signed retry is taken until the expiresAt of its challenge, and not after',
  movesClock(verifies('RETRY-VALID-UNTIL-EXPIRY', 'RETRY-EXPIRED', 'VERIFY-PASSKEY-EXPIRED')),
  async ({ given, check }) => {
    given.unshared('prepared wallets are shared between tests');
    given.mustProve('PASSKEY');
    await survey(
      check,
      MOMENTS.filter((moment) => moment <= LONGEST_RETRY),
      async (moment, on) => {
        const { wallet, credential, session } = await given.signedIn('PASSKEY');
        const control = await wallet.probe(session, { label: 'a wallet request that is retried at once' });
        on.must(succeeded(control.answer), 'the control was refused');
        const asked = on.told(await wallet.challenge(credential));
        on.must(succeeded(asked), 'no challenge was given');
        const draft = wallet.draftPasskey();
        const request = { ...credentialRequests.register(draft.body), label: 'a wallet request' };
        const begun = await wallet.begin(request);
        const held = on.must(begun.challenge, 'the first call gives nothing that can be signed');
        on.told(begun.first);
        const now = wallet.clock.now().toISOString();
        const life = lifeOf(on, now, (begun.first.body as { expiresAt?: unknown }).expiresAt);
        const seconds = secondsTo(moment, life);
        // A session that ends before the window does would be what refuses the retry.
        const left = (Date.parse(String(session.expiresAt)) - wallet.clock.now().getTime()) / 1_000;
        on.must(left > seconds + MARGIN_SECONDS, 'the session that signs does not outlive the window');
        await wallet.clock.letPass(seconds);
        const label = `the same request, retried ${seconds} s later`;
        const late = on.told(await wallet.retry({ ...request, label }, held, session));
        await on.hold(moment < 1 ? 'RETRY-VALID-UNTIL-EXPIRY' : 'RETRY-EXPIRED', () =>
          moment < 1 ? expect(late).toBeAccepted() : expect(late).toBeRefused(),
        );
        const end = Date.parse(String((asked.body as { expiresAt?: unknown }).expiresAt));
        on.must(end > Date.parse(now), 'the challenge does not say when it ends');
        if (wallet.clock.now().getTime() < end + MARGIN_SECONDS * 1_000) return;
        const login = await wallet.login(credential, {
          challenge: asked,
          verify: (verify) => ({ ...verify, label: 'verifying with a challenge that has expired' }),
        });
        on.must(login.first, login.problem ?? 'the login ended before its verify call');
        on.told(login.answer);
        const fresh = await wallet.login(credential);
        on.must(fresh.session, fresh.problem ?? 'the control was refused');
        await on.hold('VERIFY-PASSKEY-EXPIRED', () => expect(login.answer).toBeRefused());
      },
      { inTurn: true },
    );
  },
);
