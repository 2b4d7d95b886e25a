import { expect, idsOf, lower, registering, test, verifies, type CredentialType } from '../../suite/index.ts';

const TYPES: readonly CredentialType[] = ['OAUTH', 'PASSKEY', 'EMAIL_OTP', 'SMS_OTP'];
/** Races that are run: one alone may be won by chance. */
const RACES = 3;

const OWN_RULE = {
  OAUTH: 'CREDENTIAL-CREATE-OAUTH',
  PASSKEY: 'CREDENTIAL-CREATE-PASSKEY',
  EMAIL_OTP: 'CREDENTIAL-CREATE-EMAIL-OTP',
  SMS_OTP: 'CREDENTIAL-CREATE-SMS-OTP',
} as const;

for (const type of TYPES)
  test(
    `${type} as an account's first credential is registered at once`,
    verifies(
      'CREDENTIAL-FIRST-CREATED',
      OWN_RULE[type],
      'CREDENTIAL-CREATE-ECHO',
      'CREDENTIAL-CREATE-LISTED',
      'CREDENTIAL-CREATE-STATUS',
    ),
    async ({ given, check, need }) => {
      const wallet = await given.wallet();
      given.mustProve(type);
      const { answer } = await wallet.register(type);
      await check(OWN_RULE[type], () => expect(answer).toBeAccepted(), { assumes: registering[type] });
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
      const list = await wallet.list();
      need(list).accepted();
      await check('CREDENTIAL-CREATE-LISTED', () => expect(idsOf(list)).toContain(lower(answer.body.id)));
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

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
