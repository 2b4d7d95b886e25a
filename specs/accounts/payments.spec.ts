import {
  expect,
  ownershipOf,
  pay,
  succeeded,
  test,
  verifies,
  type Answer,
  type Given,
  type Payment,
} from '../../suite/index.ts';
import { ACTIVE, proven, UNVERIFIED } from '../support/accounts.ts';
import { expectNotRefused, needAsAsked, needCount, needSend, RECEIVED_IS_LOCKED } from '../support/quotes.ts';

/** From this amount on the destination's ownership must be verified, in the smallest unit of the sending currency. */
const THRESHOLD = 50_000;
const ABOVE = THRESHOLD * 2;
const CODE = 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED';

for (const [where, amount] of [
  ['just', THRESHOLD - 1],
  ['far', THRESHOLD / 10],
] as const)
  test(
    `an account in PENDING_OWNERSHIP_VERIFICATION takes a payment ${where} below the threshold`,
    verifies('ACCOUNT-PENDING-USABLE'),
    async ({ given, check }) => {
      needCount(await needPayVerified(given, amount));
      const customer = await pendingCustomer(given);
      const payment = await pay(customer, amount, `a payment ${where} below the threshold`);
      await check('ACCOUNT-PENDING-USABLE', () => expect(payment.last).toBeAccepted(), [payment.quoted]);
      await check(
        'ACCOUNT-PENDING-USABLE',
        () => expect(payment.outcome, 'what the payment came to').not.toBe('not executed'),
        [payment.last],
      );
      // What counts towards a threshold is not shown: it may be the sum.
      if (payment.outcome === 'not executed' || 4 * amount > THRESHOLD) return;
      const second = await pay(customer, amount, `a second payment ${where} below the threshold`);
      await check('ACCOUNT-PENDING-USABLE', () => expectNotRefused(second), [second.quoted, second.last]);
    },
  );

test(
  'a payment above the threshold to a destination that is not verified is refused',
  verifies('ACCOUNT-VERIFICATION-REQUIRED'),
  async ({ given, need, check, observe }) => {
    await needPayVerified(given, ABOVE);
    const customer = await pendingCustomer(given);
    need((await pay(customer, THRESHOLD / 10, 'a payment below the threshold')).quoted).accepted();
    for (const time of ['', ', once more']) {
      const over = await pay(customer, ABOVE, `a payment above the threshold${time}`);
      await check('ACCOUNT-VERIFICATION-REQUIRED', () => expectRefusal(over.last));
    }
    const at = await pay(customer, THRESHOLD, 'a payment of exactly the threshold');
    observe(
      'ownership-threshold',
      { threshold: THRESHOLD, exactly: at.outcome === 'executed' ? 'not refused' : at.last.outcome },
      at.last,
    );
  },
);

test(
  'a payment above the threshold is refused where the amount received is locked, too',
  verifies('ACCOUNT-VERIFICATION-REQUIRED'),
  async ({ given, check }) => {
    const verified = await given.customer({ ownership: 'ACTIVE', limits: { ownershipThreshold: THRESHOLD } });
    const what = 'an amount to be received that sends more than the threshold';
    const control = await pay(verified, ABOVE, `${what}, to a verified destination`, RECEIVED_IS_LOCKED);
    needSend(control, THRESHOLD * 1.5);
    const customer = await pendingCustomer(given);
    needSend(await pay(customer, THRESHOLD / 10, 'a small amount to be received', RECEIVED_IS_LOCKED), 0);
    const over = await pay(customer, ABOVE, what, RECEIVED_IS_LOCKED);
    await check('ACCOUNT-VERIFICATION-REQUIRED', () => expectRefusal(over.last));
  },
);

test(
  'a payment above the threshold to a destination that failed its verification is refused',
  verifies('ACCOUNT-VERIFICATION-REQUIRED'),
  async ({ given, need, check, observe }) => {
    await needPayVerified(given, ABOVE);
    const customer = await pendingCustomer(given);
    const { after } = await proven(ownershipOf(customer), { anotherWallet: true });
    need.that(after.status === UNVERIFIED, 'the verification did not fail');
    const over = await pay(
      customer,
      ABOVE,
      'a payment above the threshold to an account that failed its verification',
    );
    // What else an UNVERIFIED account is refused for is open, and so is the code.
    await check('ACCOUNT-VERIFICATION-REQUIRED', () => expect(over.last).toBeRefused());
    observe('ownership-after-unverified', { 'above the threshold': over.last.outcome }, over.last);
  },
);

test(
  'a payment that was refused for want of verification is not, once the account is ACTIVE',
  verifies('ACCOUNT-VERIFIED-USABLE'),
  async ({ given, need, check }) => {
    await needPayVerified(given, ABOVE);
    const customer = await pendingCustomer(given);
    need((await pay(customer, THRESHOLD / 10, 'a payment below the threshold')).quoted).accepted();
    const before = await pay(customer, ABOVE, 'a payment above the threshold');
    need(before.last).refused();
    const { after } = await proven(ownershipOf(customer));
    need.that(after.status === ACTIVE, 'the ownership was not verified');
    const again = await pay(customer, ABOVE, 'the same payment to the verified account');
    await check('ACCOUNT-VERIFIED-USABLE', () => expectNotRefused(again), [again.quoted, again.last]);
    const third = await pay(customer, ABOVE, 'the same payment to the verified account, once more');
    await check('ACCOUNT-VERIFIED-USABLE', () => expectNotRefused(third), [third.quoted, third.last]);
  },
);

test(
  'a payment to an account that was verified is not refused for want of verification',
  verifies('ACCOUNT-VERIFIED-USABLE'),
  async ({ given, need, check }) => {
    // Whatever the target's own threshold is.
    const customer = await given.customer({ ownership: 'PENDING' });
    const { after } = await proven(ownershipOf(customer));
    need.that(after.status === ACTIVE, 'the ownership was not verified');
    for (const amount of [THRESHOLD / 10, ABOVE]) {
      const { quoted, last } = await pay(customer, amount, `a payment of ${amount} to the verified account`);
      // In a region with SCA it waits for the payer.
      const waits = succeeded(quoted) && quoted.body.status === 'PENDING_AUTHORIZATION';
      const answer = waits ? quoted : last;
      const isForWant = answer.exchange.response?.status === 400 && answer.code === CODE;
      if (!isForWant) need(answer).accepted();
      await check('ACCOUNT-VERIFIED-USABLE', () => expect(answer).not.toHaveCode(CODE));
    }
  },
);

/** A customer whose destination's ownership is not verified yet. */
function pendingCustomer(given: Given) {
  return given.customer({ ownership: 'PENDING', limits: { ownershipThreshold: THRESHOLD } });
}

/** The control: the same amount to a verified destination, by a customer with the same limits. */
async function needPayVerified(given: Given, amount: number): Promise<Payment> {
  const customer = await given.customer({ ownership: 'ACTIVE', limits: { ownershipThreshold: ABOVE * 2 } });
  const payment = await pay(customer, amount, 'the same amount to a verified destination');
  const { need } = payment;
  need(payment.quoted).accepted();
  needAsAsked(payment);
  if (payment.executed) need(payment.executed).available();
  need.that(
    payment.outcome !== 'not executed',
    'the control was not executed, so what follows proves nothing',
  );
  return payment;
}

function expectRefusal(answer: Answer): void {
  expect(answer).toBeRefused(400);
  expect(answer).toHaveCode(CODE);
}
