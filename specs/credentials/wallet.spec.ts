import {
  asksForSignature,
  eventually,
  expect,
  newEmail,
  readEmail,
  readPrivacy,
  test,
  verifies,
  walletRequests,
} from '../../suite/index.ts';
import { balanceSeen } from '../support/accounts.ts';

test(
  'funds are received without a session signing key',
  verifies('WALLET-RECEIVE-WITHOUT-SESSION'),
  async ({ given, check, need, platform }) => {
    const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
    const before = await balanceSeen(platform, wallet);
    const funded = await wallet.send({
      operation: 'fundInternalAccount',
      label: 'funds arrive on the wallet, which nobody has signed in to',
      path: { id: wallet.accountId },
      body: { amount: 1_000 },
    });
    const wantsSignature = funded.exchange.response?.status === 202 || asksForSignature(funded);
    if (!wantsSignature) need(funded).available();
    await check('WALLET-RECEIVE-WITHOUT-SESSION', () => {
      expect(funded).toBeAccepted();
      expect(funded.body, 'no challenge to sign').not.toHaveProperty('payloadToSign');
    });
    if (before === undefined) return;
    const after = await eventually(
      () => balanceSeen(platform, wallet),
      (seen) => seen !== undefined && seen.amount > before.amount,
      platform.patienceMs,
    );
    if (after === undefined) return;
    await check(
      'WALLET-RECEIVE-WITHOUT-SESSION',
      () => expect(after.amount - before.amount, 'what has arrived').toBeGreaterThan(0),
      { evidence: [funded, after.answer], assumes: ['effectSeconds'] },
    );
  },
);

test(
  'a wallet is exported by the signed retry',
  verifies('WALLET-EXPORT-COMPLETES'),
  async ({ given, check, need, observe }) => {
    const { wallet, session } = await given.signedIn();
    await wallet.mustSign(session);
    const exported = await wallet.signed(
      walletRequests.exportWallet(wallet.accountId, wallet.newKey().uncompressed),
      session,
    );
    const { first, answer } = exported;
    need(first).available();
    need.challenged(exported);
    await check('WALLET-EXPORT-COMPLETES', () => expect(answer).toBeAccepted());
    observe('wallet-export-operation', { first: first.outcome, then: answer.outcome }, answer);
  },
);

for (const order of [
  [true, false],
  [false, true],
])
  test(
    `a wallet's privacy is set by the signed retry to ${order.join(', then to ')}`,
    verifies('WALLET-PRIVACY-COMPLETES'),
    async ({ given, check, need, observe, platform, profile }) => {
      const { wallet, session } = await given.signedIn();
      await wallet.mustSign(session);
      // A body that the profile tells is the same each time, whatever the setting.
      const isUsual = profile.dialect.bodies['updateInternalAccount'] === undefined;
      for (const setting of order) {
        const update = await wallet.signed(walletRequests.setPrivacy(wallet.accountId, setting), session);
        const { first, answer } = update;
        need(first).available();
        need.challenged(update);
        await check('WALLET-PRIVACY-COMPLETES', () => expect(answer).toBeAccepted());
        need(answer).accepted();
        observe('wallet-privacy-operation', { first: first.outcome, then: answer.outcome }, answer);
        // The field's name is not shown: judged only where the target uses the usual one.
        if (isUsual && typeof answer.body?.privateEnabled === 'boolean')
          await check('WALLET-PRIVACY-COMPLETES', () =>
            expect(answer.body.privateEnabled, 'the setting that is answered').toBe(setting),
          );
        const shown = await eventually(
          () => readPrivacy(wallet),
          ({ value }) => value === setting,
          platform.patienceMs,
        );
        if (isUsual && typeof shown.value === 'boolean')
          await check(
            'WALLET-PRIVACY-COMPLETES',
            () => {
              expect(shown.answer).toBeAccepted();
              expect(shown.value, 'the setting that is read back').toBe(setting);
            },
            { assumes: ['effectSeconds'] },
          );
      }
    },
  );

test(
  'an e-mail that is tied to EMAIL_OTP is updated by the signed retry',
  verifies('CUSTOMER-EMAIL-COMPLETES'),
  async ({ given, check, need, observe, platform }) => {
    const { wallet, session } = await given.signedIn('EMAIL_OTP');
    await wallet.mustSign(session);
    const email = newEmail();
    const update = await wallet.signed(walletRequests.setEmail(wallet.customerId, email), session);
    const { first, answer } = update;
    need(first).available();
    need.challenged(update);
    await check('CUSTOMER-EMAIL-COMPLETES', () => expect(answer).toBeAccepted());
    need(answer).accepted();
    observe('customer-email-operation', { first: first.outcome, then: answer.outcome }, answer);
    // The field's name in answers is not shown: judged only where the target uses the usual one.
    if (typeof answer.body?.email === 'string')
      await check('CUSTOMER-EMAIL-COMPLETES', () =>
        expect(answer.body.email, 'the e-mail that is answered').toBe(email),
      );
    const shown = await eventually(
      () => readEmail(wallet),
      ({ value }) => value === email,
      platform.patienceMs,
    );
    if (typeof shown.value === 'string')
      await check(
        'CUSTOMER-EMAIL-COMPLETES',
        () => {
          expect(shown.answer).toBeAccepted();
          expect(shown.value, 'the e-mail that is read back').toBe(email);
        },
        { assumes: ['effectSeconds'] },
      );
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
    if (!asksForSignature(answer)) need(answer).available();
    await check('CUSTOMER-EMAIL-UNTIED', () => {
      expect(answer).toBeAccepted();
      expect(answer.body ?? {}, 'no challenge to sign').not.toHaveProperty('payloadToSign');
    });
  },
);
