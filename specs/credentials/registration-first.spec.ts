import { expect, test, verifies, type CredentialType } from '../../suite/index.ts';
import { idsOf, listOf, lower } from './support/listed.ts';

const TYPES: readonly CredentialType[] = ['OAUTH', 'PASSKEY', 'EMAIL_OTP', 'SMS_OTP'];
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
      const { answer } = await wallet.register(await wallet.draft(type));
      await check(OWN_RULE[type], () => expect(answer).toBeAccepted());
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
      const list = await listOf(wallet);
      need(list).accepted();
      await check('CREDENTIAL-CREATE-LISTED', () => expect(idsOf(list)).toContain(lower(answer.body.id)));
    },
  );

test(
  'of several first registrations at once, one at most goes through unsigned',
  verifies('CREDENTIAL-FIRST-ONLY-ONE'),
  async ({ given, check, need }) => {
    given.mustProve('OAUTH');
    const wallet = await given.wallet();
    const drafts = [
      await wallet.draftOauth(),
      await wallet.draftOauth(),
      await wallet.draftOauth(),
      await wallet.draftOauth(),
    ];
    const answers = await Promise.all(drafts.map((draft) => wallet.register(draft)));
    const list = await listOf(wallet);
    need(list).accepted();
    need.that(idsOf(list).length > 0, 'not one of the registrations went through');
    await check(
      'CREDENTIAL-FIRST-ONLY-ONE',
      () => expect(idsOf(list), 'credentials after four unsigned registrations').toHaveLength(1),
      answers.map((one) => one.answer),
    );
  },
);

test(
  'of two first passkeys at once, one at most goes through unsigned',
  verifies('CREDENTIAL-FIRST-ONLY-ONE'),
  async ({ given, check, need }) => {
    given.mustProve('PASSKEY');
    const wallet = await given.wallet();
    const answers = await Promise.all([
      wallet.register(wallet.draftPasskey()),
      wallet.register(wallet.draftPasskey()),
    ]);
    const list = await listOf(wallet);
    need(list).accepted();
    need.that(idsOf(list).length > 0, 'neither of the registrations went through');
    await check(
      'CREDENTIAL-FIRST-ONLY-ONE',
      () => expect(idsOf(list), 'credentials after two unsigned registrations').toHaveLength(1),
      answers.map((one) => one.answer),
    );
  },
);
