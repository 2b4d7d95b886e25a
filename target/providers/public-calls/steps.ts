import { randomUUID } from 'node:crypto';
import type { Call } from '../../../client/call.ts';
import type { Exchange } from '../../../client/http/http-client.ts';
import { parsedOrNothing } from '../../../schemas/json.ts';
import type { Profile } from '../../profile.ts';
import { CannotPrepare, PreparationFailed } from '../state-provider.ts';
import { soon } from './soon.ts';
import type { Half, MadeCustomer, Spares } from './spares.ts';

/** Any address of the documentation range. */
export const USER_IP = '203.0.113.7';
/** Enough for every check, in the smallest unit. */
export const AMPLE = 1_000_000;
/** An ordinary amount of a quote, in the smallest unit. */
const QUOTED_AMOUNT = 10_000;
const AMERICAN = {
  line1: '1 Example Street',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94105',
  country: 'US',
};

/** Where strong customer authentication is required (interface.md > Area rules: "for example the EU"). */
export const EUROPEAN_ADDRESS = {
  line1: 'Beispielstraße 1',
  city: 'Berlin',
  postalCode: '10115',
  country: 'DE',
};

/** Calls an operation as the platform. */
export type PlatformCall = (
  operation: string,
  parts: Partial<Omit<Call, 'operation'>>,
) => Promise<{ readonly exchange: Exchange }>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the shapes of these answers are not shown in the interface
export type Json = any;

/** The steps that recipes are made of. */
export interface Steps {
  readonly profile: Profile;
  /** Calls and returns the body. @throws CannotPrepare for a refusal, PreparationFailed for no answer or a 5xx */
  call(operation: string, parts: Partial<Omit<Call, 'operation'>>): Promise<Json>;
  /** Calls, whatever comes back. */
  attempt(operation: string, parts: Partial<Omit<Call, 'operation'>>): Promise<Exchange>;
  /** A request body: the default, with what `dialect.bodies` of the profile says of the operation merged over it. */
  body(operation: string, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** A customer whose ordinary accounts, or whose wallet, nobody has used. */
  customer(half: Half): Promise<MadeCustomer>;
  /** The usual body of a new customer. @param address where the customer lives; in the US unless given */
  customerBody(address?: Json): Readonly<Record<string, unknown>>;
  /** A customer that nobody has had before. */
  newCustomer(address?: Json): Promise<MadeCustomer>;
  /** The body of a quote to an external account. */
  quoteBody(
    operation: 'createQuote' | 'createAgentQuote',
    source: Json,
    destinationAccountId: string,
  ): Readonly<Record<string, unknown>>;
  accounts(customerId: string): Promise<readonly Json[]>;
  /** The internal account of this kind, which may come a moment after its customer. */
  account(customerId: string, kind: string, isIt: (account: Json) => boolean): Promise<Json>;
  /** The account of this currency. @throws CannotPrepare where the customer has none */
  internalAccount(customerId: string, currency: string): Promise<string>;
  /** @throws CannotPrepare where the account shows more than this amount, in the smallest unit */
  needHold(customerId: string, accountId: string, amount: number): Promise<void>;
  externalAccount(
    customerId: string,
    currency: string,
    rails?: readonly string[],
  ): Promise<{ id: string; rails: readonly string[] | undefined }>;
  /** An external account for a wallet on Solana, and the status that it is shown with. */
  wallet(customerId: string, address: string): Promise<{ id: string; status: unknown }>;
  fund(accountId: string, amount: number): Promise<void>;
}

/** Customers that earlier tests have left over, and a record of them. */
export interface LeftOver {
  readonly spares: Spares;
  /** Puts into the record of this test how a customer was created that it takes over. */
  readonly record: (label: string, creation: Exchange) => void;
}

export function makeSteps(profile: Profile, platformCall: PlatformCall, leftOver?: LeftOver): Steps {
  const send = async (
    operation: string,
    parts: Partial<Omit<Call, 'operation'>>,
  ): Promise<{ readonly exchange: Exchange; readonly value: Json }> => {
    const label = parts.label ?? `preparing: ${operation}`;
    const { exchange } = await platformCall(operation, { ...parts, label });
    const { response, failure } = exchange;
    if (!response) throw new PreparationFailed(`"${label}" got no answer: ${failure}`);
    if (response.status >= 500) throw new PreparationFailed(`"${label}" answered ${response.status}`);
    if (response.status >= 300)
      throw new CannotPrepare(
        `the target refused "${label}" (${response.status}): serve the state at PROVIDER_STATES_URL, or adapt dialect.bodies.${operation} in the profile`,
        response.status,
        `let \`${operation}\` take what Assay sends (dialect.bodies.${operation}), or serve the states that need it`,
      );
    try {
      return { exchange, value: response.text === '' ? {} : (JSON.parse(response.text) as Json) };
    } catch {
      throw new PreparationFailed(`"${label}" did not answer with JSON`);
    }
  };
  const call: Steps['call'] = async (operation, parts) => (await send(operation, parts)).value;
  const body: Steps['body'] = (operation, defaults) => ({
    ...defaults,
    ...profile.dialect.bodies[operation],
  });
  const accounts: Steps['accounts'] = async (customerId) => {
    const listed = await call('listInternalAccounts', {
      label: "preparing: listing the customer's internal accounts",
      query: { customerId },
    });
    return (Array.isArray(listed) ? listed : (listed?.data ?? [])) as Json[];
  };
  const account: Steps['account'] = (customerId, kind, isIt) =>
    soon(profile, `internal account: ${kind}`, async () => (await accounts(customerId)).find(isIt));
  const customerBody: Steps['customerBody'] = (address = AMERICAN) => {
    const platformCustomerId = `assay-${randomUUID()}`;
    const usual = {
      customerType: 'INDIVIDUAL',
      platformCustomerId,
      email: `${platformCustomerId}@example.com`,
      fullName: 'Assay Example',
      birthDate: '1990-01-31',
      address,
    };
    return body('createCustomer', usual);
  };
  const newCustomer: Steps['newCustomer'] = async (address) => {
    const sent = customerBody(address);
    const { exchange: creation, value } = await send('createCustomer', {
      label: 'preparing: creating a customer',
      body: sent,
    });
    const platformCustomerId = String(sent['platformCustomerId']);
    return { customerId: idIn(value, 'the created customer'), platformCustomerId, creation };
  };
  const newExternalAccount = (customerId: string, currency: string, info: Json): Promise<Json> =>
    call('createExternalAccount', {
      label: 'preparing: creating an external account',
      body: body('createExternalAccount', { customerId, currency, accountInfo: info }),
    });
  return {
    profile,
    call,
    body,
    attempt: async (operation, parts) => (await platformCall(operation, parts)).exchange,
    accounts,
    account,
    customerBody,
    newCustomer,
    quoteBody: (operation, source, destinationAccountId) =>
      body(operation, {
        source,
        destination: { destinationType: 'ACCOUNT', accountId: destinationAccountId },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: QUOTED_AMOUNT,
      }),
    async customer(half) {
      const spare = leftOver?.spares.take(half);
      if (spare) {
        leftOver?.record(
          `preparing: creating a customer, of whom another test used ${OTHER[half]} alone`,
          spare.creation,
        );
        return spare;
      }
      const customer = await newCustomer();
      leftOver?.spares.add(half, customer);
      return customer;
    },
    async internalAccount(customerId, currency) {
      const isIt = (one: Json) => currencyOf(one) === currency;
      // Many services have the usual currency alone: for another one nobody waits.
      const isUsual = currency === profile.currency;
      const found: Json = isUsual
        ? await account(customerId, currency, isIt)
        : (await accounts(customerId)).find(isIt);
      if (!found)
        throw new CannotPrepare(
          `a new customer has no internal account in ${currency}: say in the profile which currency it has (currency), or how a customer with one is created (dialect.bodies.createCustomer)`,
        );
      return idIn(found, 'the internal account');
    },
    async needHold(customerId, accountId, amount) {
      const found = (await accounts(customerId)).find((one) => one?.id === accountId);
      const held: unknown = found?.balance?.amount;
      // A balance that lags behind is no matter; money that the account was born with is.
      if (typeof held === 'number' && held > amount)
        throw new CannotPrepare(
          `a new customer's account holds ${held}, where a test wants ${amount}: serve the state at PROVIDER_STATES_URL`,
        );
    },
    async externalAccount(customerId, currency, rails) {
      const created = await newExternalAccount(customerId, currency, accountInfo(currency, rails));
      const known = created.accountInfo?.paymentRails as readonly string[] | undefined;
      if (rails && known && !rails.every((rail) => known.includes(rail)))
        throw new CannotPrepare(`the external account was created without the rails ${rails.join(', ')}`);
      const id = idIn(created, 'the external account');
      if (isOnItsWay(created))
        await soon(profile, 'an external account that can be used', async () => {
          const read = { label: 'preparing: reading the external account', path: { id } };
          const { response } = (await platformCall('getExternalAccount', read)).exchange;
          return response?.status !== 200 || !isOnItsWay(parsedOrNothing(response.text)) || undefined;
        });
      return { id, rails: known };
    },
    async wallet(customerId, address) {
      const info = { accountType: 'SOLANA_WALLET', assetType: 'USDC', address };
      const created = await newExternalAccount(customerId, 'USDC', info);
      return { id: idIn(created, 'the external account'), status: created.status as unknown };
    },
    async fund(accountId, amount) {
      const funded = await call('fundInternalAccount', {
        label: 'preparing: funding the internal account',
        path: { id: accountId },
        body: body('fundInternalAccount', { amount }),
      });
      const isThere = (one: Json) => !(Number(one?.balance?.amount) < amount);
      if (!isThere(funded) && typeof funded.customerId === 'string')
        await account(
          funded.customerId as string,
          'with its money',
          (one) => one?.id === accountId && isThere(one),
        );
    },
  };
}

const OTHER: Readonly<Record<Half, string>> = { accounts: 'the wallet', wallet: 'the accounts' };

/** A currency that quotes from this one may be paid out in. */
export const otherThan = (currency: string): string => (currency === 'EUR' ? 'USD' : 'EUR');

function currencyOf(account: Json): unknown {
  return account?.balance?.currency?.code ?? account?.balance?.currency ?? account?.currency;
}

function idIn(value: Json, what: string): string {
  if (typeof value?.id === 'string') return value.id;
  throw new PreparationFailed(`${what} came without an id`);
}

/** Whether an external account is in a state that the interface does not name: it may be in use only once it is ACTIVE. */
function isOnItsWay(account: Json): boolean {
  const status: unknown = account?.status;
  return typeof status === 'string' && !/^(ACTIVE|UNVERIFIED|PENDING_OWNERSHIP_VERIFICATION)$/.test(status);
}

/** Rails that bank accounts of a currency usually have. */
const USUAL_RAILS: Readonly<Record<string, readonly string[]>> = {
  EUR: ['SEPA', 'SEPA_INSTANT'],
};
const US_RAILS = ['ACH', 'WIRE', 'RTP', 'FEDNOW'];
const BENEFICIARY = { beneficiaryType: 'INDIVIDUAL', fullName: 'Assay Example' };

/** A bank account of a currency that nobody has used yet. The fields of most variants are not shown in the interface. */
function accountInfo(currency: string, rails: readonly string[] | undefined): Json {
  const common = {
    accountType: `${currency}_ACCOUNT`,
    paymentRails: rails ?? USUAL_RAILS[currency] ?? US_RAILS,
    bankName: 'Example Bank',
    beneficiary: BENEFICIARY,
  };
  return currency === 'EUR'
    ? { ...common, iban: germanIban(digits(18)) }
    : { ...common, accountNumber: digits(10), routingNumber: '021000021' };
}

/** With the check digits of ISO 7064, MOD 97-10. @param account bank code and account number, 18 digits */
function germanIban(account: string): string {
  // D is 13 and E is 14 in this arithmetic.
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}

function digits(count: number): string {
  const first = 1 + Math.floor(Math.random() * 9);
  return [first, ...Array.from({ length: count - 1 }, () => Math.floor(Math.random() * 10))].join('');
}
