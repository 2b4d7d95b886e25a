import {
  credentialRequests,
  expect,
  idsOf,
  loggingIn,
  lower,
  ownIds,
  registering,
  test,
  verifies,
} from '../../suite/index.ts';
import { listUntil } from '../support/credential-lists.ts';

/** Races that are run: one alone may be won by chance. */
const RACES = 3;

const KINDS = [
  {
    type: 'EMAIL_OTP',
    duplicate: 'CREDENTIAL-EMAIL-OTP-DUPLICATE',
    code: 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS',
  },
  { type: 'SMS_OTP', duplicate: 'CREDENTIAL-SMS-OTP-DUPLICATE', code: 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS' },
] as const;

for (const { type, duplicate, code } of KINDS) {
  test(
    `a second ${type} credential on an account is refused`,
    verifies(duplicate),
    async ({ given, check, need, observe }) => {
      const { wallet, session } = await given.signedIn(type);
      need(
        (await wallet.probe(session, { label: 'registering another credential with the same session' }))
          .answer,
      ).accepted();
      const second = await wallet.register(type, session);
      // Refused otherwise it may be for a field that the body wants; accepted it is a second credential in any case.
      const isRefused = (second.answer.exchange.response?.status ?? 0) >= 400;
      await check(
        duplicate,
        () => {
          expect(second.answer).toHaveHttpStatus(400);
          expect(second.answer).toHaveCode(code);
        },
        { assumes: isRefused ? registering[type] : [] },
      );
      observe(
        'duplicate-refused-at',
        second.retries.length > 0 ? 'the signed retry' : 'the first call',
        second.answer,
      );
    },
  );

  test(
    `two registrations of ${type} that are completed at once leave one`,
    verifies('CREDENTIAL-OTP-ONE-UNDER-RACE'),
    async ({ given, check, need }) => {
      given.mustProve(type);
      given.mustProve('PASSKEY');
      for (let race = 0; race < RACES; race += 1) {
        const { wallet, session } = await given.signedIn('PASSKEY');
        const born = wallet.credentials.find((one) => one.type === type);
        if (born) await wallet.mustRevoke(born.id, session);
        const request = credentialRequests.register(wallet.draftCode(type).body);
        const begun = [await wallet.begin(request), await wallet.begin(request)];
        const challenges = begun.flatMap((one) => one.challenge ?? []);
        need.that(
          challenges.length === 2,
          'the target gave only one challenge for two registrations, so they cannot race',
        );
        const answers = await Promise.all(
          challenges.map((challenge) => wallet.retry(request, challenge, session)),
        );
        need.that(
          answers.some(({ exchange }) => exchange.response?.status === 201),
          'neither registration went through',
        );
        const kept = await check('CREDENTIAL-OTP-ONE-UNDER-RACE', () => {
          const ids = answers.filter((answer) => answer.accepted).map((answer) => lower(answer.body?.id));
          expect(new Set(ids).size, `credentials of type ${type} that were registered`).toBe(1);
        });
        if (!kept) return;
      }
    },
  );
}

test(
  'EMAIL_OTP can be added back after it was removed',
  verifies(
    'CREDENTIAL-CREATE-EMAIL-OTP',
    'CREDENTIAL-LIST-DROPS-REVOKED',
    'CREDENTIAL-LIST-COMPLETE',
    'VERIFY-EMAIL-OTP-ACCEPTED',
  ),
  async ({ given, check, need }) => {
    const { wallet, session, credential } = await given.signedIn('EMAIL_OTP');
    const other = await given.credential(wallet, 'PASSKEY', session);
    const otherSession = await given.session(wallet, other);
    await wallet.mustRevoke(credential.id, otherSession);
    const without = await listUntil(
      wallet,
      (list) => !idsOf(list).includes(lower(credential.id)),
      'listing after the removal',
    );
    need(without).accepted();
    const isRemoved = await check(
      'CREDENTIAL-LIST-DROPS-REVOKED',
      () => expect(idsOf(without)).not.toContain(lower(credential.id)),
      { assumes: ['effectSeconds'] },
    );
    need.that(isRemoved, 'the credential is still there');
    const back = await wallet.register('EMAIL_OTP', otherSession, {
      label: 'adding EMAIL_OTP back',
    });
    await check('CREDENTIAL-CREATE-EMAIL-OTP', () => expect(back.answer).toBeAccepted(), {
      assumes: registering.EMAIL_OTP,
    });
    const added = need.registered(back);
    const again = await listUntil(
      wallet,
      (list) => idsOf(list).includes(lower(added.id)),
      'listing after adding it back',
    );
    need(again).accepted();
    await check(
      'CREDENTIAL-LIST-COMPLETE',
      () =>
        // A removed one that is still there is CREDENTIAL-LIST-DROPS-REVOKED.
        expect(ownIds(again, wallet).filter((id) => id !== lower(credential.id))).toEqual(
          [lower(other.id), lower(added.id)].sort(),
        ),
      { assumes: ['effectSeconds'] },
    );
    const login = await wallet.attempt(added, {
      label: 'logging in with the credential that was added back',
    });
    await check('VERIFY-EMAIL-OTP-ACCEPTED', () => expect(login.answer).toBeAccepted(), {
      assumes: loggingIn.EMAIL_OTP,
    });
  },
);
