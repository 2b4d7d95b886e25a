import {
  expect,
  idsOf,
  lower,
  ownIds,
  registering,
  test,
  verifies,
  type Answer,
  type CredentialType,
} from '../../suite/index.ts';
import { listUntil } from '../support/credential-lists.ts';

const TYPES: readonly CredentialType[] = ['OAUTH', 'PASSKEY', 'EMAIL_OTP', 'SMS_OTP'];
/** Races that are run: one alone may be won by chance. */
const RACES = 3;

const FIRST_RULE = {
  OAUTH: 'CREDENTIAL-CREATE-OAUTH',
  PASSKEY: 'CREDENTIAL-CREATE-PASSKEY',
  EMAIL_OTP: 'CREDENTIAL-CREATE-EMAIL-OTP',
  SMS_OTP: 'CREDENTIAL-CREATE-SMS-OTP',
} as const;

const FURTHER = ['OAUTH', 'PASSKEY', 'SMS_OTP'] as const satisfies readonly CredentialType[];
const FURTHER_RULE = {
  OAUTH: 'CREDENTIAL-CREATE-OAUTH',
  PASSKEY: 'CREDENTIAL-CREATE-PASSKEY',
  SMS_OTP: 'CREDENTIAL-CREATE-SMS-OTP',
} as const;

for (const type of TYPES)
  test(
    `${type} as an account's first credential is registered at once`,
    verifies(
      'CREDENTIAL-FIRST-CREATED',
      FIRST_RULE[type],
      'CREDENTIAL-CREATE-ECHO',
      'CREDENTIAL-CREATE-LISTED',
      'CREDENTIAL-CREATE-STATUS',
    ),
    async ({ given, check, need }) => {
      const wallet = await given.wallet();
      given.mustProve(type);
      const { answer } = await wallet.register(type);
      await check(FIRST_RULE[type], () => expect(answer).toBeAccepted(), { assumes: registering[type] });
      need(answer).accepted();
      // Which success status it is instead is the concern of CREDENTIAL-CREATE-STATUS.
      await check('CREDENTIAL-FIRST-CREATED', () =>
        expect(answer.status, 'a signed retry is asked for').not.toBe(202),
      );
      need.that(answer.status !== 202, 'nothing was registered, so there is nothing to compare');
      await check('CREDENTIAL-CREATE-ECHO', () => {
        expect(lower(answer.body.accountId)).toBe(lower(wallet.accountId));
        expect(answer.body.type).toBe(type);
      });
      const list = await listUntil(wallet, (seen) => idsOf(seen).includes(lower(answer.body.id)));
      need(list).accepted();
      await check('CREDENTIAL-CREATE-LISTED', () => expect(idsOf(list)).toContain(lower(answer.body.id)), {
        assumes: ['effectSeconds'],
      });
    },
  );

const RACING = [
  { what: 'four identities', type: 'OAUTH', count: 4 },
  { what: 'two passkeys', type: 'PASSKEY', count: 2 },
] as const;

for (const { what, type, count } of RACING)
  test(
    `of ${what} at once on an account without credentials, one at most goes through unsigned`,
    verifies('CREDENTIAL-FIRST-ONLY-ONE'),
    async ({ given, check, need }) => {
      given.mustProve(type);
      for (let race = 0; race < RACES; race += 1) {
        const wallet = await given.wallet();
        const drafts = await Promise.all(Array.from({ length: count }, () => wallet.draft(type)));
        const answers = (await Promise.all(drafts.map((draft) => wallet.register(draft)))).map(
          ({ answer }) => answer,
        );
        const registered = answers.filter(
          ({ exchange }) => isSuccess(exchange.response?.status) && exchange.response?.status !== 202,
        );
        need.that(registered.length > 0, 'not one of the registrations went through');
        const kept = await check(
          'CREDENTIAL-FIRST-ONLY-ONE',
          () => expect(registered.length, `registered unsigned, of ${count} at once`).toBe(1),
          answers,
        );
        if (!kept) return;
      }
    },
  );

for (const type of FURTHER) {
  test(
    `${type} beside an EMAIL_OTP credential is not registered before the signed retry`,
    verifies('RETRY-CREDENTIAL-CREATE', 'RETRY-FIRST-CALL-CHANGES-NOTHING'),
    async ({ given, check, need }) => {
      given.mustProve(type);
      const { wallet, session, credential } = await given.signedIn('EMAIL_OTP');
      const before = await listUntil(
        wallet,
        (list) => idsOf(list).includes(lower(credential.id)),
        'listing before the registration',
      );
      need(before).accepted();
      const label = 'listing between the first call and the signed retry';
      let between = before;
      const registration = await wallet.register(type, session, {
        between: async () => void (between = await wallet.list({ label })),
      });
      const { first } = registration;
      need(first).accepted();
      await check('RETRY-CREDENTIAL-CREATE', () => expect(first).toHaveHttpStatus(202));
      need.challenged(registration);
      need(between).accepted();
      await check(
        'RETRY-FIRST-CALL-CHANGES-NOTHING',
        () => expect(ownIds(between, wallet)).toEqual(ownIds(before, wallet)),
        [first, between],
      );
    },
  );

  test(
    `${type} beside an EMAIL_OTP credential is answered as it was asked for, and listed`,
    verifies('CREDENTIAL-CREATE-ECHO', 'CREDENTIAL-CREATE-LISTED', 'CREDENTIAL-CREATE-STATUS'),
    async ({ given, check, need }) => {
      given.mustProve(type);
      const { wallet, session } = await given.signedIn('EMAIL_OTP');
      const { answer } = need.completed(await wallet.register(type, session));
      await check('CREDENTIAL-CREATE-ECHO', () => {
        expect(lower(answer.body.accountId)).toBe(lower(wallet.accountId));
        expect(answer.body.type).toBe(type);
      });
      const after = await listUntil(
        wallet,
        (seen) => idsOf(seen).includes(lower(answer.body.id)),
        'listing after the signed retry',
      );
      need(after).accepted();
      await check('CREDENTIAL-CREATE-LISTED', () => expect(idsOf(after)).toContain(lower(answer.body.id)), {
        assumes: ['effectSeconds'],
      });
    },
  );
}

test(
  'each type is registered beside EMAIL_OTP by the signed retry',
  verifies('CREDENTIAL-FURTHER-CREATED', 'CREDENTIAL-TYPES-TOGETHER', ...Object.values(FURTHER_RULE)),
  async ({ given, check, need }) => {
    for (const type of FURTHER) given.mustProve(type);
    const attempts: { type: (typeof FURTHER)[number]; answer: Answer }[] = [];
    for (const type of FURTHER) {
      const { wallet, session } = await given.signedIn('EMAIL_OTP');
      attempts.push({ type, answer: (await wallet.register(type, session)).answer });
    }
    const accepted = attempts.filter(({ answer }) => answer.exchange.response && answer.accepted);
    if (accepted.length === 0) {
      // Where a session of another credential registers, it is the session that does not sign.
      const { wallet, session } = await given.signedIn('OAUTH');
      const { credential } = await wallet.probe(session);
      need.that(!credential, 'a session of EMAIL_OTP registers nothing, and one of OAUTH does');
    }
    await check(
      'CREDENTIAL-FURTHER-CREATED',
      () => {
        // One type alone that is refused is that type's own fault.
        for (const { answer } of accepted.length > 0 ? accepted : attempts) {
          expect(answer).toBeAccepted();
          expect(answer.status, 'the signed retry asks for a signature again').not.toBe(202);
        }
      },
      { assumes: ['stamp', ...(accepted.length > 0 ? [] : FURTHER.flatMap((type) => registering[type]))] },
    );
    if (accepted.length === 0) return;
    for (const { type, answer } of attempts) {
      if (accepted.some((one) => one.type === type)) {
        await check(FURTHER_RULE[type], () => expect(answer).toBeAccepted(), { assumes: registering[type] });
        await check('CREDENTIAL-TYPES-TOGETHER', () => expect(answer).toBeAccepted());
        continue;
      }
      // Refused: the type itself, or its company? An account without any tells.
      const empty = await given.emptyWallet();
      const alone =
        empty && (await empty.register(type, undefined, { label: `registering ${type} alone` })).answer;
      if (alone?.exchange.response && alone.accepted)
        await check('CREDENTIAL-TYPES-TOGETHER', () => expect(answer).toBeAccepted());
      else
        await check(FURTHER_RULE[type], () => expect(alone ?? answer).toBeAccepted(), {
          assumes: registering[type],
        });
    }
  },
);

test(
  'credentials of all four types stand side by side on one account',
  verifies('CREDENTIAL-TYPES-TOGETHER', 'CREDENTIAL-LIST-COMPLETE'),
  async ({ given, check, need }) => {
    for (const type of FURTHER) given.mustProve(type);
    const { wallet, session, credential } = await given.signedIn('EMAIL_OTP');
    const ids = [credential.id];
    for (const type of ['SMS_OTP', 'OAUTH', 'PASSKEY'] as const) {
      const control = await given.signedIn('EMAIL_OTP');
      await control.wallet.mustRegister(type, control.session, `registering ${type} beside EMAIL_OTP alone`);
      const registration = await wallet.register(type, session);
      await check('CREDENTIAL-TYPES-TOGETHER', () => expect(registration.answer).toBeAccepted());
      ids.push(need.registered(registration).id);
    }
    const list = await listUntil(wallet, (seen) => ids.every((id) => idsOf(seen).includes(lower(id))));
    need(list).accepted();
    await check(
      'CREDENTIAL-LIST-COMPLETE',
      () => expect(ownIds(list, wallet), 'credentials of the account').toEqual(ids.map(lower).sort()),
      { assumes: ['effectSeconds'] },
    );
  },
);

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
