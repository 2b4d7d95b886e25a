import { expect, newEmail, test, verifies } from '../../suite/index.ts';
import { mustChallenge } from './support/attempts.ts';
import { expectSame, readEmail } from './support/read-back.ts';

test(
  'an e-mail that is tied to EMAIL_OTP is updated by the signed retry',
  verifies('CUSTOMER-EMAIL-COMPLETES'),
  async ({ given, check, need, observe }) => {
    const { wallet, session } = await given.signedIn('EMAIL_OTP');
    need((await wallet.probe(session)).answer).accepted();
    const email = newEmail();
    const update = await wallet.setEmail(email, session);
    need(update.first).available();
    mustChallenge(need, update);
    const { answer } = update;
    await check('CUSTOMER-EMAIL-COMPLETES', () => expect(answer).toBeAccepted());
    need(answer).accepted();
    observe('customer-email-operation', { first: update.first.outcome, then: answer.outcome }, answer);
    // The field's name in answers is not shown: judged only where the target uses the usual one.
    if (typeof answer.body?.email === 'string')
      await check('CUSTOMER-EMAIL-COMPLETES', () =>
        expect(answer.body.email, 'the e-mail that is answered').toBe(email),
      );
    const look = await readEmail(wallet);
    if (typeof look.value === 'string')
      await check('CUSTOMER-EMAIL-COMPLETES', () => expectSame(look, email, 'the e-mail that is read back'));
  },
);

test(
  'an e-mail that no EMAIL_OTP credential is tied to is updated at once',
  verifies('CUSTOMER-EMAIL-UNTIED'),
  async ({ given, check, need }) => {
    const wallet = await given.wallet({ credentials: [] });
    const answer = await wallet.send({
      operation: 'updateCustomer',
      label: 'updating an e-mail without credential',
      path: { customerId: wallet.customerId },
      body: { customerType: 'INDIVIDUAL', email: newEmail() },
    });
    const asksForKey = /^WALLET_SIGNATURE_|^REQUEST_ID_MISSING$/.test(answer.code ?? '');
    if (!asksForKey) need(answer).available();
    await check('CUSTOMER-EMAIL-UNTIED', () => {
      expect(answer).toBeAccepted();
      expect(answer.body ?? {}, 'no challenge to sign').not.toHaveProperty('payloadToSign');
    });
  },
);
