import type { CustomerParams, QuoteSourceParams } from '../../states/types.ts';
import { CannotPrepare, type StateParams, type StateValues } from '../state-provider.ts';
import type { Json, Steps } from './steps.ts';

/** Enough for every check, in the smallest unit. */
const AMPLE = 1_000_000;
/** An ordinary amount of a quote, in the smallest unit. */
export const QUOTED_AMOUNT = 10_000;
/** Any address of the documentation range. */
const USER_IP = '203.0.113.7';

/** What an ordinary customer has by itself; asking for it needs no preparation. */
const ORDINARY: Readonly<Record<string, unknown>> = {
  ready: true,
  executionFails: false,
  ownPlatform: false,
  destinationKind: 'ACCOUNT',
};
const UNDERSTOOD = new Set(['balance', 'currency', 'destinationCurrency', 'termsAccepted']);

/** State `customer`: a customer with a funded account, an external account and, unless unwanted, accepted terms. */
export async function customer(steps: Steps, params: StateParams): Promise<StateValues> {
  const odd = Object.entries(params).filter(
    ([name, value]) => !UNDERSTOOD.has(name) && ORDINARY[name] !== value,
  );
  if (odd.length > 0)
    throw new CannotPrepare(
      `a customer with ${odd.map(([name]) => name).join(', ')} cannot be prepared by public calls: serve it at PROVIDER_STATES_URL`,
    );
  const wanted = params as CustomerParams;
  const currency = wanted.currency ?? steps.profile.currency;
  const destinationCurrency = wanted.destinationCurrency ?? (currency === 'EUR' ? 'USD' : 'EUR');
  const { customerId, platformCustomerId } = await steps.customer();
  const termsVersion = await terms(steps, customerId, wanted.termsAccepted ?? true);
  const sourceAccountId = await steps.internalAccount(customerId, currency);
  const balance = wanted.balance ?? AMPLE;
  if (balance > 0) await steps.fund(sourceAccountId, balance);
  if (wanted.balance !== undefined) await steps.mustHold(customerId, sourceAccountId, balance);
  const destination = await steps.externalAccount(customerId, destinationCurrency);
  return {
    customerId,
    platformCustomerId,
    sourceAccountId,
    destinationAccountId: destination.id,
    currency,
    destinationCurrency,
    ...(termsVersion === undefined ? {} : { termsVersion }),
    body: steps.body('createQuote', {
      source: { sourceType: 'ACCOUNT', accountId: sourceAccountId },
      destination: { destinationType: 'ACCOUNT', accountId: destination.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: QUOTED_AMOUNT,
    }),
  };
}

/**
 * Puts the acceptance of the current end-user terms on file. Where a target has no terms, nobody has to accept them.
 *
 * @returns the version of the terms, where the target tells it
 */
export async function terms(
  steps: Steps,
  customerId: string,
  accepted: boolean,
): Promise<string | undefined> {
  if (!accepted && 'endUserTermsConsent' in (steps.profile.dialect.bodies['createCustomer'] ?? {}))
    throw new CannotPrepare("the profile's dialect.bodies.createCustomer accepts the end-user terms");
  const version = await currentVersion(steps);
  if (version === undefined && !accepted)
    throw new CannotPrepare('the target tells no version of its end-user terms');
  if (version === undefined || !accepted) return version;
  await steps.attempt('updateCustomer', {
    label: 'preparing: recording the acceptance of the end-user terms',
    path: { customerId },
    body: steps.body('updateCustomer', {
      customerType: 'INDIVIDUAL',
      endUserTermsConsent: {
        acceptedAt: new Date().toISOString(),
        ipAddress: USER_IP,
        termsVersion: version,
        acceptanceMethod: 'CLICK_TO_ACCEPT',
      },
    }),
  });
  return version;
}

async function currentVersion(steps: Steps): Promise<string | undefined> {
  try {
    const answer: Json = await steps.call('getEndUserTerms', {
      label: 'preparing: reading the end-user terms',
    });
    const version: unknown = answer?.version ?? answer?.termsVersion;
    return typeof version === 'string' ? version : undefined;
  } catch (error) {
    if (error instanceof CannotPrepare) return undefined;
    throw error;
  }
}

/** State `quote-source`: as `customer`, with a source that is funded at execution where that is asked for. */
export async function quoteSource(steps: Steps, params: StateParams): Promise<StateValues> {
  const { kind, ...rest } = params as QuoteSourceParams;
  const values = await customer(steps, rest as StateParams);
  if (kind !== 'REALTIME_FUNDING') return values;
  const source = { sourceType: kind, currency: values['currency'], customerId: values['customerId'] };
  return { ...values, body: { ...(values['body'] as object), source } };
}

/** State `foreign-accounts`: another customer of the platform with an internal and an external account. */
export async function foreignAccounts(steps: Steps, params: StateParams): Promise<StateValues> {
  const currency = (params['currency'] as string | undefined) ?? steps.profile.currency;
  const { customerId } = await steps.customer();
  const internalAccountId = await steps.internalAccount(customerId, currency);
  const external = await steps.externalAccount(customerId, currency);
  return { customerId, internalAccountId, externalAccountId: external.id };
}
