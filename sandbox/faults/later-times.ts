import type { Replacements } from '../areas/behaviour.ts';
import { externalAccounts } from '../areas/accounts/records.ts';
import { traitsOf } from '../areas/customers/records.ts';
import { passkeyChallenges, sessions } from '../areas/credentials/records.ts';
import { counterpartyOf, quotes, sourceAccountId } from '../areas/quotes/records.ts';
import { giving } from '../areas/replacements.ts';
import type { Payment } from '../areas/transfers/records.ts';
import type { JsonObject } from '../server/json.ts';
import { Refusal } from '../server/refusal.ts';
import { outside } from '../world/ledger.ts';
import { mintId, type World } from '../world/world.ts';
import { breaking, fault, shown } from './fault.ts';

const EXCHANGE = outside('exchange');

const counts = new WeakMap<World, Map<string, number>>();

/** How often this has happened in a world, this time included. @param what with whom it happens to */
export function times(world: World, ...what: readonly string[]): number {
  const own = counts.get(world) ?? new Map<string, number>();
  const count = (own.get(what.join(' ')) ?? 0) + 1;
  counts.set(world, own.set(what.join(' '), count));
  return count;
}

/** The nickname of an account's first identity. */
const firstNicknames = new Map<string, JsonObject[string]>();

/** What is right the first time, and wrong the second, the third or in a later look. */
export const laterTimesFaults = [
  fault('later-quotes-take-what-the-first-took', 'QUOTE-DEBIT-IS-TOTAL', {
    settleQuote: (original) => (world, quote) => {
      original(world, quote);
      const to = sourceAccountId(quote);
      const paid = quotes
        .all(world)
        .find((one) => one.customerId === quote.customerId && one.status === 'COMPLETED');
      const tooMuch = quote.totalSendingAmount - (paid ?? quote).totalSendingAmount;
      if (quote.status !== 'COMPLETED' || to === undefined || tooMuch <= 0n) return;
      const { sendingCurrency: currency, id: reason } = quote;
      world.ledger.post({ from: EXCHANGE, to, amount: tooMuch, currency, reason });
    },
  }),
  fault('third-quote-takes-nothing', 'QUOTE-DEBIT-IS-TOTAL', {
    settleQuote: (original) => (world, quote) => {
      original(world, quote);
      const to = sourceAccountId(quote);
      if (quote.status !== 'COMPLETED' || to === undefined) return;
      const { totalSendingAmount: amount, sendingCurrency: currency, id: reason } = quote;
      if (times(world, 'settled', quote.customerId) === 3)
        world.ledger.post({ from: EXCHANGE, to, amount, currency, reason });
    },
  }),
  fault('fees-given-back-a-moment-later', 'QUOTE-DEBIT-IS-TOTAL', {
    settleQuote: (original) => (world, quote) => {
      original(world, quote);
      const to = sourceAccountId(quote);
      if (quote.status !== 'COMPLETED' || to === undefined) return;
      const { platformFee, serviceFixedFee, sendingCurrency: currency, id: reason } = quote;
      const amount = platformFee + serviceFixedFee;
      const giveBack = () => world.ledger.post({ from: EXCHANGE, to, amount, currency, reason });
      if (amount > 0n) setTimeout(giveBack, 50);
    },
  }),
  fault('third-transfer-out-takes-nothing', 'TRANSFER-DEBITS-SOURCE', {
    deliverMoney: (original) => (world, action) => {
      original(world, action);
      const { sourceAccountId: to, amount, currency } = action.transfer!;
      if (action.type === 'TRANSFER_OUT' && times(world, 'delivered', action.agentId) === 3)
        world.ledger.post({ from: EXCHANGE, to, amount, currency, reason: action.id });
    },
  }),
  fault('second-approval-leaves-pending', 'ACTION-APPROVE-APPROVES', {
    approveAction: (original) => (world, action) => {
      if (times(world, 'approved', action.agentId) !== 2) original(world, action);
    },
  }),
  fault('second-approval-moves-money-twice', 'ACTION-APPROVE-MONEY-ONCE', {
    approveAction: (original) => (world, action) => {
      original(world, action);
      if (times(world, 'approved', action.agentId) === 2 && action.type === 'TRANSFER_OUT')
        world.behaviour.moveMoney(action);
    },
  }),
  fault('second-transfer-in-brings-nothing', 'TRANSFER-IN-DETAILS-DIRECTION', {
    deliverMoney: (original) => (world, action) => {
      const isSecond = action.type === 'TRANSFER_IN' && times(world, 'pulled', action.agentId) === 2;
      if (!isSecond) original(world, action);
    },
  }),
  fault('second-end-of-a-session-without-effect', 'STAMP-REVOKED-SESSION', {
    endSession: (original) => (world, session) => {
      if (times(world, 'ended', session.accountId) !== 2) original(world, session);
    },
  }),
  fault('second-refund-not-told', ['EVENT-REFUND-PENDING', 'EVENT-REFUND-COMPLETED', 'EVENT-REFUND-FAILED'], {
    tell: (original) => (world, customerId, type, data) => {
      const isRefund = type.startsWith('INCOMING_PAYMENT.');
      if (!isRefund || times(world, type, customerId) !== 2) original(world, customerId, type, data);
    },
  }),
  fault('second-quote-waits-for-no-authorization', 'SCA-CHALLENGE-REQUIRED', {
    quoteNeedsAuthorization: giving(
      (needs, world, quote) => needs && times(world, 'to be authorized', quote.customerId) !== 2,
    ),
  }),
  fault('verified-account-takes-one-payment', 'ACCOUNT-VERIFIED-USABLE', {
    ownershipSuffices: (original) => (world, payment) => {
      original(world, payment);
      if (!world.behaviour.ownershipNeeded('ACTIVE', payment)) return;
      if (isOneMore(world, payment, 'ACTIVE')) throw world.behaviour.refuseUnverified();
    },
  }),
  fault('pending-account-takes-one-payment', 'ACCOUNT-PENDING-USABLE', {
    ownershipSuffices: (original) => (world, payment) => {
      original(world, payment);
      if (isOneMore(world, payment, 'PENDING_OWNERSHIP_VERIFICATION'))
        throw world.behaviour.refuseUnverified();
    },
  }),
  fault('consent-lost-with-the-next-update', 'QUOTE-TERMS-ON-FILE', {
    updateCustomer: (original) => (world, customer, change) => {
      original(world, customer, change);
      if (!('endUserTermsConsent' in change)) traitsOf(world, customer.id).hasAcceptedTerms = false;
    },
  }),
  fault('email-changed-once-only', 'CUSTOMER-EMAIL-COMPLETES', {
    updateCustomer: (original) => (world, customer, change) => {
      if ('email' in change && times(world, 'email', customer.id) > 1) return;
      original(world, customer, change);
    },
  }),
  fault('privacy-not-taken-away-a-second-time', 'WALLET-PRIVACY-COMPLETES', {
    setPrivacy: (original) => (world, account, enabled) => {
      if (enabled || times(world, 'opened', account.id) < 2) original(world, account, enabled);
    },
  }),
  fault('second-identity-has-the-nickname-of-the-first', 'CREDENTIAL-OAUTH-NICKNAME', {
    ...shown('presentCredential', (credential) => {
      if (credential['type'] !== 'OAUTH') return credential;
      const account = String(credential['accountId']);
      if (!firstNicknames.has(account)) firstNicknames.set(account, credential['nickname']);
      return { ...credential, nickname: firstNicknames.get(account) };
    }),
  }),
  fault('passkey-login-lasts-90-days', 'SCA-SESSION-LASTS', {
    completeScaLogin: (original) => async (world, customer, body) => {
      const until = await original(world, customer, body);
      const isCode = body['code'] !== undefined;
      if (!isCode) world.behaviour.openScaSession(customer, until - 90 * 86_400_000);
      return until;
    },
  }),
  fault('listed-actions-of-another-customer', 'ACTION-CUSTOMER-ID-CALLER', {
    ...shown('presentListedAction', (action, world) => ({
      ...action,
      customerId: mintId(world, 'Customer'),
    })),
  }),
  ...breaking('QUOTE-RATE-LOCKED', {
    'amount-received-shrinks-with-the-execution': executedQuote(receivesOneLess),
    'amount-received-shrinks-when-it-is-paid-out': executedQuote(receivesOneLess, ['COMPLETED']),
  }),
  fault('credential-created-whenever-it-is-shown', 'CREDENTIAL-CREATED-AT', {
    ...shown('presentCredential', (credential, world) => ({
      ...credential,
      createdAt: world.behaviour.presentTime(world.clock.now()),
    })),
  }),
  fault('quote-created-anew-with-the-execution', 'QUOTE-CREATED-AT', {
    ...executedQuote(({ expiresAt }) => ({ createdAt: expiresAt })),
  }),
  fault('platform-fees-come-with-the-execution', ['QUOTE-FEES-LOCKED', 'QUOTE-PLATFORM-FEE-ZERO'], {
    ...executedQuote(({ platformFeesIncluded }) => ({
      platformFeesIncluded: (platformFeesIncluded as bigint) + 1n,
    })),
  }),
  fault('fees-grow-with-the-execution', 'QUOTE-FEES-LOCKED', {
    ...executedQuote((quote) => ({ feesIncluded: (quote['feesIncluded'] as bigint) + 1n })),
  }),
  fault('quote-with-realtime-funding-expired-before-it-was-made', 'QUOTE-EXPIRES-AFTER-CREATION', {
    presentQuote: (original) => (world, quote) => ({
      ...original(world, quote),
      ...(quote.source['sourceType'] === 'REALTIME_FUNDING'
        ? { expiresAt: world.behaviour.presentTime(quote.createdAt - 60_000) }
        : {}),
    }),
  }),
  fault('later-login-prolongs-a-session', 'STAMP-EXPIRED-SESSION', {
    sessionEndsAt: (original) => (world, session) =>
      prolonged(
        original(world, session),
        sessions.all(world).filter(({ accountId }) => accountId === session.accountId),
      ),
  }),
  fault('later-challenge-prolongs-a-passkey-challenge', 'VERIFY-PASSKEY-EXPIRED', {
    challengeEndsAt: (original) => (world, challenge) =>
      'credentialId' in challenge
        ? prolonged(
            original(world, challenge),
            passkeyChallenges.all(world).filter((one) => one.credentialId === challenge.credentialId),
          )
        : original(world, challenge),
  }),
  fault(
    'second-ask-for-a-code-goes-through',
    ['CONTACT-EMAIL-NOT-APPLICABLE', 'CONTACT-PHONE-NOT-APPLICABLE'],
    {
      contactApplies: (original) => (world, customer, channel, step) =>
        step === 'confirm' || times(world, 'contact', customer.id, channel) === 1
          ? original(world, customer, channel, step)
          : undefined,
    },
  ),
  fault('second-login-outside-sca-answers-400', 'SCA-LOGIN-NOT-APPLICABLE', {
    refuseScaNotApplicable: (original) => (world) =>
      times(world, 'outside SCA') % 2 === 1
        ? original(world)
        : new Refusal(400, 'INVALID_INPUT', 'No login.'),
  }),
];

/** The end of what any later one of its kind prolongs for ever. */
function prolonged(end: number, others: readonly { readonly expiresAt: number }[]): number {
  return others.some(({ expiresAt }) => expiresAt > end) ? Infinity : end;
}

/** Whether an account of this status has been paid before: a payment is looked at when it is quoted and when it is executed. */
function isOneMore(world: World, payment: Payment, status: string): boolean {
  const account = externalAccounts.get(world, counterpartyOf(payment));
  return account?.status === status && times(world, 'paid', account.id) > 2;
}

function receivesOneLess(quote: JsonObject): JsonObject {
  return { totalReceivingAmount: (quote['totalReceivingAmount'] as bigint) - 1n };
}

/** A quote that shows something else from its execution on. */
function executedQuote(
  change: (quote: JsonObject) => JsonObject,
  statuses: readonly string[] = ['PROCESSING', 'COMPLETED'],
): Replacements {
  return shown('presentQuote', (quote) =>
    statuses.includes(String(quote['status'])) ? { ...quote, ...change(quote) } : quote,
  );
}
