import { Refusal } from '../server/refusal.ts';
import type { World } from '../world/world.ts';
import type { Channel } from './customers/behaviour.ts';

/** A refusal of one status, one code and these words. */
function says<Rest extends unknown[] = []>(
  status: number,
  code: string,
  words: string | ((...rest: Rest) => string),
) {
  return (_world: World, ...rest: Rest): Refusal =>
    new Refusal(status, code, typeof words === 'string' ? words : words(...rest));
}

/** How the service says no, where a fault or a variant may say it otherwise. */
export const refusals = {
  /** The interface has no 404 code for a route; this is the most general of its list. */
  refuseUnknownRoute: says(
    404,
    'REFERENCE_NOT_FOUND',
    (method: string, path: string) => `There is no operation ${method} ${path}.`,
  ),
  /** @param allowed methods that the route has */
  refuseMethod: (_world: World, method: string, allowed: readonly string[]): Refusal =>
    new Refusal(
      405,
      'METHOD_NOT_ALLOWED',
      `This resource does not take ${method}, only ${allowed.join(', ')}.`,
      {
        headers: { allow: allowed.join(', ') },
      },
    ),
  /** interface.md > Endpoints: all requests are JSON. Which 400 code a body gets that is none is not shown. */
  refuseMalformedJson: says(400, 'INVALID_REQUEST_FORMAT', (why: string) => `The body is not JSON: ${why}.`),
  /** Which 400 code a call without its required body gets is not shown. */
  refuseMissingBody: says(400, 'INVALID_REQUEST_FORMAT', 'This operation needs a JSON body.'),
  /** interface.md > Errors has no 415; that a body of another type is refused at all is left open. */
  refuseContentType: says(
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    (type: string) => `Send the body as application/json, not as ${type}.`,
  ),
  /** @param limit bytes */
  refuseTooLarge: says(
    413,
    'PAYLOAD_TOO_LARGE',
    (limit: number) => `A body may have at most ${limit} bytes.`,
  ),
  /** @param why for people; never says whether an id or a secret was the wrong half */
  refuseUnauthorized: (_world: World, scheme: 'Basic' | 'Bearer', why: string): Refusal =>
    new Refusal(401, 'UNAUTHORIZED', why, { headers: { 'www-authenticate': scheme } }),
  /** interface.md > Errors > 403 codes: insufficient permissions. */
  refuseForbidden: says(403, 'FORBIDDEN', (why: string) => why),
  /** The record is not in a state that allows this. */
  refuseConflict: says(409, 'INVALID_STATE_TRANSITION', (why: string) => why),
  /** interface.md > Errors > 500 codes. No rule leads here: it is what the server says where one has failed. */
  refuseInternal: says(500, 'INTERNAL_ERROR', 'The service failed. This is a defect of the sandbox.'),
  /** Credential input that passes its schema and is unusable all the same. @param field dot-notation path */
  refuseField: (world: World, field: string, why: string): Refusal =>
    world.behaviour.refuseInvalidFields([{ field, constraint: {}, message: `${field} ${why}` }]),
  /** The policy does not permit the operation: 403. Which of its codes is not shown. */
  refuseByPolicy: (world: World, why: string): Refusal => world.behaviour.refuseForbidden(why),
  /** A spending limit is exceeded: 403. Which of its codes is not shown. */
  refuseOverLimit: (world: World, what: string): Refusal =>
    world.behaviour.refuseForbidden(`The spending limit of the agent's policy for ${what} is exceeded.`),
  /**
   * interface.md > POST /agents/me/transfer-out: 404, account not found. None of the 404 codes is of accounts; which one it
   * gets is not shown.
   */
  refuseUnknownSource: (world: World, id: string): Refusal =>
    world.behaviour.refuseNotFound('internal account', id),
  /**
   * Both accounts must belong to the agent's customer; what is said of another one is not shown. It gets the code of an
   * account that does not exist.
   */
  refuseForeignAccount: (world: World, account: { readonly id: string }): Refusal =>
    world.behaviour.refuseNotFound('account', account.id),
  /** The interface names insufficient funds where an execution fails; a code for a request refused by them is not shown. */
  refuseInsufficientFunds: says(400, 'AMOUNT_OUT_OF_RANGE', 'The source account does not hold this amount.'),
  /** interface.md > Errors > 403 codes: the counterparty is not enabled for the account. */
  refuseCounterparty: says(
    403,
    'COUNTERPARTY_NOT_ALLOWED',
    'The counterparty is not enabled for this account.',
  ),
  /** interface.md > Errors > 403 codes: quotes fail with this until acceptance is on file. */
  refuseWithoutTerms: says(
    403,
    'END_USER_TERMS_NOT_ACCEPTED',
    'The customer has not accepted the end-user terms.',
  ),
  /** interface.md > Errors > 404 codes: the address is well-formed, but the counterparty has no such receiver. */
  refuseUnknownReceiver: says(
    404,
    'UMA_NOT_FOUND',
    (address: string) => `The counterparty has no receiver ${address}.`,
  ),
  /** Which status and code an expired quote gets is not shown. */
  refuseExpiredQuote: (world: World): Refusal => world.behaviour.refuseConflict('The quote has expired.'),
  /** @param limit smallest unit of the sending currency */
  refuseTransactionSize: says(
    400,
    'TRANSACTION_SIZE_LIMIT_EXCEEDED',
    (limit: bigint) => `A single transaction may have at most ${limit}.`,
  ),
  /** interface.md > Errors > Other statuses and failure reasons: 429; its body is not shown. */
  refuseDailyVolume: says(429, 'DAILY_VOLUME_LIMIT_EXCEEDED', 'The daily volume is reached.'),
  /** interface.md > Errors > 403 codes: the counterparty exceeded velocity limits. */
  refuseVelocity: says(403, 'VELOCITY_LIMIT_EXCEEDED', 'The counterparty has had too many payments today.'),
  /** interface.md > Errors > 400 codes: the destination's ownership must be verified before the transfer. */
  refuseUnverified: says(
    400,
    'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
    "The destination account's ownership must be verified before this payment.",
  ),
  /** Customers outside SCA regions. Which code is not shown. */
  refuseLoginWithoutSca: (world: World): Refusal => world.behaviour.refuseScaNotApplicable(),
  /** interface.md > What the service does: the SCA endpoints return 409 where it does not apply. Which code is not shown. */
  refuseScaNotApplicable: says(
    409,
    'CONFLICT',
    'Strong customer authentication does not apply to this customer.',
  ),
  /** interface.md > Errors > Other statuses and failure reasons: 409 on quote authorization; its body is not shown. */
  refuseWithoutSession: says(409, 'SCA_SESSION_REQUIRED', 'The customer has to log in first.'),
  /** What a wrong or expired proof is answered. Which 400 code is not shown. */
  refuseScaProof: says(400, 'INVALID_INPUT', (why: string) => why),
  /** A proof of a login that is not good enough: code, token or assertion. */
  refuseProof: says(401, 'UNAUTHORIZED', (why: string) => why),
  /** interface.md > Credential operations: a P-256 public key as a hex string. Which 400 code another key gets is not shown. */
  refuseClientKey: (world: World): Refusal =>
    world.behaviour.refuseField('clientPublicKey', 'must be a P-256 public key in hex'),
  /** interface.md > Errors > 400 codes: revoking the only credential of an account returns 400. Which code is not shown. */
  refuseOnlyCredential: says(400, 'INVALID_INPUT', 'The only credential of an account cannot be revoked.'),
  /** @param seconds until a challenge is issued again, whole */
  refuseTooOften: (world: World, seconds: number): Refusal =>
    new Refusal(429, 'RATE_LIMITED', 'Challenges are issued too often for this credential.', {
      headers: { 'retry-after': world.behaviour.retryAfter(seconds) },
    }),
  /**
   * Which 400 code a bundle gets that cannot be read is not shown.
   *
   * @param why the rest of a sentence that begins with the field's name
   */
  refuseBundle: (world: World, why: string): Refusal =>
    world.behaviour.refuseField('encryptedOtpBundle', why),
  /** Which 400 code an attestation gets that does not hold is not shown. @param why what is wrong, in a few words */
  refuseAttestation: (world: World, why: string): Refusal =>
    world.behaviour.refuseField('attestation', `is not accepted: ${why}`),
  /** Digits of the right form that are no point of the curve: malformed or invalid, both can be said. */
  refuseOffCurve: (world: World): Refusal =>
    world.behaviour.refuseMalformedSignature('fields', 'publicKey is no point of the curve'),
  /**
   * interface.md > Errors > 401 codes: required but absent. A call with neither header is a first call, so it is the other
   * header that requires it.
   */
  refuseMissingSignature: (world: World): Refusal =>
    new Refusal(
      401,
      'WALLET_SIGNATURE_MISSING',
      `${world.behaviour.signatureHeader()} is required beside Request-Id.`,
    ),
  /** interface.md > Errors > 401 codes: required on the signed retry but absent. A wallet signature makes the call a retry. */
  refuseMissingRequestId: (world: World): Refusal =>
    new Refusal(
      401,
      'REQUEST_ID_MISSING',
      `Request-Id is required beside ${world.behaviour.signatureHeader()}.`,
    ),
  /** @param part of the header that cannot be read */
  refuseMalformedSignature: (world: World, part: 'encoding' | 'structure' | 'fields', why: string): Refusal =>
    new Refusal(
      401,
      'WALLET_SIGNATURE_MALFORMED',
      `The ${part} of ${world.behaviour.signatureHeader()} cannot be read: ${why}.`,
    ),
  /** interface.md > Errors > 401 codes: the signature was computed over a different body than received. */
  refuseOtherBody: says(401, 'WALLET_SIGNATURE_BODY_MISMATCH', 'The signed request had another body.'),
  /** The signature does not verify with the key that it names. */
  refuseInvalidSignature: says(401, 'WALLET_SIGNATURE_INVALID', 'The wallet signature does not verify.'),
  /** The signature is good, but its key may not sign this. */
  refuseSigner: says(401, 'WALLET_SIGNATURE_INVALID', (why: string) => why),
  /** A session of the credential that is to be revoked signed the revocation. */
  refuseOwnSession: (world: World): Refusal =>
    world.behaviour.refuseSigner('A revocation is signed with a session of a different credential.'),
  /** Which code a Request-Id that is unknown, used, late or of another request gets is left open. */
  refuseRequestId: says(401, 'WALLET_SIGNATURE_INVALID', (why: string) => why),
  /** interface.md > Errors > 400 codes: the submitted terms version is unsupported. */
  refuseTermsVersion: says(
    400,
    'END_USER_TERMS_VERSION_NOT_FOUND',
    (version: string) => `There is no version ${version} of the end-user terms.`,
  ),
  /** Which code is not shown. */
  refuseContact: says(
    409,
    'CONFLICT',
    (channel: Channel) => `The customer's payment provider asks for no verification of the ${channel}.`,
  ),
  /** interface.md > Events: sending without a configured endpoint yields this error. */
  refuseWithoutEndpoint: says(400, 'WEBHOOK_ENDPOINT_NOT_SET', 'No webhook endpoint is configured.'),
  /** interface.md > Events: failed delivery yields this error. Only who sends on demand is there to be told. */
  refuseFailedDelivery: says(400, 'WEBHOOK_DELIVERY_ERROR', 'The webhook endpoint did not take the event.'),
  /** What is said to a cardholder whose KYC is not APPROVED. */
  refuseWithoutKyc: says(400, 'CARDHOLDER_KYC_NOT_APPROVED', "The cardholder's KYC status is not APPROVED."),
  /** interface.md > Errors > 404 codes. The link of another platform gets it too, as if it did not exist. */
  refuseUnknownProvider: says(
    404,
    'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
    (id: string) => `There is no provider account ${id}.`,
  ),
};
