import { expect, test } from '@playwright/test';
import { loadContract } from '../../schemas/contract.ts';
import { Validator } from '../../schemas/validator.ts';

/**
 * Which rule a wrong shape blames. That each field has its rule, the planted faults show (`npm run matrix`); here is what
 * several rules could claim, and what nobody may be blamed for.
 */

const UUID = '01234567-89ab-CDEF-0123-456789abcdef';
const TIME = '2026-01-02T03:04:05Z';
const ACCOUNT = `InternalAccount:${UUID}`;
const transferDetails = {
  amount: 1,
  currency: 'USD',
  sourceAccountId: ACCOUNT,
  destinationAccountId: `ExternalAccount:${UUID}`,
};
const scaChallenge = {
  id: `ScaChallenge:${UUID}`,
  expiresAt: TIME,
  factor: 'SMS_OTP',
  availableFactors: ['SMS_OTP', 'TOTP'],
};
const authMethod = {
  id: `AuthMethod:${UUID}`,
  accountId: ACCOUNT,
  type: 'EMAIL_OTP',
  createdAt: TIME,
  updatedAt: TIME,
};
const RETRY = { payloadToSign: 'p', requestId: `Request:${UUID}`, expiresAt: TIME };
const attestation = { credentialId: 'a', clientDataJson: 'a', attestationObject: 'a', transports: [] };
const PASSKEY_REQUEST = { type: 'PASSKEY', accountId: ACCOUNT, challenge: 'c', attestation };
const assertion = { credentialId: 'a', clientDataJson: 'a', authenticatorData: 'a', signature: 'a' };

/** Legal objects, by component; each row makes one change in one of them. */
const LEGAL = {
  AgentAction: {
    id: `AgentAction:${UUID}`,
    agentId: `Agent:${UUID}`,
    customerId: `Customer:${UUID}`,
    platformCustomerId: 'p',
    status: 'PENDING_APPROVAL',
    type: 'TRANSFER_OUT',
    transferDetails,
    createdAt: TIME,
    updatedAt: '2026-01-02T03:04:05.123+00:00',
    aFieldThatNobodyKnows: 1,
  },
  Quote: {
    id: `Quote:${UUID}`,
    status: 'PENDING',
    expiresAt: TIME,
    createdAt: TIME,
    source: { sourceType: 'ACCOUNT' },
    destination: { destinationType: 'UMA_ADDRESS' },
    sendingCurrency: { code: 'USD', decimals: 2 },
    receivingCurrency: {},
    totalSendingAmount: 1,
    // The greatest int64, as JSON.parse reads it.
    totalReceivingAmount: 2 ** 63,
    exchangeRate: 0.5,
    feesIncluded: 0,
    transactionId: `Transaction:${UUID}`,
  },
  ScaChallenge: scaChallenge,
  ScaLoginCompletion: { status: 'x', sessionExpiresAt: TIME },
  AuthMethod: authMethod,
  CredentialList: { data: [authMethod] },
  CredentialChallenge: { ...authMethod, otpEncryptionTargetBundle: '{}' },
  VerifiedSession: { ...authMethod, id: `Session:${UUID}`, expiresAt: TIME },
  SignedRetryChallenge: RETRY,
  CredentialSignedRetryChallenge: { ...RETRY, type: 'OAUTH' },
  Error400: { status: 400, code: 'INVALID_INPUT', message: 'm', details: { a: 1 } },
  Error500: { status: 500, code: 'SERVICE_SWITCH_ERROR', message: 'm' },
  TransferOutRequest: {
    source: { accountId: ACCOUNT },
    destination: { accountId: `ExternalAccount:${UUID}`, paymentRail: 'ACH' },
    amount: -5,
    remittanceInformation: 'x'.repeat(80),
    purposeOfPayment: 'SELF',
    aFieldThatNobodyKnows: 1,
  },
};
type Component = keyof typeof LEGAL;
/** What is put at which path, dots between its steps; undefined takes it away. */
type Change = Readonly<Record<string, unknown>>;
const APPROVED = { status: 'APPROVED' };
const REJECTED = { status: 'REJECTED' };
const EXECUTE = { type: 'EXECUTE_QUOTE', quote: LEGAL.Quote, transferDetails: undefined };
const WAITING = { status: 'PENDING_AUTHORIZATION', scaChallenge };
const INSTRUCTIONS = [{ accountOrWalletInfo: { accountType: 'USD_ACCOUNT', paymentRails: ['ACH'] } }];
const FUNDED = { ...WAITING, 'source.sourceType': 'REALTIME_FUNDING', paymentInstructions: INSTRUCTIONS };
const PASSKEY = { type: 'PASSKEY', credentialId: 'abc' };
const field = (...errors: unknown[]) => ({ details: { errors } });

const CHANGES: readonly (readonly [component: Component, change: Change, ...rules: string[]])[] = [
  ...Object.keys(LEGAL).map((component) => [component as Component, {}] as const),
  ['AgentAction', { createdAt: '2026-01-02T03:04:05+02:00' }, 'GENERAL-TIMESTAMP-UTC'],
  ['AgentAction', { transaction: { type: 'OUTGOING' } }, 'ACTION-NO-TRANSACTION-WHILE-PENDING'],
  ['AgentAction', { ...REJECTED, transaction: { type: 'OUTGOING' } }, 'ACTION-NO-TRANSACTION-WHEN-REJECTED'],
  ['AgentAction', { ...REJECTED, rejectionReason: 'x' }],
  ['AgentAction', { 'transferDetails.currency': 'USDC' }],
  ['AgentAction', EXECUTE],
  ['Quote', { paymentInstructions: INSTRUCTIONS }],
  ['Quote', FUNDED, 'QUOTE-INSTRUCTIONS-WITHHELD'],
  ['Quote', { ...FUNDED, paymentInstructions: [] }],
  ['Quote', { ...FUNDED, paymentInstructions: undefined }],
  ['Quote', { ...FUNDED, 'source.sourceType': 'ACCOUNT' }],
  ['Quote', WAITING],
  ['Quote', { ...WAITING, status: 'PROCESSING' }, 'QUOTE-SCA-CHALLENGE-ONLY-PENDING'],
  ['Quote', { ...WAITING, 'scaChallenge.factor': 'TOTP' }],
  ['Quote', { ...WAITING, 'scaChallenge.purpose': null }],
  ['Quote', { ...WAITING, 'scaChallenge.purpose': 'NEW' }],
  ['Quote', { ...WAITING, 'scaChallenge.passkeyAssertionOptions': {} }, 'SCA-PASSKEY-OPTIONS-ONLY-PASSKEY'],
  ['Quote', { ...WAITING, 'scaChallenge.passkeyAssertionOptions': null }],
  ['Quote', { ...WAITING, 'scaChallenge.passkeyAllowedOrigins': null }],
  ['ScaChallenge', { passkeyAllowedOrigins: ['https://a'] }],
  ['AuthMethod', { credentialId: 'abc' }, 'CREDENTIAL-WEBAUTHN-ID-ONLY-PASSKEY'],
  ['CredentialChallenge', { ...PASSKEY, challenge: '0af0', requestId: `Request:${UUID}`, expiresAt: TIME }],
  ['VerifiedSession', { type: 'OAUTH', encryptedSessionSigningKey: 'x' }],
  ['Error400', { code: 'NOPE' }, 'ERROR-CODE-400'],
  ['Error400', field({ field: 'a.b', constraint: {}, message: 'm' })],
  ['TransferOutRequest', { amount: undefined }],
  ['TransferOutRequest', { remittanceInformation: 'x'.repeat(81) }, 'nobody'],
  ...['1', 1.5, 1e30].map((amount) => ['TransferOutRequest', { amount }, 'nobody'] as const),
  ['TransferOutRequest', { source: undefined }, 'nobody'],
  ['TransferOutRequest', { 'destination.paymentRail': 'X' }, 'nobody'],
  ['TransferOutRequest', { 'source.accountId': `ExternalAccount:${UUID}` }, 'nobody'],
];

/** In place of an object of the component; a request has no rules to blame. */
const WHOLE: readonly (readonly [component: string, value: unknown, ...rules: string[]])[] = [
  ['AgentAction', [], 'ACTION-OBJECT'],
  ['TransferOutAction', LEGAL.AgentAction],
  ['TransferOutAction', { ...LEGAL.AgentAction, ...APPROVED }, 'TRANSFER-APPROVED-HAS-TRANSACTION'],
  ['CredentialList', [authMethod], 'CREDENTIAL-LIST-DATA'],
  ['CredentialChallenge', 1, 'CHALLENGE-OBJECT'],
  ['VerifiedSession', { expiresAt: TIME, encryptedSessionSigningKey: 'x' }],
  ['VerifiedSession', {}, 'SESSION-EXPIRES-AT'],
  ['AuthSessionSealed', { expiresAt: TIME }, 'SESSION-SEALED-KEY'],
  ['CustomerUpdateAccepted', {}],
  ['CredentialSignedRetryChallenge', 3, 'RETRY-CHALLENGE-OBJECT'],
  ['Error400', 'x', 'ERROR-BODY'],
  ['ErrorOther', 'anything'],
  ['CreateCredentialRequest', { type: 'OAUTH', accountId: ACCOUNT, oidcToken: 'x' }],
  ['CreateCredentialRequest', { type: 'EMAIL_OTP', accountId: ACCOUNT }],
  ['CreateCredentialRequest', { ...PASSKEY_REQUEST, nickname: 'n' }],
  ['CreateCredentialRequest', { type: 'X', accountId: ACCOUNT }, 'nobody'],
  ['VerifyCredentialRequest', { type: 'PASSKEY', assertion }],
  [
    'VerifyCredentialRequest',
    { type: 'PASSKEY', assertion: { ...assertion, signature: undefined } },
    'nobody',
  ],
  ['VerifyCredentialRequest', { type: 'OAUTH', oidcToken: 'a', clientPublicKey: '04ab' }],
  ['VerifyCredentialRequest', { type: 'OAUTH', oidcToken: 'a', clientPublicKey: 'zz' }, 'nobody'],
  ['VerifyCredentialRequest', { type: 'SMS_OTP', encryptedOtpBundle: '{}' }],
];

const validator = new Validator();

/** Rules that are blamed when a value, as JSON tells it, is held against a component, sorted. */
async function blamed(component: string, value: unknown): Promise<readonly string[]> {
  const schema = (await loadContract('Service')).components.get(component);
  if (!schema) throw new Error(`no component ${component}`);
  const { breaches } = validator.judge(schema, JSON.parse(JSON.stringify(value)));
  return [...new Set(breaches.map(({ rule }) => rule ?? 'nobody'))].sort();
}

function changed(object: object, change: Change): object {
  const copy = structuredClone(object) as Record<string, unknown>;
  for (const [path, value] of Object.entries(change)) {
    const steps = path.split('.');
    const last = steps.pop() as string;
    const parent = steps.reduce((node, step) => node[step] as Record<string, unknown>, copy);
    parent[last] = structuredClone(value);
  }
  return copy;
}

const shown = (value: unknown) => JSON.stringify(value, (_, inner: unknown) => inner ?? null).slice(-150);

for (const [component, change, ...rules] of CHANGES)
  test(`${component} with ${shown(change)}: ${rules.join() || 'fine'}`, async () =>
    expect(await blamed(component, changed(LEGAL[component], change))).toEqual(rules));

for (const [component, value, ...rules] of WHOLE)
  test(`${shown(value)} in place of ${component}: ${rules.join() || 'fine'}`, async () =>
    expect(await blamed(component, value)).toEqual(rules));
