import { expect, test } from '@playwright/test';
import { signedOperation, signedOperations } from '../../../suite/api/wallet/signed-operations.ts';
import { answered, challenging, endOf, need, signIn, walletOn } from './wallet/service.ts';

const ADDING = signedOperation('RETRY-CREDENTIAL-CREATE');
const PRIVACY = signedOperation('RETRY-WALLET-PRIVACY');
const EXPORT = signedOperation('RETRY-WALLET-EXPORT');

test('a signed retry is labelled by its operation, and by what is wrong with it', async () => {
  const { wallet, log } = walletOn(challenging([401]));
  signIn(wallet);
  const { answer } = await wallet.signedRetry(ADDING, { label: 'unsigned', tamper: { stamp: null } });
  expect(answer.exchange.response?.status).toBe(401);
  expect(log.map(({ label }) => label)).toEqual([
    'adding a credential, unsigned (first call)',
    'adding a credential, unsigned (signed retry)',
  ]);
  expect(log[1]?.headers).toEqual({ 'Acme-Wallet-Signature': undefined, 'Request-Id': 'Request:1' });
  expect(log[1]?.body).toEqual(log[0]?.body);
});

test('each request that is prepared is another one', async () => {
  const { wallet, log } = walletOn(challenging([200]));
  signIn(wallet);
  for (let turn = 0; turn < 3; turn += 1) await wallet.signedRetry(PRIVACY, { times: 0 });
  expect(log.map(({ body }) => body)).toEqual(
    [true, false, true].map((privateEnabled) => ({ privateEnabled })),
  );
});

test('mistakes are made on one request, up to the first that is accepted', async () => {
  let retries = 0;
  const { wallet, log } = walletOn((sent) => challenging([(retries += 1) < 4 ? 401 : 201])(sent));
  signIn(wallet);
  const mistakes = ['one', 'two', 'three'].map((label) => ({ label, tamper: { requestId: label } }));
  const answers = await wallet.mistakenRetries(ADDING, mistakes);
  expect(answers.map(({ exchange }) => exchange.response?.status)).toEqual([401, 201]);
  expect(new Set(log.map(({ body }) => JSON.stringify(body))).size).toBe(1);
});

test('without a challenge there is no signed retry, and the test ends', async () => {
  const { wallet } = walletOn(() => [200, {}]);
  signIn(wallet);
  expect(await endOf(wallet.signedRetry(ADDING))).toContain('without a challenge');
});

test('an operation whose path is a guess may be elsewhere', async () => {
  const { wallet } = walletOn(() => [404]);
  signIn(wallet);
  expect(await endOf(wallet.signedRetry(EXPORT))).toBe(
    'this target does not offer "exporting a wallet" (404)',
  );
  const asked = walletOn(() => [401, { code: 'WALLET_SIGNATURE_MISSING' }]).wallet;
  signIn(asked);
  expect(await endOf(asked.signedRetry(EXPORT))).toContain('without a challenge');
});

test('the control must be accepted', async () => {
  const good = walletOn(challenging([201])).wallet;
  signIn(good);
  expect(await endOf(good.mustComplete(ADDING))).toBe('goes on');
  const bad = walletOn(challenging([500])).wallet;
  signIn(bad);
  expect(await endOf(bad.mustComplete(ADDING))).toContain('not accepted');
});

test('nothing is signed before somebody has signed in: a defect of the test', async () => {
  const { wallet } = walletOn(() => [200]);
  await expect(wallet.signedRetry(ADDING)).rejects.toThrow('nobody has signed in to this wallet');
  expect(() => wallet.credentialOf('SMS_OTP')).toThrow('not prepared with a credential of type SMS_OTP');
});

test('a registration gives the credential with what proves it, and shows how the target speaks', async () => {
  const { wallet, spoken } = walletOn(challenging([201, { id: 'AuthMethod:2' }]));
  const session = signIn(wallet);
  const draft = wallet.draftPasskey({ nickname: 'Kitchen laptop' });
  const { credential } = await wallet.register(draft, session);
  expect(credential).toEqual({ type: 'PASSKEY', id: 'AuthMethod:2', passkey: draft.passkey });
  expect(spoken).toEqual(['stamp', 'passkey']);
  const { credential: identity } = await wallet.register('OAUTH', session);
  expect(identity?.identity.sub).toMatch(/^[0-9a-f-]{36}$/);
});

test('a first registration without a signature makes one call; a challenge in its answer registers nothing', async () => {
  const { wallet, log } = walletOn(challenging([201]));
  const { credential, challenge, retries } = await wallet.register('PASSKEY');
  expect({ credential, challenge, retries, calls: log.length }).toEqual({
    credential: undefined,
    challenge: undefined,
    retries: [],
    calls: 1,
  });
});

test('a retry with a wrong signature shows nothing of how the target reads stamps', async () => {
  const { wallet, spoken } = walletOn(challenging([201, {}]));
  const session = signIn(wallet);
  await wallet.probe(session, { tamper: { key: wallet.newKey() } });
  expect(spoken).toEqual([]);
  await wallet.probe(session);
  expect(spoken).toEqual(['stamp']);
});

test('every operation has a rule of its own, and those that are not shown stand on the dialect', () => {
  expect(new Set(signedOperations.map(({ rule }) => rule)).size).toBe(signedOperations.length);
  expect(signedOperations.filter(({ assumes }) => assumes.length > 0).map(({ rule }) => rule)).toEqual([
    'RETRY-SESSION-REFRESH',
    'RETRY-SESSION-REVOKE',
    'RETRY-WALLET-EXPORT',
    'RETRY-WALLET-PRIVACY',
    'RETRY-CUSTOMER-EMAIL',
  ]);
  expect(() => signedOperation('NO-SUCH-RULE')).toThrow(RangeError);
});

test('needs of wallets end a test that proves nothing', async () => {
  const first = answered('first', 200);
  const none = { first, challenge: undefined, retries: [], answer: first };
  expect(await endOf((async () => need.completed(none))())).toContain('without a challenge');
  const refused = {
    ...none,
    challenge: { payloadToSign: 'x', requestId: 'y' },
    answer: answered('retry', 403),
  };
  expect(await endOf((async () => need.completed(refused))())).toBe('retry: not accepted');
});
