import { randomBytes } from 'node:crypto';
import { pointOf, seal, sealedText } from '../../crypto/keys.ts';
import type { JsonObject } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import {
  addInternalAccount,
  type InternalAccount,
  privateWallets,
  walletSecrets,
} from '../accounts/records.ts';
import type { Customer } from '../customers/records.ts';
import { addCredential } from './records.ts';

/** A customer's Global Account. It is born with an EMAIL_OTP credential where the customer has an e-mail. */
export function openWallet(world: World, customer: Customer): InternalAccount {
  const account = addInternalAccount(world, customer, 'USDC', 'EMBEDDED_WALLET');
  const { email } = customer.data;
  if (typeof email === 'string') addCredential(world, account, { type: 'EMAIL_OTP', nickname: email });
  return account;
}

/** Whether money that leaves an account waits for a session signing key; receiving never does. */
export function paymentNeedsSession(_world: World, account: InternalAccount | undefined): boolean {
  return account?.type === 'EMBEDDED_WALLET';
}

/** An agent's calls carry no wallet signature, so they move nothing out of a Global Account. */
export function agentMaySpendFrom(world: World, account: InternalAccount | undefined): Passes {
  if (world.behaviour.paymentNeedsSession(account))
    throw world.behaviour.refuseForbidden('Payments from a Global Account need a session signing key.');
}

/** Turns the privacy of a wallet on or off. */
export function setPrivacy(world: World, account: InternalAccount, enabled: boolean): void {
  privateWallets.put(world, account.id, enabled);
  account.updatedAt = world.clock.now(account.customerId);
}

/** The wallet's keys, sealed to the client. @param clientPublicKey hex */
export async function exportWallet(
  world: World,
  account: InternalAccount,
  clientPublicKey: string,
): Promise<JsonObject> {
  const secret =
    walletSecrets.get(world, account.id) ?? walletSecrets.put(world, account.id, randomBytes(32));
  return {
    id: account.id,
    encryptedWalletCredentials: sealedText(await seal(pointOf(clientPublicKey)!, secret)),
  };
}
