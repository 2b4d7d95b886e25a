import { expect, test } from '@playwright/test';
import { boundOf } from '../../../schemas/openapi.ts';
import { UUID, blamed, put, without, action, blames, executeAction, fieldCases, quote } from './hold.ts';

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

const approved = put(action, 'status', 'APPROVED');
const rejected = put(action, 'status', 'REJECTED');

blames('AgentAction', [
  ['a legal one with an unknown field', action],
  ...fieldCases(
    action,
    {
      id: 'ACTION-ID',
      agentId: 'ACTION-AGENT-ID',
      customerId: 'ACTION-CUSTOMER-ID',
      platformCustomerId: 'ACTION-PLATFORM-CUSTOMER-ID',
      status: 'ACTION-STATUS',
      type: 'ACTION-TYPE',
      createdAt: 'ACTION-CREATED-AT',
      updatedAt: 'ACTION-UPDATED-AT',
    },
    (object, field) => [
      ['absent', without(object, field)],
      ['a number', put(object, field, 7)],
      ['null', put(object, field, null)],
    ],
  ),
  ['the id of another type', put(action, 'id', `Agent:${UUID}`), 'ACTION-ID'],
  ['a time with an offset', put(action, 'createdAt', '2026-01-02T03:04:05+02:00'), 'GENERAL-TIMESTAMP-UTC'],
  ['a time in words', put(action, 'createdAt', 'yesterday'), 'ACTION-CREATED-AT'],
  [
    'a transaction while pending',
    put(action, 'transaction', { type: 'OUTGOING' }),
    'ACTION-NO-TRANSACTION-WHILE-PENDING',
  ],
  ['a transaction that is null', put(action, 'transaction', null), 'ACTION-TRANSACTION'],
  [
    'a transaction when rejected',
    put(rejected, 'transaction', { type: 'OUTGOING' }),
    'ACTION-NO-TRANSACTION-WHEN-REJECTED',
  ],
  [
    'a transaction of an unknown kind',
    put(approved, 'transaction', { type: 'OUT' }),
    'ACTION-TRANSACTION-TYPE',
  ],
  ['a transaction of no kind', put(approved, 'transaction', {}), 'ACTION-TRANSACTION-TYPE'],
  [
    'a rejection reason while pending',
    put(action, 'rejectionReason', 'x'),
    'ACTION-REJECTION-REASON-ONLY-REJECTED',
  ],
  ['a rejection reason when rejected', put(rejected, 'rejectionReason', 'x')],
  ['a rejection reason that is a number', put(rejected, 'rejectionReason', 4), 'ACTION-REJECTION-REASON'],
  ['a transfer without details', without(action, 'transferDetails'), 'ACTION-DETAILS-FOR-TRANSFER'],
  ['details that are null', put(action, 'transferDetails', null), 'ACTION-TRANSFER-DETAILS'],
  ['an amount in quotes', put(action, 'transferDetails.amount', '1'), 'ACTION-TRANSFER-AMOUNT'],
  ['an amount with a fraction', put(action, 'transferDetails.amount', 1.5), 'ACTION-TRANSFER-AMOUNT'],
  ['no amount', without(action, 'transferDetails.amount'), 'ACTION-TRANSFER-AMOUNT'],
  ['a currency in small letters', put(action, 'transferDetails.currency', 'usd'), 'ACTION-TRANSFER-CURRENCY'],
  ['a numeric currency', put(action, 'transferDetails.currency', '840'), 'ACTION-TRANSFER-CURRENCY'],
  ['the ticker of a cryptocurrency', put(action, 'transferDetails.currency', 'USDC')],
  [
    'a source of an unknown type',
    put(action, 'transferDetails.sourceAccountId', `Account:${UUID}`),
    'ACTION-TRANSFER-SOURCE',
  ],
  ['a quote in a transfer', put(action, 'quote', quote), 'ACTION-NO-QUOTE-FOR-TRANSFER'],
  ['a legal quote execution', executeAction],
  ['an execution without its quote', without(executeAction, 'quote'), 'ACTION-QUOTE-FOR-EXECUTE'],
  [
    'transfer details in an execution',
    put(executeAction, 'transferDetails', action.transferDetails),
    'ACTION-NO-DETAILS-FOR-EXECUTE',
  ],
  ['a quote with a wrong id', put(executeAction, 'quote.id', 'x'), 'QUOTE-ID'],
  ['a quote that is a list', put(executeAction, 'quote', []), 'ACTION-QUOTE'],
  ['a quote with an unknown source', put(executeAction, 'quote.source.sourceType', 'X'), 'QUOTE-SOURCE-TYPE'],
  ['a list in place of the object', [], 'ACTION-OBJECT'],
]);

blames('TransferOutAction', [
  ['pending', action],
  ['failed, without a transaction', put(action, 'status', 'FAILED')],
  ['approved without a transaction', approved, 'TRANSFER-APPROVED-HAS-TRANSACTION'],
  ['a text in place of the object', 'x', 'ACTION-OBJECT'],
  ['a wrong id', put(action, 'id', 'x'), 'ACTION-ID'],
]);

const SOME_CODE = {
  400: 'INVALID_INPUT',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'QUOTE_NOT_FOUND',
  500: 'SERVICE_SWITCH_ERROR',
};

for (const [text, code] of Object.entries(SOME_CODE)) {
  const status = Number(text);
  const error = { status, code, message: 'm' };
  blames(`Error${status}`, [
    ['a legal one', error],
    ['details with anything', { ...error, details: { a: 1 } }],
    ['another status', { ...error, status: status + 1 }, 'ERROR-STATUS'],
    ['the status in quotes', { ...error, status: String(status) }, 'ERROR-STATUS'],
    ['no status', without(error, 'status'), 'ERROR-STATUS'],
    ['an unknown code', { ...error, code: 'NOPE' }, `ERROR-CODE-${status}`],
    ['a numeric code', { ...error, code: 5 }, 'ERROR-CODE'],
    ['no code', without(error, 'code'), 'ERROR-CODE'],
    ['no message', without(error, 'message'), 'ERROR-MESSAGE'],
    ['details as a list', { ...error, details: [] }, 'ERROR-DETAILS'],
    ['a text in place of the object', 'x', 'ERROR-BODY'],
  ]);
}

const fields = {
  status: 400,
  code: 'INVALID_INPUT',
  message: 'm',
  details: { errors: [{ field: 'a.b', constraint: {}, message: 'm' }] },
};

blames('Error400', [
  ['field errors', fields],
  ['field errors that are no list', put(fields, 'details.errors', {}), 'ERROR-FIELD-LIST'],
  ['a field error as text', put(fields, 'details.errors', ['a']), 'ERROR-FIELD-LIST'],
  ['a field error without its field', put(fields, 'details.errors', [{}]), 'ERROR-FIELD-PATH'],
  ['a field as a JSON pointer', put(fields, 'details.errors', [{ field: '/a/b' }]), 'ERROR-FIELD-PATH'],
  ['a numeric message', put(fields, 'details.errors', [{ field: 'a', message: 1 }]), 'ERROR-FIELD-MESSAGE'],
]);

blames('ErrorOther', [['anything, where no body is shown', 'anything']]);
