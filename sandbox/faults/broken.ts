import { credentials } from '../areas/credentials/records.ts';
import type { Call } from '../server/area.ts';
import { Refusal } from '../server/refusal.ts';
import { type Fault, fault } from './fault.ts';

/** Which calls of an operation break, beside its method and path. */
interface Which {
  /** What the raw body holds, by regular expression. */
  readonly body?: RegExp;
  /** A signed retry, or a first call. */
  readonly signed?: boolean;
  /** The type of the credential in the path. */
  readonly type?: string;
}

/** By operation: what the calls are called, the rule that they have to be named by, and which they are. */
const BROKEN: Readonly<Record<string, readonly (readonly [name: string, breaks: string, which?: Which])[]>> =
  {
    'POST /agents/me/transfer-out': [
      ['transfer-out', 'TRANSFER-ACCEPTED'],
      ['transfer-out-with-remittance', 'TRANSFER-REMITTANCE-ACCEPTED', { body: /remittanceInformation/ }],
      ['transfer-out-with-a-purpose', 'TRANSFER-PURPOSE-ACCEPTED', { body: /purpose/i }],
      ['transfer-out-with-a-rail', 'TRANSFER-ACCEPTED', { body: /paymentRail/ }],
    ],
    'GET /agents/me/actions/:actionId': [['read-of-an-action', 'ACTION-READ-STATUS']],
    'GET /agents/me/actions': [['list-of-actions', 'ACTION-READ-STATUS']],
    'POST /agents/:agentId/actions/:actionId/approve': [['approval', 'ACTION-APPROVE-APPROVES']],
    'POST /agents/:agentId/actions/:actionId/reject': [
      ['rejection', 'ACTION-REJECT-REJECTS'],
      ['rejection-with-a-reason', 'ACTION-REJECT-REJECTS', { body: /reason/ }],
    ],
    'POST /auth/credentials': [
      ['registration-of-email-otp', 'CREDENTIAL-CREATE-EMAIL-OTP', { signed: false, body: /"EMAIL_OTP"/ }],
      ['registration-of-sms-otp', 'CREDENTIAL-CREATE-SMS-OTP', { signed: false, body: /"SMS_OTP"/ }],
      ['registration-of-oauth', 'CREDENTIAL-CREATE-OAUTH', { signed: false, body: /"OAUTH"/ }],
      ['registration-of-passkey', 'CREDENTIAL-CREATE-PASSKEY', { signed: false, body: /"PASSKEY"/ }],
      ['retry-of-a-registration', 'RETRY-CREDENTIAL-CREATE', { signed: true }],
      ['retry-for-sms-otp', 'RETRY-CREDENTIAL-CREATE', { signed: true, body: /"SMS_OTP"/ }],
      ['retry-for-oauth', 'RETRY-CREDENTIAL-CREATE', { signed: true, body: /"OAUTH"/ }],
      ['retry-for-passkey', 'RETRY-CREDENTIAL-CREATE', { signed: true, body: /"PASSKEY"/ }],
      ['retry-for-email-otp', 'RETRY-CREDENTIAL-CREATE', { signed: true, body: /"EMAIL_OTP"/ }],
    ],
    'GET /auth/credentials': [['list-of-credentials', 'CREDENTIAL-LIST-STATUS']],
    'DELETE /auth/credentials/:credentialId': [
      ['revocation', 'RETRY-CREDENTIAL-REVOKE', { signed: false }],
      ['retry-of-a-revocation', 'CREDENTIAL-REVOKE-COMPLETES', { signed: true }],
      ['revocation-of-email-otp', 'RETRY-CREDENTIAL-REVOKE', { signed: false, type: 'EMAIL_OTP' }],
      [
        'retry-of-a-revocation-of-email-otp',
        'CREDENTIAL-REVOKE-COMPLETES',
        { signed: true, type: 'EMAIL_OTP' },
      ],
      ['revocation-of-sms-otp', 'RETRY-CREDENTIAL-REVOKE', { signed: false, type: 'SMS_OTP' }],
      ['retry-of-a-revocation-of-sms-otp', 'CREDENTIAL-REVOKE-COMPLETES', { signed: true, type: 'SMS_OTP' }],
      ['revocation-of-oauth', 'RETRY-CREDENTIAL-REVOKE', { signed: false, type: 'OAUTH' }],
      ['retry-of-a-revocation-of-oauth', 'CREDENTIAL-REVOKE-COMPLETES', { signed: true, type: 'OAUTH' }],
      ['revocation-of-passkey', 'RETRY-CREDENTIAL-REVOKE', { signed: false, type: 'PASSKEY' }],
      ['retry-of-a-revocation-of-passkey', 'CREDENTIAL-REVOKE-COMPLETES', { signed: true, type: 'PASSKEY' }],
    ],
    'POST /auth/credentials/:credentialId/challenge': [
      ['challenge-of-email-otp', 'CHALLENGE-EMAIL-OTP-NO-BODY', { type: 'EMAIL_OTP' }],
      ['challenge-of-sms-otp', 'CHALLENGE-STATUS', { type: 'SMS_OTP' }],
      ['challenge-of-passkey', 'CHALLENGE-STATUS', { type: 'PASSKEY' }],
    ],
    'POST /auth/credentials/:credentialId/verify': [
      ['verification-of-email-otp', 'VERIFY-EMAIL-OTP-ACCEPTED', { type: 'EMAIL_OTP', signed: false }],
      ['retry-of-email-otp', 'VERIFY-EMAIL-OTP-ACCEPTED', { type: 'EMAIL_OTP', signed: true }],
      ['verification-of-sms-otp', 'VERIFY-SMS-OTP-FLOW', { type: 'SMS_OTP', signed: false }],
      ['retry-of-sms-otp', 'VERIFY-SMS-OTP-FLOW', { type: 'SMS_OTP', signed: true }],
      ['verification-of-oauth', 'VERIFY-OAUTH-ACCEPTED', { type: 'OAUTH' }],
      ['verification-of-passkey', 'VERIFY-PASSKEY-ACCEPTED', { type: 'PASSKEY' }],
    ],
    'POST /auth/sessions/:sessionId/refresh': [
      ['refresh', 'RETRY-SESSION-REFRESH', { signed: false }],
      ['retry-of-a-refresh', 'SESSION-REFRESH-COMPLETES', { signed: true }],
    ],
    'DELETE /auth/sessions/:sessionId': [
      ['end-of-a-session', 'RETRY-SESSION-REVOKE', { signed: false }],
      ['retry-of-the-end-of-a-session', 'SESSION-REVOKE-COMPLETES', { signed: true }],
    ],
    'POST /internal-accounts/:accountId/export': [['export', 'WALLET-EXPORT-COMPLETES', { signed: true }]],
    'PATCH /internal-accounts/:accountId': [['privacy', 'WALLET-PRIVACY-COMPLETES', { signed: true }]],
    'POST /quotes': [
      ['quote', 'QUOTE-CREATE-ACCEPTED'],
      ['quote-from-account', 'QUOTE-CREATE-ACCEPTED', { body: /"sourceType":"ACCOUNT"/ }],
      ['quote-with-realtime-funding', 'QUOTE-CREATE-ACCEPTED', { body: /REALTIME_FUNDING/ }],
      ['quote-to-an-account', 'QUOTE-CREATE-ACCEPTED', { body: /"destinationType":"ACCOUNT"/ }],
      ['quote-to-an-uma-address', 'QUOTE-CREATE-ACCEPTED', { body: /UMA_ADDRESS/ }],
      ['quote-of-the-receiving-side', 'QUOTE-CREATE-ACCEPTED', { body: /"RECEIVING"/ }],
      ['quote-with-a-fee-override', 'QUOTE-FEE-OVERRIDE-ACCEPTED', { body: /platformFeeOverride/ }],
    ],
    'POST /quotes/:quoteId/execute': [['execution', 'QUOTE-EXECUTABLE-UNTIL-EXPIRY']],
    'POST /quotes/:quoteId/authorize': [
      ['authorization', 'SCA-AUTHORIZE-ACCEPTED'],
      ['authorization-by-code', 'SCA-AUTHORIZE-ACCEPTED', { body: /"code"/ }],
      ['authorization-by-passkey', 'SCA-PASSKEY-ACCEPTED', { body: /assertion/i }],
    ],
    'POST /agents/me/quotes': [['quote-of-an-agent', 'QUOTE-CREATE-ACCEPTED']],
    'POST /agents/me/quotes/:quoteId/execute': [['execution-by-an-agent', 'QUOTE-EXECUTABLE-UNTIL-EXPIRY']],
    'POST /sca/login/start': [
      ['start-of-a-login', 'SCA-LOGIN-COMPLETES'],
      ['start-of-a-login-by-passkey', 'SCA-LOGIN-COMPLETES', { body: /PASSKEY/ }],
    ],
    'POST /sca/login/complete': [
      ['login', 'SCA-LOGIN-COMPLETES'],
      ['login-by-passkey', 'SCA-LOGIN-COMPLETES', { body: /assertion/i }],
    ],
    'PATCH /config': [['change-of-the-configuration', 'CONFIG-FEE-BOTH']],
    'POST /customers/:customerId/verify-email/confirm': [['confirmation', 'CONTACT-APPLICABLE']],
    'POST /stablecoins': [['stablecoin', 'STABLECOIN-REGISTER']],
    'POST /stablecoins/:stablecoinId/mints': [['mint', 'STABLECOIN-MINT']],
    'POST /stablecoins/:stablecoinId/burns': [['burn', 'STABLECOIN-BURN']],
  };

/** A fault of the service for each kind of call that obeys: what was done stays done. */
export const brokenFaults: readonly Fault[] = Object.entries(BROKEN).flatMap(([operation, kinds]) =>
  kinds.map(([name, breaks, which = {}]) =>
    fault(`${name}-breaks-with-500`, breaks, {
      handleCall: (original) => async (world, call, route) => {
        const reply = await original(world, call, route);
        if (`${route.method} ${route.path}` !== operation || !isMeant(call, which)) return reply;
        throw new Refusal(500, 'INTERNAL_ERROR', 'Something broke on the way.');
      },
    }),
  ),
);

function isMeant(call: Call, { body, signed, type }: Which): boolean {
  const isSigned = Object.keys(call.headers).some((name) => name.endsWith('wallet-signature'));
  return (
    (body === undefined || body.test(call.rawBody.toString())) &&
    (signed === undefined || signed === isSigned) &&
    (type === undefined || credentials.get(call.world, call.params['credentialId'] ?? '')?.type === type)
  );
}
