import type { CustomerParams, QuoteSourceParams, OtpType, WalletAccountParams } from '../../states/types.ts';
import { CannotPrepare, type StateParams, type StateValues, PreparationFailed } from '../state-provider.ts';
import { refuseOdd } from './refuse-odd.ts';
import type { MadeCustomer } from './spares.ts';
import { AMPLE, EUROPEAN_ADDRESS, otherThan, type Json, type Steps } from './steps.ts';
import { onFile, terms } from './terms.ts';
import { walletOwner } from './wallet-owner.ts';

/** What an ordinary customer has by itself; asking for it needs no preparation. */
const ORDINARY: Readonly<Record<string, unknown>> = {
  ready: true,
  executionFails: false,
  ownPlatform: false,
  destinationKind: 'ACCOUNT',
  contactVerification: false,
};
const UNDERSTOOD = new Set(['balance', 'currency', 'destinationCurrency', 'termsAccepted']);

/** State `customer`: a customer with a funded account, an external account and, unless unwanted, accepted terms. */
export async function customer(steps: Steps, params: StateParams, state = 'customer'): Promise<StateValues> {
  const isOnly = (name: string, value: unknown) => params[name] === value && Object.keys(params).length === 1;
  if (isOnly('ownership', 'PENDING')) return walletOwner(steps);
  if (isOnly('contactVerification', true)) return contactOwner(steps);
  refuseOdd(state, params, UNDERSTOOD, ORDINARY);
  return payer(steps, await steps.customer('accounts'), params as CustomerParams);
}

/** A customer in the EU, whose payment provider may mandate contact verification: the answers of its endpoints tell. */
async function contactOwner(steps: Steps): Promise<StateValues> {
  const customer = await steps.newCustomer(EUROPEAN_ADDRESS);
  return { ...(await payer(steps, customer, {})), contactCode: steps.profile.dialect.scaProof.code };
}

/** What such a customer needs to pay. @param wanted of the params of `customer` those that are no {@link ORDINARY} ones */
export async function payer(
  steps: Steps,
  { customerId, platformCustomerId }: Pick<MadeCustomer, 'customerId' | 'platformCustomerId'>,
  wanted: Pick<CustomerParams, 'balance' | 'currency' | 'destinationCurrency' | 'termsAccepted'>,
): Promise<StateValues> {
  const currency = wanted.currency ?? steps.profile.currency;
  const destinationCurrency = wanted.destinationCurrency ?? otherThan(currency);
  const termsVersion = await terms(steps, customerId, wanted.termsAccepted ?? true);
  const sourceAccountId = await steps.internalAccount(customerId, currency);
  const balance = wanted.balance ?? AMPLE;
  if (balance > 0) await steps.fund(sourceAccountId, balance);
  if (wanted.balance !== undefined) await steps.needHold(customerId, sourceAccountId, balance);
  const destination = await steps.externalAccount(customerId, destinationCurrency);
  const source = { sourceType: 'ACCOUNT', accountId: sourceAccountId };
  const body = steps.quoteBody('createQuote', source, destination.id);
  if (wanted.termsAccepted !== false) await onFile(steps, termsVersion, body);
  return {
    customerId,
    platformCustomerId,
    sourceAccountId,
    destinationAccountId: destination.id,
    currency,
    destinationCurrency,
    ...(termsVersion === undefined ? {} : { termsVersion }),
    body,
  };
}

/** State `quote-source`: as `customer`, with a source that is funded at execution where that is asked for. */
export async function quoteSource(steps: Steps, params: StateParams): Promise<StateValues> {
  const { kind, accountType, ...rest } = params as QuoteSourceParams;
  const wallet = accountType === undefined ? undefined : WALLETS[accountType];
  if (accountType !== undefined && !wallet)
    throw new CannotPrepare(
      `a quote that is paid in by ${accountType} cannot be asked for by public calls: serve it at PROVIDER_STATES_URL`,
      undefined,
      'serve the state `quote-source` with `accountType`',
    );
  return fundedBy(kind, await customer(steps, rest as StateParams, 'quote-source'), wallet);
}

/** What a quote says that is to be paid in over a network. How networks are called is not shown: a refusal leaves the rule open. */
const WALLETS: Readonly<Record<string, { readonly currency: string; readonly cryptoNetwork: string }>> = {
  SPARK_WALLET: { currency: 'BTC', cryptoNetwork: 'SPARK' },
  LIGHTNING: { currency: 'BTC', cryptoNetwork: 'LIGHTNING' },
  BITCOIN_L1: { currency: 'BTC', cryptoNetwork: 'BITCOIN' },
  SOLANA_WALLET: { currency: 'USDC', cryptoNetwork: 'SOLANA' },
  POLYGON_WALLET: { currency: 'USDC', cryptoNetwork: 'POLYGON' },
  BASE_WALLET: { currency: 'USDC', cryptoNetwork: 'BASE' },
  TRON_WALLET: { currency: 'USDT', cryptoNetwork: 'TRON' },
  PLASMA_WALLET: { currency: 'USDT', cryptoNetwork: 'PLASMA' },
  ETHEREUM_WALLET: { currency: 'USDT', cryptoNetwork: 'ETHEREUM' },
};

/** The same values, with a quote whose source is of this kind. */
export function fundedBy(
  kind: QuoteSourceParams['kind'],
  values: StateValues,
  wallet?: (typeof WALLETS)[string],
): StateValues {
  if (kind !== 'REALTIME_FUNDING') return values;
  const paidIn = wallet ?? { currency: values['currency'] };
  const source = { sourceType: kind, ...paidIn, customerId: values['customerId'] };
  const body = values['body'] as Readonly<Record<string, unknown>>;
  return { ...values, body: { ...(wallet ? inSmallUnits(body) : body), source } };
}

/** So many times as much is put into an account whose units are as small: it covers the usual amount and its fees. */
const SMALL_UNITS = 1_000;

/** The usual amount may be less than the fees in units as small as those of a stablecoin: then it is what the receiver gets. */
function inSmallUnits(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return body['lockedCurrencySide'] === 'SENDING' ? { ...body, lockedCurrencySide: 'RECEIVING' } : body;
}

/** State `foreign-accounts`: another customer of the platform with an internal and an external account. */
export async function foreignAccounts(steps: Steps, params: StateParams): Promise<StateValues> {
  const currency = (params['currency'] as string | undefined) ?? steps.profile.currency;
  const { customerId } = await steps.customer('accounts');
  const internalAccountId = await steps.internalAccount(customerId, currency);
  // Without money and terms, what may not be paid from it is refused for that.
  await terms(steps, customerId, true);
  await steps.fund(internalAccountId, AMPLE);
  const external = await steps.externalAccount(customerId, currency);
  return { customerId, internalAccountId, externalAccountId: external.id };
}

interface Held {
  readonly id: string;
  readonly accountId?: string;
  readonly type: OtpType;
}

/**
 * State `wallet-account`: the embedded wallet of a new customer. Such an account is born with an EMAIL_OTP credential, and
 * taking that away needs a session of another one, so what a fresh account does not have cannot always be reached.
 */
export async function walletAccount(steps: Steps, params: StateParams): Promise<StateValues> {
  const wanted = (params as WalletAccountParams).credentials ?? [];
  const { customerId } = await steps.customer('wallet');
  const accountId = await embeddedWallet(steps, customerId);
  let held = await credentialsOf(steps, accountId);
  const [only] = wanted;
  if (held.length === 0 && only !== undefined && wanted.length === 1)
    held = [await firstCredential(steps, accountId, only)];
  const reached =
    held.length === wanted.length && wanted.every((type) => held.some((one) => one.type === type));
  if (!reached)
    throw new CannotPrepare(
      `a new wallet account holds ${named(held.map((one) => one.type))}, where a test wants ${named(wanted)}: serve the state "wallet-account" at PROVIDER_STATES_URL`,
    );
  return { accountId, customerId, credentials: held };
}

/** State `wallet-payment`: the embedded wallet and an ordinary account of one customer, with money, and a quote from each. */
export async function walletPayment(steps: Steps): Promise<StateValues> {
  const values = await payer(steps, await steps.newCustomer(), {});
  const accountId = await embeddedWallet(steps, values['customerId'] as string);
  await steps.fund(accountId, AMPLE * SMALL_UNITS);
  const ordinaryBody = values['body'] as Readonly<Record<string, unknown>>;
  const body = inSmallUnits({ ...ordinaryBody, source: { sourceType: 'ACCOUNT', accountId } });
  return { ...values, accountId, credentials: await credentialsOf(steps, accountId), body, ordinaryBody };
}

/** State `new-wallet`: the embedded wallet of a new customer, just as it was created. */
export async function newWallet(steps: Steps): Promise<StateValues> {
  const { customerId } = await steps.newCustomer();
  return { accountId: await embeddedWallet(steps, customerId), customerId };
}

async function embeddedWallet(steps: Steps, customerId: string): Promise<string> {
  const kind = 'EMBEDDED_WALLET';
  const wallet: Json = await steps.account(customerId, kind, (one) => one?.type === kind);
  if (!wallet)
    throw new CannotPrepare(
      'a new customer has no internal account of type EMBEDDED_WALLET: adapt dialect.bodies.createCustomer in the profile',
    );
  if (typeof wallet.id !== 'string') throw new PreparationFailed('the embedded wallet came without an id');
  return wallet.id;
}

async function credentialsOf(steps: Steps, accountId: string): Promise<readonly Held[]> {
  const listed = await steps.call('listCredentials', {
    label: 'preparing: listing the credentials of the new wallet',
    query: { accountId },
  });
  if (!Array.isArray(listed?.data)) throw new PreparationFailed('the list of credentials came without data');
  const held = listed.data as readonly Held[];
  if (held.some((one) => (one.accountId ?? accountId).toLowerCase() !== accountId.toLowerCase()))
    throw new PreparationFailed('the list of a new wallet shows a credential of another account');
  return held.map(({ id, type }) => ({ id, type }));
}

async function firstCredential(steps: Steps, accountId: string, type: OtpType): Promise<Held> {
  const created = await steps.call('createCredential', {
    label: 'preparing: registering the first credential',
    body: { type, accountId, ...steps.profile.dialect.credentialBody[type] },
  });
  if (typeof created?.id !== 'string') throw new PreparationFailed('the first credential came without an id');
  return { id: created.id, type };
}

function named(types: readonly string[]): string {
  return types.length === 0 ? 'no credential' : types.join(' and ');
}
