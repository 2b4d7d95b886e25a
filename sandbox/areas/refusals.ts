import { signatureHeader } from './credentials/signed-operation.ts';
import { format } from 'node:util';
import type { JsonObject } from '../server/json.ts';
import { Refusal, type RefusalExtras } from '../server/refusal.ts';
import type { World } from '../world/world.ts';
import type { ExternalAccount, InternalAccount } from './accounts/records.ts';
import type { Agent } from './agents/records.ts';
import type { Channel } from './customers/behaviour.ts';
import type {
  Claims,
  Credential,
  PasskeyChallenge,
  RequestPrint,
  SignedRequest,
} from './credentials/records.ts';
import type { Stamp } from './credentials/request-behaviour.ts';
import type { Platform, ProviderAccount } from './platform/records.ts';

/*
 * How the service says no, in one table: status, code, words. A fault or a variant says it otherwise by replacing the row.
 * The interface shows statuses and codes, but seldom which condition gets which: where a section is named it says both, and
 * elsewhere the row is a choice of this sandbox.
 */

/** A refusal of one status, one code and these words, with what is given in the place of each `%s`. */
function says<Rest extends unknown[] = []>(
  status: number,
  code: string,
  words: string,
  extras: (world: World, ...rest: Rest) => RefusalExtras = () => ({}),
) {
  return (world: World, ...rest: Rest): Refusal =>
    new Refusal(
      status,
      code,
      words.includes('%s')
        ? format(words, ...rest.map((one) => (Array.isArray(one) ? one.join(', ') : String(one))))
        : words,
      extras(world, ...rest),
    );
}

/** Thrown at once, for here nothing can go on. A world that replaces it may go on with something of this type instead. */
function stops<Instead, Rest extends unknown[] = []>(refusal: (world: World, ...rest: Rest) => Refusal) {
  return (world: World, ...rest: Rest): Instead => {
    throw refusal(world, ...rest);
  };
}

/** The words are given where it is refused. */
type Words = [why: string];

/** @param words for people; never says whether an id or a secret was the wrong half */
const unauthorized =
  (scheme: 'Basic' | 'Bearer', words: string) =>
  (world: World): Refusal =>
    world.behaviour.refuseUnauthorized(scheme, words);

/** One invalid field, in details.errors like those that a schema finds. */
const wrongField =
  (field: string, message: string, constraint: JsonObject = {}) =>
  (): RefusalExtras => ({
    details: { errors: [{ field, message, constraint }] },
  });

/** The rows, by what they refuse. */
export const refusals = {
  // Requests. The interface has no 404 code for a route, and no 405, 413 and 415.
  refuseUnknownRoute: says<[method: string, path: string]>(
    404,
    'REFERENCE_NOT_FOUND',
    'There is no operation %s %s.',
  ),
  refuseMethod: says<[method: string, allowed: readonly string[]]>(
    405,
    'METHOD_NOT_ALLOWED',
    'This resource does not take %s, only %s.',
    (_world, _method, allowed): RefusalExtras => ({ headers: { allow: allowed.join(', ') } }),
  ),
  refuseMalformedJson: says<Words>(400, 'INVALID_REQUEST_FORMAT', 'The body is not JSON: %s.'),
  refuseMissingBody: says(400, 'INVALID_REQUEST_FORMAT', 'This operation needs a JSON body.'),
  refuseContentType: says<[type: string]>(
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body as application/json, not as %s.',
  ),
  refuseTooLarge: says<[bytes: number]>(413, 'PAYLOAD_TOO_LARGE', 'A body may have at most %s bytes.'),
  /** @param field dot-notation path */
  refuseField: (world: World, field: string, why: string): Refusal =>
    world.behaviour.refuseInvalidFields([{ field, constraint: {}, message: `${field} ${why}` }]),
  /** interface.md > Errors > 404 codes, as far as they are of records that are read. */
  refuseNotFound: (_world: World, kind: string, id: string): Refusal =>
    new Refusal(404, NOT_FOUND[kind] ?? 'REFERENCE_NOT_FOUND', `There is no ${kind} ${id}.`),
  refuseConflict: says<Words>(409, 'INVALID_STATE_TRANSITION', '%s'),
  /** No rule leads here: it is what the server says where one has failed. */
  refuseInternal: says(500, 'INTERNAL_ERROR', 'The service failed. This is a defect of the sandbox.'),

  // Callers. interface.md > Authentication.
  refuseUnauthorized: (_world: World, scheme: 'Basic' | 'Bearer', why: string): Refusal =>
    new Refusal(401, 'UNAUTHORIZED', why, { headers: { 'www-authenticate': scheme } }),
  refuseMissingBasic: stops<Platform>(
    unauthorized('Basic', 'This operation needs the platform credentials (HTTP Basic).'),
  ),
  refuseUnreadableBasic: stops<Platform>(
    unauthorized('Basic', 'The Authorization header is not readable as HTTP Basic.'),
  ),
  refuseUnknownClient: stops<Platform, [clientId: string]>(
    unauthorized('Basic', 'The client id or the client secret is wrong.'),
  ),
  refuseMissingBearer: stops<Agent>(
    unauthorized('Bearer', 'This operation needs an agent access token (Bearer).'),
  ),
  /** Valid platform credentials are of no use here either. */
  refuseOtherScheme: stops<Agent, [authorization: string]>(
    unauthorized('Bearer', 'This operation takes an agent access token (Bearer) only.'),
  ),
  refuseUnknownToken: stops<Agent, [token: string]>(
    unauthorized('Bearer', 'The agent access token is not valid.'),
  ),
  /** That a used code is refused is a habit of real deployments, not a word of the interface. */
  refuseUsedDeviceCode: stops<Agent, [agent: Agent]>((world): Refusal =>
    world.behaviour.refuseConflict('This device code has been redeemed.'),
  ),

  // Agents and transfers. interface.md > POST /agents/me/transfer-out shows the statuses and no codes.
  refuseForbidden: says<Words>(403, 'FORBIDDEN', '%s'),
  refuseByPolicy: (world: World, why: string): Refusal => world.behaviour.refuseForbidden(why),
  refuseOverLimit: (world: World, what: string): Refusal =>
    world.behaviour.refuseForbidden(`The spending limit of the agent's policy for ${what} is exceeded.`),
  refuseUnknownSource: (world: World, id: string): Refusal =>
    world.behaviour.refuseNotFound('internal account', id),
  refuseUnknownDestination: stops<ExternalAccount, [agent: Agent, id: string]>((world, _agent, id): Refusal =>
    world.behaviour.refuseNotFound('external account', id),
  ),
  /** What is said of another customer's account is not shown: it is told as if it did not exist. */
  refuseForeignAccount: (world: World, account: { readonly id: string }): Refusal =>
    world.behaviour.refuseNotFound('account', account.id),
  refuseForeignSource: stops<InternalAccount, [agent: Agent, account: InternalAccount]>(
    (world, _agent, account): Refusal => world.behaviour.refuseForeignAccount(account),
  ),
  refuseForeignDestination: stops<ExternalAccount, [agent: Agent, account: ExternalAccount]>(
    (world, _agent, account): Refusal => world.behaviour.refuseForeignAccount(account),
  ),
  refuseRail: stops<string, [destination: ExternalAccount, wanted: string]>(
    (_world, { rails }, wanted): Refusal => {
      const message = `The destination does not support ${wanted}.`;
      const field = wrongField('destination.paymentRail', message, { enum: [...rails] });
      return new Refusal(400, 'INVALID_INPUT', message, field());
    },
  ),
  /** The interface does not require an amount and does not say what its absence means. */
  amountWhenAbsent: stops<bigint, [source: InternalAccount]>(
    says(400, 'INVALID_AMOUNT', 'A transfer needs an amount.', wrongField('amount', 'amount is required')),
  ),
  refuseAmount: stops<bigint, [amount: bigint]>(
    says(
      400,
      'INVALID_AMOUNT',
      'The amount must be greater than zero.',
      wrongField('amount', 'amount must be greater than zero', { minimum: 1 }),
    ),
  ),
  /** The interface names insufficient funds where an execution fails; a request refused by them is not shown. */
  refuseInsufficientFunds: says(400, 'AMOUNT_OUT_OF_RANGE', 'The source account does not hold this amount.'),

  // Payments. interface.md > Errors > 400, 403 and 404 codes; Other statuses and failure reasons.
  refuseCounterparty: says(
    403,
    'COUNTERPARTY_NOT_ALLOWED',
    'The counterparty is not enabled for this account.',
  ),
  refuseWithoutTerms: says(
    403,
    'END_USER_TERMS_NOT_ACCEPTED',
    'The customer has not accepted the end-user terms.',
  ),
  refuseTermsVersion: says<[version: string]>(
    400,
    'END_USER_TERMS_VERSION_NOT_FOUND',
    'There is no version %s of the end-user terms.',
  ),
  refuseUnknownReceiver: says<[address: string]>(
    404,
    'UMA_NOT_FOUND',
    'The counterparty has no receiver %s.',
  ),
  /** Which status and code an expired quote gets is not shown. */
  refuseExpiredQuote: (world: World): Refusal => world.behaviour.refuseConflict('The quote has expired.'),
  /** @param limit smallest unit of the sending currency */
  refuseTransactionSize: says<[limit: bigint]>(
    400,
    'TRANSACTION_SIZE_LIMIT_EXCEEDED',
    'A single transaction may have at most %s.',
  ),
  refuseDailyVolume: says(429, 'DAILY_VOLUME_LIMIT_EXCEEDED', 'The daily volume is reached.'),
  refuseVelocity: says(403, 'VELOCITY_LIMIT_EXCEEDED', 'The counterparty has had too many payments today.'),
  refuseUnverified: says(
    400,
    'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
    "The destination account's ownership must be verified before this payment.",
  ),

  // Strong customer authentication and contacts: 409 where they do not apply, with a code that is not shown.
  refuseLoginWithoutSca: (world: World): Refusal => world.behaviour.refuseScaNotApplicable(),
  refuseScaNotApplicable: says(
    409,
    'CONFLICT',
    'Strong customer authentication does not apply to this customer.',
  ),
  refuseWithoutSession: says(409, 'SCA_SESSION_REQUIRED', 'The customer has to log in first.'),
  refuseScaProof: says<Words>(400, 'INVALID_INPUT', '%s'),
  refuseLocked: says<[until: number, failedAttempts: number]>(
    423,
    'ACCOUNT_LOCKED',
    'The account is locked.',
    (world, until, failedAttempts): RefusalExtras => ({
      details: { lockedUntil: world.behaviour.presentTime(until), failedAttempts },
    }),
  ),
  refuseContact: says<[channel: Channel]>(
    409,
    'CONFLICT',
    "The customer's payment provider asks for no verification of the %s.",
  ),

  // Credentials and logins. Malformed input is 400, a proof that is not good enough 401.
  refuseProof: says<Words>(401, 'UNAUTHORIZED', '%s'),
  refuseClientKey: (world: World): Refusal =>
    world.behaviour.refuseField('clientPublicKey', 'must be a P-256 public key in hex'),
  /** interface.md > Errors > 400 codes: the only credential of an account; the code is not shown. */
  refuseOnlyCredential: says(400, 'INVALID_INPUT', 'The only credential of an account cannot be revoked.'),
  refuseTooOften: says<[seconds: number]>(
    429,
    'RATE_LIMITED',
    'Challenges are issued too often for this credential.',
    (world, seconds): RefusalExtras => ({ headers: { 'retry-after': world.behaviour.retryAfter(seconds) } }),
  ),
  refuseBundle: (world: World, why: string): Refusal =>
    world.behaviour.refuseField('encryptedOtpBundle', why),
  refuseAttestation: (world: World, why: string): Refusal =>
    world.behaviour.refuseField('attestation', `is not accepted: ${why}`),
  refuseMalformedToken: stops<Claims, [token: string]>((world): Refusal =>
    world.behaviour.refuseField('oidcToken', 'is no JWT'),
  ),
  /** The code REQUEST_ID_MISSING speaks of the signed retry; a passkey login needs the header too. */
  refuseLoginWithoutId: stops<PasskeyChallenge, [credential: Credential]>(
    says(401, 'REQUEST_ID_MISSING', 'Request-Id of the challenge is required.'),
  ),

  // The signed retry. interface.md > Errors > 401 codes; which a Request-Id that serves nothing gets is left open.
  refuseMissingSignature: (world: World): Refusal =>
    new Refusal(401, 'WALLET_SIGNATURE_MISSING', `${header(world)} is required beside Request-Id.`),
  refuseMissingRequestId: (world: World): Refusal =>
    new Refusal(401, 'REQUEST_ID_MISSING', `Request-Id is required beside ${header(world)}.`),
  refuseMalformedSignature: (world: World, part: 'encoding' | 'structure' | 'fields', why: string): Refusal =>
    new Refusal(401, 'WALLET_SIGNATURE_MALFORMED', `The ${part} of ${header(world)} cannot be read: ${why}.`),
  /** Digits of the right form that are no point of the curve: malformed or invalid, both can be said. */
  refuseOffCurve: (world: World): Refusal =>
    world.behaviour.refuseMalformedSignature('fields', 'publicKey is no point of the curve'),
  refuseOtherBody: says(401, 'WALLET_SIGNATURE_BODY_MISMATCH', 'The signed request had another body.'),
  refuseInvalidSignature: says(401, 'WALLET_SIGNATURE_INVALID', 'The wallet signature does not verify.'),
  /** The signature is good, but its key may not sign this. */
  refuseSigner: says<Words>(401, 'WALLET_SIGNATURE_INVALID', '%s'),
  refuseOwnSession: (world: World): Refusal =>
    world.behaviour.refuseSigner('A revocation is signed with a session of a different credential.'),
  refuseRequestId: says<Words>(401, 'WALLET_SIGNATURE_INVALID', '%s'),
  refuseUnknownRequest: stops<SignedRequest, [stamp: Stamp, print: RequestPrint]>((world): Refusal =>
    world.behaviour.refuseRequestId('The Request-Id is unknown.'),
  ),

  // Events, cards and stablecoins. interface.md > Events; Errors > 400 and 404 codes.
  refuseWithoutEndpoint: says(400, 'WEBHOOK_ENDPOINT_NOT_SET', 'No webhook endpoint is configured.'),
  refuseFailedDelivery: says(400, 'WEBHOOK_DELIVERY_ERROR', 'The webhook endpoint did not take the event.'),
  refuseWithoutKyc: says(400, 'CARDHOLDER_KYC_NOT_APPROVED', "The cardholder's KYC status is not APPROVED."),
  /** The link of another platform gets it too, as if it did not exist. */
  refuseUnknownProvider: says<[id: string]>(
    404,
    'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
    'There is no provider account %s.',
  ),
  revokedProvider: stops<ProviderAccount, [account: ProviderAccount]>(
    says(400, 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED', 'The link to the provider account was revoked.'),
  ),
  invalidProvider: stops<ProviderAccount, [account: ProviderAccount]>(
    says(400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID', 'The link to the provider account is not usable.'),
  ),
  severalProviders: stops<ProviderAccount, [active: readonly ProviderAccount[]]>(
    says(
      400,
      'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED',
      'There are several active links; pass stablecoinProviderAccountId.',
    ),
  ),
};

const NOT_FOUND: Readonly<Record<string, string>> = {
  Customer: 'USER_NOT_FOUND',
  Transaction: 'TRANSACTION_NOT_FOUND',
  Quote: 'QUOTE_NOT_FOUND',
};

/** The wallet signature header as this deployment spells it. */
const header = (world: World): string => signatureHeader(world);
