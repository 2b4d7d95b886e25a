import { encode, isHighS, Key, withOtherS } from '../../support/mini/key.ts';
import { expect, type Step, test, type Wallet } from '../../support/mini/wallet.ts';

/** The 401 code of a retry with these headers. */
async function codeOf(wallet: Wallet, step: Step, headers: Record<string, string>): Promise<string> {
  const { status, body } = await wallet.at.send(step, headers);
  expect(status, JSON.stringify(body)).toBe(401);
  return body.code;
}

test('each mistake in the headers has its code', async ({ wallets }) => {
  const wallet = await wallets().open('EMAIL_OTP');
  const { key } = await wallet.loginByCode();
  const step = wallet.privacyStep();
  const { body } = await wallet.at.send(step);
  const id = { 'request-id': body.requestId as string };
  const good = key.stamp(body.payloadToSign);
  const stamped = (value: string) => ({ ...id, 'service-wallet-signature': value });
  expect(await codeOf(wallet, step, id)).toBe('WALLET_SIGNATURE_MISSING');
  expect(await codeOf(wallet, step, { 'service-wallet-signature': good })).toBe('REQUEST_ID_MISSING');
  const malformed = [
    '%%%',
    'bm90IGpzb24',
    encode(['a']),
    encode(null),
    encode({}),
    `${good}=`,
    good.slice(0, 40),
  ];
  for (const fields of [
    { scheme: 'OTHER' },
    { publicKey: 'zz' },
    { publicKey: key.uncompressed },
    { signature: '' },
    { signature: 7 },
  ]) {
    malformed.push(key.stamp(body.payloadToSign, fields));
  }
  for (const value of malformed)
    expect(await codeOf(wallet, step, stamped(value)), value).toBe('WALLET_SIGNATURE_MALFORMED');
  const other = new Key();
  expect(await codeOf(wallet, step, stamped(other.stamp(body.payloadToSign)))).toBe(
    'WALLET_SIGNATURE_INVALID',
  );
  expect(
    await codeOf(wallet, step, stamped(other.stamp(body.payloadToSign, { publicKey: key.compressed }))),
  ).toBe('WALLET_SIGNATURE_INVALID');
  expect(await codeOf(wallet, wallet.privacyStep(false), stamped(good))).toBe(
    'WALLET_SIGNATURE_BODY_MISMATCH',
  );
  expect((await wallet.at.send(step, stamped(good))).status).toBe(200);
  expect(await codeOf(wallet, step, stamped(good))).toBe('WALLET_SIGNATURE_INVALID');
});

test('the payload counts to the byte', async ({ wallets }) => {
  const wallet = await wallets().open('EMAIL_OTP');
  const { key } = await wallet.loginByCode();
  const step = wallet.privacyStep();
  const { body } = await wallet.at.send(step);
  const text = body.payloadToSign as string;
  for (const tampered of [
    text.trim(),
    `${text} `,
    JSON.stringify(JSON.parse(text)),
    text.normalize().replaceAll(' ', ''),
  ]) {
    expect(tampered).not.toBe(text);
    const headers = { 'request-id': body.requestId, 'service-wallet-signature': key.stamp(tampered) };
    expect(await codeOf(wallet, step, headers)).toBe('WALLET_SIGNATURE_INVALID');
  }
});

test('signatures with s in either half of its range are accepted', async ({ wallets }) => {
  const wallet = await wallets().open('EMAIL_OTP');
  const { key } = await wallet.loginByCode();
  for (const high of [true, false]) {
    const step = wallet.privacyStep();
    const { body } = await wallet.at.send(step);
    const der = key.sign(Buffer.from(body.payloadToSign));
    const signature = isHighS(der) === high ? der.toString('hex') : withOtherS(der);
    const headers = {
      'request-id': body.requestId,
      'service-wallet-signature': key.stamp('', { signature }),
    };
    expect((await wallet.at.send(step, headers)).status).toBe(200);
  }
});

test('of many retries at once exactly one is done', async ({ wallets }) => {
  const wallet = await wallets().open('EMAIL_OTP');
  const { key } = await wallet.loginByCode();
  for (const step of [wallet.oauthStep(), wallet.privacyStep()]) {
    const first = await wallet.at.send(step);
    const answers = await Promise.all(Array.from({ length: 8 }, () => wallet.retry(step, first, key)));
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
  }
});

test('a used Request-Id of a revocation is told as used although the record is gone', async ({ wallets }) => {
  const wallet = await wallets().open('EMAIL_OTP', 'SMS_OTP');
  const { key } = await wallet.loginByCode();
  const step = { method: 'DELETE', path: `/auth/credentials/${wallet.credentials[1]!.id}` } as const;
  const first = await wallet.at.send(step);
  expect((await wallet.retry(step, first, key)).status).toBe(204);
  expect((await wallet.retry(step, first, key)).status).toBe(401);
});

test('a request serves neither another operation nor another account', async ({ wallets }) => {
  const [wallet, other] = [await wallets().open('EMAIL_OTP'), await wallets().open('EMAIL_OTP')];
  const { key } = await wallet.loginByCode();
  const first = await wallet.at.send(wallet.privacyStep());
  expect((await wallet.retry(other.privacyStep(), first, key)).status).toBe(401);
  expect((await wallet.retry(wallet.oauthStep(), first, key)).status).toBe(401);
  const ownStep = other.privacyStep();
  expect((await wallet.retry(ownStep, await wallet.at.send(ownStep), key)).status).toBe(401);
  expect((await wallet.retry(wallet.privacyStep(), first, key)).status).toBe(200);
});

test('requests and sessions end on time', async ({ wallets }) => {
  const wallet = await wallets().open('EMAIL_OTP');
  const { key } = await wallet.loginByCode();
  const step = wallet.privacyStep();
  const [late, inTime] = [await wallet.at.send(step), await wallet.at.send(step)];
  await wallet.advance(295);
  expect((await wallet.retry(step, inTime, key)).status).toBe(200);
  await wallet.advance(6);
  expect((await wallet.retry(step, late, key)).status).toBe(401);
  await wallet.advance(590);
  expect((await wallet.signed(step, key)).status).toBe(200);
  await wallet.advance(10);
  expect((await wallet.signed(step, key)).status).toBe(401);
  const again = await wallet.loginByCode();
  expect((await wallet.signed(step, again.key)).status).toBe(200);
});

test('a retry with a changed body, or the same body written otherwise', async ({ wallets }) => {
  const wallet = await wallets().open('EMAIL_OTP');
  const { key } = await wallet.loginByCode();
  const step = wallet.oauthStep();
  const first = await wallet.at.send(step);
  const spaced = { ...step, body: JSON.stringify(step.body, null, 2) };
  expect((await wallet.retry(wallet.oauthStep(), first, key)).body.code).toBe(
    'WALLET_SIGNATURE_BODY_MISMATCH',
  );
  expect((await wallet.retry(spaced, first, key)).status).toBe(201);
});
