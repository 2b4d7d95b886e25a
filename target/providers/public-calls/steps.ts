import { randomUUID } from 'node:crypto';
import type { Call } from '../../../client/call.ts';
import type { Exchange } from '../../../client/http/exchange.ts';
import type { Profile } from '../../profile.ts';
import { CannotPrepare, PreparationFailed } from '../state-provider.ts';

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
  attempt(operation: string, parts: Partial<Omit<Call, 'operation'>>): Promise<void>;
  /** A request body: the default, with what `dialect.bodies` of the profile says of the operation merged over it. */
  body(operation: string, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** A customer with its first internal account. */
  customer(): Promise<{ customerId: string; platformCustomerId: string }>;
  internalAccount(customerId: string, currency: string): Promise<string>;
  externalAccount(
    customerId: string,
    currency: string,
    rails?: readonly string[],
  ): Promise<{ id: string; rails: readonly string[] | undefined }>;
  fund(accountId: string, amount: number): Promise<void>;
}

/** Rails that US bank accounts usually have. */
const USUAL_RAILS = ['ACH', 'WIRE', 'RTP', 'FEDNOW'];

export function makeSteps(profile: Profile, platformCall: PlatformCall): Steps {
  const call: Steps['call'] = async (operation, parts) => {
    const label = parts.label ?? `preparing: ${operation}`;
    const { exchange } = await platformCall(operation, { ...parts, label });
    const { response, failure } = exchange;
    if (!response) throw new PreparationFailed(`"${label}" got no answer: ${failure}`);
    if (response.status >= 500) throw new PreparationFailed(`"${label}" answered ${response.status}`);
    if (response.status >= 300)
      throw new CannotPrepare(
        `the target refused "${label}" (${response.status}): serve the state at PROVIDER_STATES_URL, or adapt dialect.bodies.${operation} in the profile`,
      );
    try {
      return response.text === '' ? {} : (JSON.parse(response.text) as Json);
    } catch {
      throw new PreparationFailed(`"${label}" did not answer with JSON`);
    }
  };
  const body: Steps['body'] = (operation, defaults) => ({
    ...defaults,
    ...profile.dialect.bodies[operation],
  });
  return {
    profile,
    call,
    body,
    attempt: async (operation, parts) => void (await platformCall(operation, parts)),
    async customer() {
      const platformCustomerId = `assay-${randomUUID()}`;
      const customer = await call('createCustomer', {
        label: 'preparing: creating a customer',
        body: body('createCustomer', {
          customerType: 'INDIVIDUAL',
          platformCustomerId,
          email: `${platformCustomerId}@example.com`,
          fullName: 'Assay Example',
          birthDate: '1990-01-31',
          address: {
            line1: '1 Example Street',
            city: 'San Francisco',
            state: 'CA',
            postalCode: '94105',
            country: 'US',
          },
        }),
      });
      return { customerId: idIn(customer, 'the created customer'), platformCustomerId };
    },
    async internalAccount(customerId, currency) {
      const listed = await call('listInternalAccounts', {
        label: "preparing: listing the customer's internal accounts",
        query: { customerId },
      });
      const accounts = (Array.isArray(listed) ? listed : (listed.data ?? [])) as Json[];
      const account =
        accounts.find(
          (one) => (one.balance?.currency?.code ?? one.balance?.currency ?? one.currency) === currency,
        ) ?? accounts[0];
      if (!account) throw new CannotPrepare('a new customer has no internal account');
      return idIn(account, 'the internal account');
    },
    async externalAccount(customerId, currency, rails) {
      const account = await call('createExternalAccount', {
        label: 'preparing: creating an external account',
        body: body('createExternalAccount', {
          customerId,
          currency,
          accountInfo: {
            accountType: `${currency}_ACCOUNT`,
            paymentRails: rails ?? USUAL_RAILS,
            accountNumber: String(Math.floor(1e9 + Math.random() * 9e9)),
            routingNumber: '021000021',
            bankName: 'Example Bank',
            beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Assay Example' },
          },
        }),
      });
      const known = account.accountInfo?.paymentRails as readonly string[] | undefined;
      if (rails && known && !rails.every((rail) => known.includes(rail)))
        throw new CannotPrepare(`the external account was created without the rails ${rails.join(', ')}`);
      return { id: idIn(account, 'the external account'), rails: known };
    },
    async fund(accountId, amount) {
      await call('fundInternalAccount', {
        label: 'preparing: funding the internal account',
        path: { id: accountId },
        body: body('fundInternalAccount', { amount }),
      });
    },
  };
}

function idIn(value: Json, what: string): string {
  if (typeof value?.id === 'string') return value.id;
  throw new PreparationFailed(`${what} came without an id`);
}
