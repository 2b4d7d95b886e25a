import { expect, test } from '@playwright/test';
import { boundOf } from '../../../schemas/values.ts';
import { UUID, blamed, put, without } from './hold.ts';

const ACCOUNT = `InternalAccount:${UUID}`;
const remittance = boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength');
const transfer = {
  source: { accountId: ACCOUNT },
  destination: { accountId: `ExternalAccount:${UUID}`, paymentRail: 'ACH' },
  amount: -5,
  remittanceInformation: 'x'.repeat(remittance),
  purposeOfPayment: 'SELF',
  aFieldThatNobodyKnows: 1,
};
const attestation = { credentialId: 'a', clientDataJson: 'a', attestationObject: 'a', transports: [] };
const assertion = { credentialId: 'a', clientDataJson: 'a', authenticatorData: 'a', signature: 'a' };

/** Requests have no rules of their own to blame: legal or not is all. */
const CASES: readonly (readonly [component: string, what: string, value: object, legal: boolean])[] = [
  ['TransferOutRequest', 'every field', transfer, true],
  ['TransferOutRequest', 'no amount', without(transfer, 'amount'), true],
  [
    'TransferOutRequest',
    'a text that is one too long',
    put(transfer, 'remittanceInformation', 'x'.repeat(remittance + 1)),
    false,
  ],
  ['TransferOutRequest', 'an amount in quotes', put(transfer, 'amount', '1'), false],
  ['TransferOutRequest', 'an amount with a fraction', put(transfer, 'amount', 1.5), false],
  ['TransferOutRequest', 'an amount beyond int64', put(transfer, 'amount', 1e30), false],
  ['TransferOutRequest', 'no source', without(transfer, 'source'), false],
  ['TransferOutRequest', 'an unknown rail', put(transfer, 'destination.paymentRail', 'X'), false],
  [
    'TransferOutRequest',
    'an external source',
    put(transfer, 'source.accountId', `ExternalAccount:${UUID}`),
    false,
  ],
  ['CreateCredentialRequest', 'OAUTH', { type: 'OAUTH', accountId: ACCOUNT, oidcToken: 'x' }, true],
  ['CreateCredentialRequest', 'OAUTH without a token', { type: 'OAUTH', accountId: ACCOUNT }, false],
  ['CreateCredentialRequest', 'EMAIL_OTP', { type: 'EMAIL_OTP', accountId: ACCOUNT }, true],
  [
    'CreateCredentialRequest',
    'PASSKEY',
    { type: 'PASSKEY', accountId: ACCOUNT, nickname: 'n', challenge: 'c', attestation },
    true,
  ],
  ['CreateCredentialRequest', 'an unknown type', { type: 'X', accountId: ACCOUNT }, false],
  ['VerifyCredentialRequest', 'PASSKEY', { type: 'PASSKEY', assertion }, true],
  [
    'VerifyCredentialRequest',
    'PASSKEY unsigned',
    { type: 'PASSKEY', assertion: without(assertion, 'signature') },
    false,
  ],
  ['VerifyCredentialRequest', 'OAUTH', { type: 'OAUTH', oidcToken: 'a', clientPublicKey: '04ab' }, true],
  [
    'VerifyCredentialRequest',
    'OAUTH with a key that is no hex',
    { type: 'OAUTH', oidcToken: 'a', clientPublicKey: 'zz' },
    false,
  ],
  ['VerifyCredentialRequest', 'SMS_OTP', { type: 'SMS_OTP', encryptedOtpBundle: '{}' }, true],
];

for (const [component, what, value, legal] of CASES)
  test(`${component}, ${what}: ${legal ? 'legal' : 'not legal'}`, async () => {
    expect((await blamed(component, value)).length === 0).toBe(legal);
  });
