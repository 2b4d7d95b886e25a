import { createPrivateKey, sign } from 'node:crypto';
import { Service, expect, test, type Caller } from '../support/test.ts';

const PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

function signed(privateKey: string, message: string): string {
  const key = createPrivateKey({
    key: Buffer.concat([PREFIX, Buffer.from(privateKey, 'hex')]),
    format: 'der',
    type: 'pkcs8',
  });
  return sign(null, Buffer.from(message), key).toString('hex');
}

test('a pending account is usable below the threshold, and above it once it is verified', async ({
  caller,
}) => {
  const at = await Service.at(caller, 'customer', { ownership: 'PENDING' });
  const { ownershipThreshold, destinationAccountId, wallet } = at.values;
  expect((await at.quote({ lockedCurrencyAmount: ownershipThreshold - 1 })).status).toBe(201);
  expect((await at.quote({ lockedCurrencyAmount: ownershipThreshold })).body).toMatchObject({
    status: 400,
    code: 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
  });
  const path = `/customers/external-accounts/${destinationAccountId}`;
  const challenge = await at.send('POST', `${path}/challenge`, { method: 'WALLET_SIGNATURE' });
  expect(challenge.status).toBe(201);
  expect((await at.send('GET', path)).body.status).toBe('PENDING_OWNERSHIP_VERIFICATION');
  const signature = signed(wallet.privateKey, challenge.body.messageToSign);
  expect((await at.send('POST', `${path}/verify`, { signature })).body).toMatchObject({
    id: destinationAccountId,
    status: 'ACTIVE',
  });
  expect((await at.quote({ lockedCurrencyAmount: ownershipThreshold })).status).toBe(201);
});

test('another message or another wallet ends unverified', async ({ caller }) => {
  for (const wrong of ['message', 'wallet']) {
    const at = await Service.at(caller, 'customer', { ownership: 'PENDING' });
    const path = `/customers/external-accounts/${at.values['destinationAccountId']}`;
    const { body } = await at.send('POST', `${path}/challenge`, { method: 'WALLET_SIGNATURE' });
    const key = wrong === 'wallet' ? '11'.repeat(32) : at.values['wallet'].privateKey;
    const signature = signed(key, wrong === 'message' ? `${body.messageToSign}.` : body.messageToSign);
    expect((await at.send('POST', `${path}/verify`, { signature })).body.status).toBe('UNVERIFIED');
    expect((await at.send('GET', path)).body.status).toBe('UNVERIFIED');
  }
});

test('a liveness check ends the same way', async ({ caller }) => {
  const at = await Service.at(caller, 'customer', { ownership: 'PENDING' });
  const externalAccountId = at.values['destinationAccountId'];
  await at.send('POST', `/customers/external-accounts/${externalAccountId}/challenge`, {
    method: 'LIVENESS',
  });
  expect(await caller.state('liveness', { externalAccountId, outcome: 'PASSED' })).toEqual({
    status: 'ACTIVE',
  });
});

async function holder(caller: Caller, balance: number) {
  const at = await Service.at(caller, 'card', {});
  const { customerId, sourceAccountId } = at.values;
  const { body } = await at.send('POST', '/cards', { cardholderId: customerId });
  const path = `/sandbox/cards/${body.id}/simulate`;
  // What the state put in beyond this goes to a first payment.
  const rest = (await at.balance()) - balance;
  expect((await at.send('POST', `${path}/authorization`, { amount: rest })).status).toBe(201);
  return {
    at,
    sourceAccountId,
    authorize: (amount: number) => at.send('POST', `${path}/authorization`, { amount }),
    step: (name: string, cardTransactionId: string) =>
      at.send('POST', `${path}/${name}`, { cardTransactionId }),
  };
}

test('a card holds, takes and gives back the money of its account', async ({ caller }) => {
  const card = await holder(caller, 1_000);
  const { body } = await card.authorize(601);
  expect(await card.at.balance()).toBe(399);
  expect((await card.authorize(400)).body).toMatchObject({ status: 400, code: 'AMOUNT_OUT_OF_RANGE' });
  for (const step of ['partial-settlement', 'settlement'])
    expect((await card.step(step, body.id)).status).toBe(200);
  expect(await card.at.balance()).toBe(399);
  expect((await card.step('refund', body.id)).body.status).toBe('REFUNDED');
  expect(await card.at.balance()).toBe(1_000);
  expect((await card.step('settlement', body.id)).status).toBe(409);
  expect((await card.at.send('GET', `/transactions/${body.id}`)).body).toMatchObject({
    id: body.id,
    type: 'CARD',
    status: 'REFUNDED',
  });
});

test('an exception lets go what was held and keeps what has settled', async ({ caller }) => {
  const card = await holder(caller, 1_000);
  const { body } = await card.authorize(600);
  await card.step('partial-settlement', body.id);
  await card.step('exception', body.id);
  expect(await card.at.balance()).toBe(700);
});

const consent = (termsVersion: string) => ({
  acceptedAt: '2026-08-02T10:00:00Z',
  ipAddress: '2001:db8::1',
  termsVersion,
  acceptanceMethod: 'CLICK_TO_ACCEPT',
});

test('customers are created with and without due-diligence fields; wrong fields are named together', async ({
  caller,
}) => {
  const at = await Service.at(caller, 'due-diligence');
  const { body, without, invalid, invalidFields } = at.values;
  expect(await at.send('POST', '/customers', body)).toMatchObject({
    status: 201,
    body: { pepStatus: 'NOT_PEP' },
  });
  const { body: plain } = await at.send('POST', '/customers', without);
  for (const [method, path] of [
    ['POST', '/customers'],
    ['PATCH', `/customers/${plain.id}`],
  ] as const) {
    const answer = await at.send(method, path, invalid);
    expect(answer.status).toBe(400);
    expect(answer.body.details.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
      [...invalidFields].sort(),
    );
  }
});

test('consent to the current terms counts, to unknown ones it does not', async ({ caller }) => {
  const at = await Service.at(caller, 'terms');
  const { body } = await at.send('GET', '/customers/end-user-terms');
  expect(body).toMatchObject({ version: at.values['version'], url: expect.stringContaining('https://') });
  const create = (version: string) =>
    at.send('POST', '/customers', { endUserTermsConsent: consent(version) });
  expect((await create(body.version)).status).toBe(201);
  expect((await create(at.values['unknownVersion'])).body).toMatchObject({
    status: 400,
    code: 'END_USER_TERMS_VERSION_NOT_FOUND',
  });
});

for (const problems of [0, 1, 2, 4]) {
  test(`a verification names ${problems} problems`, async ({ caller }) => {
    const at = await Service.at(caller, 'verification', { problems });
    const { method, path, body } = at.values['verify'];
    const answer = await at.send(method, path, body);
    expect(answer.body.verificationStatus === 'RESOLVE_ERRORS').toBe(problems > 0);
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(at.values['problems']);
  });
}

test('contact verification is for customers whose provider mandates it', async ({ caller }) => {
  const steps = ['verify-email', 'verify-email/confirm', 'verify-phone', 'verify-phone/confirm'];
  for (const [contactVerification, expected] of [
    [true, 200],
    [false, 409],
  ] as const) {
    const at = await Service.at(caller, 'customer', { contactVerification });
    for (const step of steps) {
      const answer = await at.send('POST', `/customers/${at.values['customerId']}/${step}`, {
        code: at.values['contactCode'] ?? '1',
      });
      expect(answer.status, step).toBe(expected);
    }
  }
});
