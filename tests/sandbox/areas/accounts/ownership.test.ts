import { createPrivateKey, sign } from 'node:crypto';
import { Service, expect, test } from '../../support/test.ts';

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
