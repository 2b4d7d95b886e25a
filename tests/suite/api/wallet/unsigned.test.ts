import { expect, test } from '@playwright/test';
import { signedOperation } from '../../../../suite/api/wallet/signed-operations.ts';
import { challenging, endOf, signIn, walletOn } from './service.ts';

const EXPORT = signedOperation('RETRY-WALLET-EXPORT');
const DONE = [201, { id: 'AuthMethod:2' }] as const;

test('a first call that is carried out is blamed, whatever the test was about, and once', async () => {
  const { wallet, blamed } = walletOn(() => DONE);
  const session = signIn(wallet);
  await endOf(wallet.mustComplete(EXPORT));
  expect(blamed).toEqual(['RETRY-WALLET-EXPORT']);
  await wallet.probe(session);
  expect(blamed.slice(1)).toEqual(['RETRY-CREDENTIAL-CREATE']);
});

test('a first call that asks for a signature, or is refused, is not', async () => {
  for (const answer of [challenging(DONE), () => [202] as const, () => [401] as const]) {
    const { wallet, blamed } = walletOn(answer);
    const session = signIn(wallet);
    await wallet.probe(session);
    await wallet.revoke('AuthMethod:2', session);
    expect(blamed).toEqual([]);
  }
});

test('the first credential of an account is registered unsigned, and so may one be revoked that is not there', async () => {
  const { wallet, blamed } = walletOn(() => DONE);
  const { credential } = await wallet.register('PASSKEY');
  const session = signIn(wallet);
  await wallet.revoke('AuthMethod:3', session);
  expect(blamed).toEqual([]);
  await wallet.revoke(credential?.id ?? '', session);
  expect(blamed).toEqual(['RETRY-CREDENTIAL-REVOKE']);
  await wallet.revoke(credential?.id ?? '', session);
  expect(blamed).toHaveLength(1);
});
