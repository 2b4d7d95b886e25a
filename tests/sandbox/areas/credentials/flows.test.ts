import { Key } from '../../support/mini/key.ts';
import { Passkey } from '../../support/mini/passkey.ts';
import { expect, test } from '../../support/mini/wallet.ts';

const ID = (type: string) => expect.stringMatching(new RegExp(`^${type}:[0-9a-f-]{36}$`));

test('the first credential needs no signature; a further one does, and then stands in the list', async ({
  wallets,
}) => {
  const wallet = await wallets().open();
  const first = await wallet.at.send(wallet.oauthStep({ sub: 'first', email: 'first@example.com' }));
  expect(first.status).toBe(201);
  expect(first.body).toMatchObject({
    id: ID('AuthMethod'),
    accountId: wallet.accountId,
    type: 'OAUTH',
    nickname: 'first@example.com',
  });
  const { key, answer } = await wallet.loginByToken(first.body.id, { sub: 'first' });
  expect(answer.status).toBe(200);
  const passkey = new Passkey();
  const step = wallet.passkeyStep(passkey, 'my phone');
  const asked = await wallet.at.send(step);
  expect(asked).toMatchObject({ status: 202, body: { type: 'PASSKEY', requestId: ID('Request') } });
  expect(await wallet.list()).toHaveLength(1);
  const done = await wallet.retry(step, asked, key);
  expect(done).toMatchObject({
    status: 201,
    body: { type: 'PASSKEY', nickname: 'my phone', credentialId: passkey.credentialId },
  });
  expect(await wallet.list()).toHaveLength(2);
});

for (const type of ['EMAIL_OTP', 'SMS_OTP'] as const) {
  test(`${type}: challenge, sealed code, signed retry, and the client's key signs`, async ({ wallets }) => {
    const wallet = await wallets().open(type);
    const { key, session } = await wallet.loginByCode();
    expect(session).toMatchObject({
      id: ID('Session'),
      accountId: wallet.accountId,
      type,
      expiresAt: expect.any(String),
    });
    expect(session).not.toHaveProperty('encryptedSessionSigningKey');
    expect((await wallet.signed(wallet.privacyStep(), key)).body).toMatchObject({ privateEnabled: true });
  });
}

test('OAUTH: verify alone mints a session whose sealed key signs', async ({ wallets }) => {
  const wallet = await wallets().open();
  const { body } = await wallet.at.send(wallet.oauthStep({ sub: 'me' }));
  const { answer, key } = await wallet.loginByToken(body.id, { sub: 'me' });
  expect(answer.body).toMatchObject({
    encryptedSessionSigningKey: expect.any(String),
    expiresAt: expect.any(String),
  });
  expect((await wallet.signed(wallet.privacyStep(), key)).status).toBe(200);
});

test('PASSKEY: challenge and assertion mint a session whose sealed key signs', async ({ wallets }) => {
  const wallet = await wallets().open();
  const passkey = new Passkey();
  const { status, body } = await wallet.at.send(wallet.passkeyStep(passkey));
  expect(status, JSON.stringify(body)).toBe(201);
  const { answer, key } = await wallet.loginByPasskey(body.id, passkey);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect((await wallet.signed(wallet.privacyStep(), key)).status).toBe(200);
});

test('a compressed client key becomes the session key itself', async ({ wallets }) => {
  const wallet = await wallets().open();
  const { body } = await wallet.at.send(wallet.oauthStep({ sub: 'me' }));
  const client = new Key();
  const { nonceOf, token } = await import('../../support/mini/wallet.ts');
  const oidcToken = token({ sub: 'me', nonce: nonceOf(client.compressed) });
  const login = { type: 'OAUTH', oidcToken, clientPublicKey: client.compressed };
  const answer = await wallet.at.post(`/auth/credentials/${body.id}/verify`, login);
  expect(answer.body).not.toHaveProperty('encryptedSessionSigningKey');
  expect((await wallet.signed(wallet.privacyStep(), client)).status).toBe(200);
});

test('revocation: 204 without a body, the sessions of the credential die, those of others live', async ({
  wallets,
}) => {
  const wallet = await wallets().open('EMAIL_OTP', 'SMS_OTP');
  const [email, sms] = [
    await wallet.loginByCode(wallet.credentials[0]),
    await wallet.loginByCode(wallet.credentials[1]),
  ];
  const step = { method: 'DELETE', path: `/auth/credentials/${wallet.credentials[0]!.id}` } as const;
  expect((await wallet.signed(step, email.key)).status).toBe(401);
  const gone = await wallet.signed(step, sms.key);
  expect(gone).toMatchObject({ status: 204, body: undefined });
  expect(await wallet.list()).toHaveLength(1);
  expect((await wallet.signed(wallet.privacyStep(), email.key)).status).toBe(401);
  expect((await wallet.signed(wallet.privacyStep(), sms.key)).status).toBe(200);
  const back = {
    method: 'POST',
    path: '/auth/credentials',
    body: { type: 'EMAIL_OTP', accountId: wallet.accountId },
  } as const;
  expect((await wallet.signed(back, sms.key)).status).toBe(201);
});

test('sessions are listed, refreshed and revoked', async ({ wallets }) => {
  const wallet = await wallets().open('EMAIL_OTP');
  const { key, session } = await wallet.loginByCode();
  const client = new Key();
  const refresh = {
    method: 'POST',
    path: `/auth/sessions/${session.id}/refresh`,
    body: { clientPublicKey: client.uncompressed },
  } as const;
  const refreshed = await wallet.signed(refresh, key);
  expect(refreshed.status).toBe(201);
  const fresh = client.openSessionKey(refreshed.body.encryptedSessionSigningKey);
  expect((await wallet.signed(wallet.privacyStep(), fresh)).status).toBe(200);
  const list = async () =>
    (await wallet.at.get(`/auth/sessions?accountId=${wallet.accountId}`)).body.data as { id: string }[];
  expect(await list()).toHaveLength(2);
  expect(JSON.stringify(await list())).not.toMatch(/key/i);
  expect((await wallet.signed({ method: 'DELETE', path: `/auth/sessions/${session.id}` }, key)).status).toBe(
    204,
  );
  expect((await list()).map(({ id }) => id)).toEqual([refreshed.body.id]);
  expect((await wallet.signed(wallet.privacyStep(), key)).status).toBe(401);
});

test('a wallet is exported to the client key, and a tied e-mail is changed by signature', async ({
  wallets,
}) => {
  const wallet = await wallets().open('EMAIL_OTP');
  const { key } = await wallet.loginByCode();
  const client = new Key();
  const step = {
    method: 'POST',
    path: `/internal-accounts/${wallet.accountId}/export`,
    body: { clientPublicKey: client.uncompressed },
  } as const;
  const exported = await wallet.signed(step, key);
  expect(exported.body).toMatchObject({
    id: wallet.accountId,
    encryptedWalletCredentials: expect.any(String),
  });
  const email = `new-${wallet.email}`;
  const update = {
    method: 'PATCH',
    path: `/customers/${wallet.customerId}`,
    body: { customerType: 'INDIVIDUAL', email },
  } as const;
  expect((await wallet.signed(update, key)).body).toMatchObject({ email });
  expect((await wallet.list())[0]).toMatchObject({ nickname: email });
  const untied = await wallets().open();
  expect((await wallet.at.send({ ...update, path: `/customers/${untied.customerId}` })).status).toBe(200);
});

test('a new customer with an e-mail has a wallet with an EMAIL_OTP credential', async ({ wallets }) => {
  const at = wallets();
  const { body: customer } = await at.post('/customers', {
    customerType: 'INDIVIDUAL',
    email: 'ann@example.com',
  });
  const { body: accounts } = await at.get(`/customers/internal-accounts?customerId=${customer.id}`);
  const wallet = accounts.data.find(({ type }: { type: string }) => type === 'EMBEDDED_WALLET');
  const { body: list } = await at.get(`/auth/credentials?accountId=${wallet.id}`);
  expect(list.data).toMatchObject([{ type: 'EMAIL_OTP', nickname: 'ann@example.com' }]);
});
