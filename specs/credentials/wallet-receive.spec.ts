import { expect, test, verifies } from '../../suite/index.ts';

test(
  'funds are received without a session signing key',
  verifies('WALLET-RECEIVE-WITHOUT-SESSION'),
  async ({ given, check, need }) => {
    const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
    const funded = await wallet.send({
      operation: 'fundInternalAccount',
      label: 'funds arrive on the wallet, which nobody has signed in to',
      path: { id: wallet.accountId },
      body: { amount: 1_000 },
    });
    const asksForKey =
      funded.exchange.response?.status === 202 ||
      /^WALLET_SIGNATURE_|^REQUEST_ID_MISSING$/.test(funded.code ?? '');
    if (!asksForKey) need(funded).available();
    await check('WALLET-RECEIVE-WITHOUT-SESSION', () => {
      expect(funded).toBeAccepted();
      expect(funded.body, 'no challenge to sign').not.toHaveProperty('payloadToSign');
    });
  },
);
