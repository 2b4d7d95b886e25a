import { randomUUID } from 'node:crypto';
import { Key } from '../../support/mini/key.ts';
import { Passkey, type Tampered } from '../../support/mini/passkey.ts';
import { expect, nonceOf, test, token, type Wallet } from '../../support/mini/wallet.ts';

test.describe('registration', () => {
  test('duplicates are told by their codes, also when two arrive at once', async ({ wallets }) => {
    const wallet = await wallets().open('EMAIL_OTP');
    const { key } = await wallet.loginByCode();
    const otp = (type: string) =>
      ({ method: 'POST', path: '/auth/credentials', body: { type, accountId: wallet.accountId } }) as const;
    expect((await wallet.at.send(otp('EMAIL_OTP'))).body.code).toBe('EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS');
    const firsts = await Promise.all([wallet.at.send(otp('SMS_OTP')), wallet.at.send(otp('SMS_OTP'))]);
    const done = await Promise.all(firsts.map((first) => wallet.retry(otp('SMS_OTP'), first, key)));
    expect(done.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect((await wallet.at.send(otp('SMS_OTP'))).body.code).toBe('SMS_OTP_CREDENTIAL_ALREADY_EXISTS');
  });

  test('a passkey once an account, several passkeys, and the same one elsewhere', async ({ wallets }) => {
    const [wallet, other] = [await wallets().open('EMAIL_OTP'), await wallets().open()];
    const { key } = await wallet.loginByCode();
    const passkey = new Passkey();
    expect((await wallet.signed(wallet.passkeyStep(passkey), key)).status).toBe(201);
    expect((await wallet.at.send(wallet.passkeyStep(passkey))).body.code).toBe(
      'PASSKEY_CREDENTIAL_ALREADY_EXISTS',
    );
    expect((await wallet.signed(wallet.passkeyStep(new Passkey()), key)).status).toBe(201);
    expect((await wallet.at.send(other.passkeyStep(passkey))).status).toBe(201);
  });

  test('of two first registrations at once one goes through unsigned', async ({ wallets }) => {
    const wallet = await wallets().open();
    const answers = await Promise.all([1, 2, 3].map(() => wallet.at.send(wallet.passkeyStep(new Passkey()))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 202, 202]);
    expect(await wallet.list()).toHaveLength(1);
  });

  const tampered: readonly [string, Tampered][] = [
    ['another challenge', { challenge: 'b3RoZXI' }],
    ['another RP id', { rpId: 'phishing.example' }],
    ['an origin outside the RP id', { origin: 'https://phishing.example' }],
    ['an insecure origin', { origin: 'http://app.example.com' }],
    ['no user', { flags: 0x40 }],
    ['another credentialId', { credentialId: Buffer.from(randomUUID()).toString('base64url') }],
  ];
  for (const [name, changes] of tampered) {
    test(`an attestation with ${name} is refused`, async ({ wallets }) => {
      const wallet = await wallets().open();
      const step = wallet.passkeyStep(new Passkey());
      const attestation = new Passkey().register((step.body as { challenge: string }).challenge, changes);
      const answer = await wallet.at.send({ ...step, body: { ...(step.body as object), ...attestation } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(400);
      expect(await wallet.list()).toEqual([]);
    });
  }

  test('many credentials stand in one list, and in no other', async ({ wallets }) => {
    const [wallet, other] = [await wallets().open('EMAIL_OTP'), await wallets().open('EMAIL_OTP')];
    const { key } = await wallet.loginByCode();
    for (let count = 0; count < 30; count++)
      expect((await wallet.signed(wallet.oauthStep(), key)).status).toBe(201);
    expect(await wallet.list()).toHaveLength(31);
    expect(await other.list()).toHaveLength(1);
  });
});

test.describe('tokens', () => {
  const cases: readonly [string, object, number][] = [
    ['another iss', { iss: 'https://appleid.apple.com' }, 401],
    ['another aud', { aud: 'other' }, 401],
    ['aud as an array of one', { aud: ['app'] }, 200],
    ['another sub', { sub: 'other' }, 401],
    ['iat 70 s ago', { iat: Math.floor(Date.now() / 1000) - 70 }, 401],
    ['iat 55 s ago', { iat: Math.floor(Date.now() / 1000) - 55 }, 200],
    ['no iat', { iat: undefined }, 401],
    ['exp in the past', { exp: Math.floor(Date.now() / 1000) - 10 }, 401],
    ['no nonce', { nonce: undefined }, 401],
    ['another nonce', { nonce: nonceOf('other') }, 401],
  ];
  for (const [name, claims, status] of cases) {
    test(`verify with ${name}: ${status}`, async ({ wallets }) => {
      const wallet = await wallets().open();
      const { body } = await wallet.at.send(wallet.oauthStep({ sub: 'me' }));
      expect((await wallet.loginByToken(body.id, { sub: 'me', ...claims })).answer.status).toBe(status);
    });
  }

  test('what is no JWT answers 400', async ({ wallets }) => {
    const wallet = await wallets().open();
    const good = token({});
    for (const oidcToken of [
      '',
      'word',
      '..',
      good.split('.').slice(0, 2).join('.'),
      `${good}.more`,
      `%%%.${good}`,
      'e30.WzFd.x',
    ]) {
      const step = {
        method: 'POST',
        path: '/auth/credentials',
        body: { type: 'OAUTH', accountId: wallet.accountId, oidcToken },
      } as const;
      expect((await wallet.at.send(step)).status, oidcToken).toBe(400);
    }
  });
});

test.describe('passkey logins', () => {
  const tampered: readonly [string, Tampered][] = [
    ['another challenge', { challenge: 'b3RoZXI' }],
    ['another origin', { origin: 'https://app.example.com.phishing.example' }],
    ['another RP id', { rpId: 'phishing.example' }],
    ['no user', { flags: 0 }],
    ['a counter seen before', { counter: 1 }],
    ['another key', { key: new Key() }],
  ];
  async function withPasskey(wallet: Wallet): Promise<{ id: string; passkey: Passkey }> {
    const passkey = new Passkey();
    const { body } = await wallet.at.send(wallet.passkeyStep(passkey));
    return { id: body.id, passkey };
  }
  for (const [name, changes] of tampered) {
    test(`an assertion with ${name} is refused`, async ({ wallets }) => {
      const wallet = await wallets().open();
      const { id, passkey } = await withPasskey(wallet);
      expect((await wallet.loginByPasskey(id, passkey, changes)).answer.status).toBe(401);
      expect((await wallet.loginByPasskey(id, passkey)).answer.status).toBe(200);
    });
  }

  test('a challenge serves one login, also of many at once, for its credential and in time', async ({
    wallets,
  }) => {
    const wallet = await wallets().open();
    const { id, passkey } = await withPasskey(wallet);
    const path = `/auth/credentials/${id}`;
    const clientPublicKey = new Key().uncompressed;
    const challenge = async () => (await wallet.at.post(`${path}/challenge`, { clientPublicKey })).body;
    const { challenge: text, requestId } = await challenge();
    const body = { type: 'PASSKEY', assertion: passkey.assert(text) };
    expect((await wallet.at.post(`${path}/verify`, body)).body.code).toBe('REQUEST_ID_MISSING');
    const unknown = { 'request-id': `Request:${randomUUID()}` };
    expect((await wallet.at.post(`${path}/verify`, body, unknown)).status).toBe(401);
    const send = () => wallet.at.post(`${path}/verify`, body, { 'request-id': requestId });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const late = await challenge();
    await wallet.advance(301);
    const lateBody = { type: 'PASSKEY', assertion: passkey.assert(late.challenge) };
    expect((await wallet.at.post(`${path}/verify`, lateBody, { 'request-id': late.requestId })).status).toBe(
      401,
    );
  });

  test('a challenge needs a client key that is one', async ({ wallets }) => {
    const wallet = await wallets().open();
    const { id } = await withPasskey(wallet);
    for (const body of [
      undefined,
      {},
      { clientPublicKey: 'zz' },
      { clientPublicKey: `04${'11'.repeat(64)}` },
    ]) {
      expect((await wallet.at.post(`/auth/credentials/${id}/challenge`, body)).status).toBe(400);
    }
  });
});

test.describe('one-time codes', () => {
  test('a wrong code, a used one, one of an older challenge and an altered bundle are refused', async ({
    wallets,
  }) => {
    const wallet = await wallets().open('EMAIL_OTP');
    const credential = wallet.credentials[0]!;
    const key = new Key();
    const old = await wallet.challengeOtp(credential.id);
    const target = await wallet.challengeOtp(credential.id);
    expect((await wallet.at.send(wallet.otpStep(credential, target, key, '123456'))).status).toBe(401);
    expect((await wallet.at.send(wallet.otpStep(credential, old, key))).status).toBe(400);
    const step = wallet.otpStep(credential, target, key);
    const altered = JSON.stringify(step.body).replace(/..(\\"\})/, '00$1');
    expect((await wallet.at.send({ ...step, body: altered })).status).toBe(400);
    const [first, second] = [await wallet.at.send(step), await wallet.at.send(step)];
    expect((await wallet.retry(step, first, new Key())).status).toBe(401);
    const done = await Promise.all([wallet.retry(step, first, key), wallet.retry(step, second, key)]);
    expect(done.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await wallet.at.send(step)).status).toBe(400);
  });

  test('challenges are limited, and issued again after Retry-After', async ({ wallets }) => {
    const wallet = await wallets().open('EMAIL_OTP');
    const path = `/auth/credentials/${wallet.credentials[0]!.id}/challenge`;
    for (let count = 0; count < 10; count++) expect((await wallet.at.post(path)).status).toBe(200);
    const refused = await wallet.at.post(path);
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    await wallet.advance(seconds);
    expect((await wallet.at.post(path)).status).toBe(200);
  });
});

test.describe('revocation', () => {
  test('the only credential stays', async ({ wallets }) => {
    const wallet = await wallets().open('EMAIL_OTP');
    expect(
      (await wallet.at.send({ method: 'DELETE', path: `/auth/credentials/${wallet.credentials[0]!.id}` }))
        .status,
    ).toBe(400);
  });

  test('two revocations at once leave one', async ({ wallets }) => {
    const wallet = await wallets().open('EMAIL_OTP', 'SMS_OTP');
    const logins = [
      await wallet.loginByCode(wallet.credentials[0]),
      await wallet.loginByCode(wallet.credentials[1]),
    ];
    const steps = wallet.credentials.map(
      ({ id }) => ({ method: 'DELETE', path: `/auth/credentials/${id}` }) as const,
    );
    const firsts = await Promise.all(steps.map((step) => wallet.at.send(step)));
    const done = await Promise.all(
      steps.map((step, at) => wallet.retry(step, firsts[at]!, logins[1 - at]!.key)),
    );
    expect(done.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await wallet.list()).toHaveLength(1);
  });
});
