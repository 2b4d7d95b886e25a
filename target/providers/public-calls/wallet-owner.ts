import { randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { CannotPrepare, type StateValues } from '../state-provider.ts';
import { AMPLE, EUROPEAN_ADDRESS, type Steps } from './steps.ts';
import { terms } from './terms.ts';

const PENDING = 'PENDING_OWNERSHIP_VERIFICATION';

/** State `customer` with `ownership: PENDING`: a customer in the EU, and a wallet whose key is ours and whose ownership is open. */
export async function walletOwner(steps: Steps): Promise<StateValues> {
  const { customerId, platformCustomerId } = await steps.newCustomer(EUROPEAN_ADDRESS);
  const seed = randomBytes(32);
  const { id, status } = await steps.wallet(customerId, base58.encode(ed25519.getPublicKey(seed)));
  if (status !== PENDING)
    throw new CannotPrepare(
      `a new wallet of a customer in the EU is ${String(status)}, where a test wants ${PENDING}: serve the state "customer" at PROVIDER_STATES_URL`,
      undefined,
      'serve the state `customer` with `ownership`',
    );
  const sourceAccountId = await steps.internalAccount(customerId, steps.profile.currency);
  // For payments, which few of its tests make: the others go on without.
  await terms(steps, customerId, true).catch(() => undefined);
  await steps.fund(sourceAccountId, AMPLE).catch(() => undefined);
  return {
    customerId,
    platformCustomerId,
    sourceAccountId,
    destinationAccountId: id,
    wallet: { scheme: 'ed25519', privateKey: seed.toString('hex') },
    body: steps.quoteBody('createQuote', { sourceType: 'ACCOUNT', accountId: sourceAccountId }, id),
  };
}
