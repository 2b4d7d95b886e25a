import { expect, test } from '../../support/test.ts';
import { Service } from '../../support/service.ts';
import { assertion } from './passkey.ts';

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
