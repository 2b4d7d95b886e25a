import type { OtpType, WalletAccountParams } from '../../states/types.ts';
import { CannotPrepare, PreparationFailed, type StateParams, type StateValues } from '../state-provider.ts';
import type { Json, Steps } from './steps.ts';

interface Held {
  readonly id: string;
  readonly type: OtpType;
}

/**
 * State `wallet-account`: the embedded wallet of a new customer. Such an account is born with an EMAIL_OTP credential, and
 * taking that away needs a session of another one, so what a fresh account does not have cannot always be reached.
 */
export async function walletAccount(steps: Steps, params: StateParams): Promise<StateValues> {
  const wanted = (params as WalletAccountParams).credentials ?? [];
  const { customerId } = await steps.customer();
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

/** State `new-wallet`: the embedded wallet of a new customer, just as it was created. */
export async function newWallet(steps: Steps): Promise<StateValues> {
  const { customerId } = await steps.customer();
  return { accountId: await embeddedWallet(steps, customerId), customerId };
}

async function embeddedWallet(steps: Steps, customerId: string): Promise<string> {
  const listed = await steps.call('listInternalAccounts', {
    label: "preparing: listing the customer's internal accounts",
    query: { customerId },
  });
  const accounts = (Array.isArray(listed) ? listed : (listed?.data ?? [])) as Json[];
  const wallet: Json = accounts.find((one) => one?.type === 'EMBEDDED_WALLET');
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
  return (listed.data as Held[]).map(({ id, type }) => ({ id, type }));
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
