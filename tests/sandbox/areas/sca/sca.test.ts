import { createECDH, createHash, createPrivateKey, sign } from 'node:crypto';
import { Service, expect, test } from '../../support/test.ts';

interface Enrolled {
  readonly credentialId: string;
  readonly privateKey: string;
  readonly rpId: string;
}

/** An assertion in the interface's spelling. @param options passkeyAssertionOptions */
function assertion(
  passkey: Enrolled,
  options: { challenge: string },
  origin: string,
): Record<string, string> {
  const clientData = Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge: options.challenge, origin }),
  );
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
  const authenticatorData = Buffer.concat([sha256(passkey.rpId), Buffer.from([0x05, 0, 0, 0, 1])]);
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(passkey.privateKey, 'hex');
  const point = ecdh.getPublicKey();
  const part = (bytes: Buffer) => bytes.toString('base64url');
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: part(point.subarray(1, 33)),
      y: part(point.subarray(33)),
      d: part(Buffer.from(passkey.privateKey, 'hex')),
    },
  });
  return {
    credentialId: passkey.credentialId,
    clientDataJson: part(clientData),
    authenticatorData: part(authenticatorData),
    signature: part(sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), key)),
  };
}

async function login(at: Service, proof: object = { code: at.values['smsCode'] }, factor = 'SMS_OTP') {
  const query = `?customerId=${at.values['customerId']}`;
  const started = await at.send('POST', `/sca/login/start${query}`, { factor });
  const challengeId = started.body.challengeId as string;
  return at.send('POST', `/sca/login/complete${query}`, { factor, challengeId, ...proof });
}

test('authorizing needs a session, which a login gives for 180 days', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer', { loggedIn: false, challenges: 1 });
  const code = async () => (await at.authorize(await at.quote())).body.code as string | undefined;
  expect(await code()).toBe('SCA_SESSION_REQUIRED');
  const { body } = await login(at);
  expect((Date.parse(body.sessionExpiresAt) - Date.now()) / 86_400_000).toBeCloseTo(180, 2);
  expect(await code()).toBeUndefined();
  await at.pass(180 * 86_400 - 60);
  expect(await code()).toBeUndefined();
  await at.pass(120);
  expect(await code()).toBe('SCA_SESSION_REQUIRED');
});

test('a wrong code gives no session', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer', { loggedIn: false });
  expect((await login(at, { code: '000000' })).status).toBe(400);
});

test('a passkey login lists its origins and takes no other', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer', { loggedIn: false, factor: 'PASSKEY' });
  const { passkey, customerId } = at.values;
  const complete = async (origin: string) => {
    const { body } = await at.send('POST', `/sca/login/start?customerId=${customerId}`, {
      factor: 'PASSKEY',
    });
    expect(body.passkeyAllowedOrigins).toContain(passkey.origin);
    const passkeyAssertion = assertion(passkey, body.passkeyAssertionOptions, origin);
    const proof = { factor: 'PASSKEY', challengeId: body.challengeId, passkeyAssertion, origin };
    return (await at.send('POST', `/sca/login/complete?customerId=${customerId}`, proof)).status;
  };
  expect(await complete('https://evil.example')).toBe(400);
  expect(await complete(passkey.origin)).toBe(200);
});

test('a locked account is told so', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer', { locked: true });
  expect((await at.authorize(await at.quote())).body).toMatchObject({ status: 423, code: 'ACCOUNT_LOCKED' });
});

for (const challenges of [1, 2, 3]) {
  test(`a send with ${challenges} challenges is released after the last one`, async ({ caller }) => {
    const at = await Service.at(caller, 'sca-customer', { challenges });
    let quote = await at.quote();
    const ids = new Set<string>();
    while (quote.body.status === 'PENDING_AUTHORIZATION') {
      expect(quote.body.scaChallenge).toMatchObject({ factor: 'SMS_OTP', availableFactors: ['SMS_OTP'] });
      expect(quote.body.scaChallenge).not.toHaveProperty('passkeyAssertionOptions');
      ids.add(quote.body.scaChallenge.id);
      expect((await at.execute(quote)).status).toBe(409);
      quote = await at.authorize(quote);
    }
    expect(ids.size).toBe(challenges);
    expect(quote.body).not.toHaveProperty('scaChallenge');
    expect((await at.execute(quote)).body.status).toBe('PROCESSING');
  });
}

test('a wrong proof is refused and changes nothing', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer');
  const quote = await at.quote();
  for (const proof of [{ code: '000000' }, {}, { code: 123456 }])
    expect((await at.authorize(quote, proof)).status).toBe(400);
  expect((await at.read(quote)).body.scaChallenge).toEqual(quote.body.scaChallenge);
  expect((await at.authorize(quote)).status).toBe(200);
});

test('ten wrong proofs lock the account for a while', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer', { challenges: 1 });
  const quote = await at.quote();
  for (let attempt = 0; attempt < 10; attempt++) await at.authorize(quote, { code: '999999' });
  expect((await at.authorize(quote)).body).toMatchObject({
    status: 423,
    code: 'ACCOUNT_LOCKED',
    details: { failedAttempts: 10 },
  });
});

test('an expired challenge cannot be authorized, and ends the quote', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer');
  const quote = await at.quote();
  await at.pass(121);
  expect((await at.authorize(quote)).status).toBe(400);
  expect((await at.read(quote)).body.status).toBe('FAILED');
  expect((await at.send('GET', `/transactions/${quote.body.transactionId}`)).body.failureReason).toBe(
    'SCA_NOT_COMPLETED',
  );
});

test('a passkey signs each challenge anew', async ({ caller }) => {
  const at = await Service.at(caller, 'sca-customer', { factor: 'PASSKEY' });
  const { passkey } = at.values;
  const prove = (options: { challenge: string }) => ({
    passkeyAssertion: assertion(passkey, options, passkey.origin),
    origin: passkey.origin,
  });
  const [quote, other] = [await at.quote(), await at.quote()];
  expect(quote.body.scaChallenge).not.toHaveProperty('passkeyAllowedOrigins');
  const proof = prove(quote.body.scaChallenge.passkeyAssertionOptions);
  expect((await at.authorize(other, proof)).status).toBe(400);
  const next = await at.authorize(quote, proof);
  expect(next.status, next.text).toBe(200);
  expect((await at.authorize(quote, proof)).status).toBe(400);
  expect((await at.authorize(quote, prove(next.body.scaChallenge.passkeyAssertionOptions))).body.status).toBe(
    'PENDING',
  );
});

test('without SCA nothing of it is seen, and its endpoints answer 409', async ({ caller }) => {
  const at = await Service.at(caller, 'customer');
  const quote = await at.quote();
  expect((await at.authorize(quote, { code: '123456' })).status).toBe(409);
  for (const step of ['start', 'complete']) {
    const path = `/sca/login/${step}?customerId=${at.values['customerId']}`;
    expect((await at.send('POST', path, { factor: 'SMS_OTP', code: '123456' })).status).toBe(409);
  }
});
