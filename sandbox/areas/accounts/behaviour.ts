import { randomBytes } from 'node:crypto';
import { keyAt, pointOf, seal, sealedText, walletSigned } from '../../crypto/keys.ts';
import type { JsonObject } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import { shownTimes, type World } from '../../world/world.ts';
import { addCredential } from '../credentials/records.ts';
import { outside } from '../../world/ledger.ts';
import type { Customer } from '../customers/records.ts';
import {
  addInternalAccount,
  balanceOf,
  type ExternalAccount,
  type InternalAccount,
  type OwnershipChallenge,
  presentMoney,
  privateWallets,
  setAccountStatus,
  walletSecrets,
} from './records.ts';

/*
 * Accounts inside and outside the service: internal accounts with their balances, Global Accounts among them, and external accounts
 * with the verification of their ownership. Here stands what a world may decide or show otherwise; records.ts holds what is kept,
 * operations.ts what can be called.
 */

/** Money comes in from outside. @param amount smallest unit of the account's currency, greater than zero */
export function fundAccount(world: World, account: InternalAccount, amount: bigint): void {
  const { id: to, currency } = account;
  world.ledger.post({ from: outside('funding'), to, amount, currency, reason: 'funding' });
  account.updatedAt = world.clock.now(account.customerId);
}

/** The fields of internal accounts are not shown. The balance is in the smallest unit of the account's currency. */
export function presentInternalAccount(world: World, account: InternalAccount): JsonObject {
  const { id, customerId, type, currency } = account;
  const balance = presentMoney(world, balanceOf(world, account), currency);
  const wallet = type === 'EMBEDDED_WALLET' && { privateEnabled: privateWallets.get(world, id) ?? false };
  return { id, customerId, type, status: 'ACTIVE', balance, ...wallet, ...shownTimes(world, account) };
}

/** Of an external account the interface shows the id and the names of some statuses; its other fields are not shown. */
export function presentExternalAccount(world: World, account: ExternalAccount): JsonObject {
  const { id, customerId, status, currency, accountInfo } = account;
  return { id, customerId, status, currency, accountInfo, ...shownTimes(world, account) };
}

/** Only a pending account can be verified. What another one is answered is not shown. */
export function awaitsOwnership(world: World, account: ExternalAccount): Passes {
  if (account.status === 'PENDING_OWNERSHIP_VERIFICATION') return;
  throw world.behaviour.refuseConflict(`The account is ${account.status}; there is nothing to verify.`);
}

/** Asking is no attempt. */
export function afterOwnershipChallenge(_world: World, _account: ExternalAccount): void {}

/** The account's wallet must have signed this very message. */
export function ownershipProven(
  world: World,
  account: ExternalAccount,
  challenge: OwnershipChallenge,
  signature: string,
): boolean {
  const key = keyAt(String(account.accountInfo['address'] ?? ''));
  // What the signature must be over is not shown: here the text that was told, every character of it.
  return key !== undefined && walletSigned(key, challenge.messageToSign, signature);
}

/** When the outcome counts: before the answer. */
export function whenOwnershipKnown(_world: World, settle: () => void): void {
  settle();
}

/** interface.md > External account status: a verification that succeeds leads to ACTIVE, one attempt that fails to UNVERIFIED. */
export function settleOwnership(world: World, account: ExternalAccount, holds: boolean): void {
  setAccountStatus(world, account, holds ? 'ACTIVE' : 'UNVERIFIED');
}

/** The end of a hosted liveness check: that of a signature. */
export function settleLiveness(world: World, account: ExternalAccount, holds: boolean): void {
  world.behaviour.settleOwnership(account, holds);
}

/** A person is done with the hosted check; it counts for an account that waits for it. */
export function endLiveness(world: World, account: ExternalAccount, holds: boolean): void {
  if (account.status === 'PENDING_OWNERSHIP_VERIFICATION') world.behaviour.settleLiveness(account, holds);
}

/**
 * Any change of an account's status in the ownership verification. The payload is not detailed beyond the external account, so
 * it is what reading the account shows.
 */
export function tellAccountStatus(world: World, account: ExternalAccount): void {
  world.behaviour.tell(
    account.customerId,
    'EXTERNAL_ACCOUNT.STATUS_UPDATED',
    world.behaviour.presentExternalAccount(account),
  );
}

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
