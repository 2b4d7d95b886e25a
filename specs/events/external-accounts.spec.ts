import {
  expect,
  ownershipOf,
  test,
  typesOf,
  verifies,
  type Delivery,
  type Given,
  type Need,
  type Ownership,
  type Webhook,
} from '../../suite/index.ts';
import { ACTIVE, checkedLive, proven, UNVERIFIED } from '../support/accounts.ts';
import { ACCOUNT_EVENT, accountsIn, laterEvent, mustBeTold, names } from '../support/events.ts';

const OUTCOMES = [
  ['EVENT-ACCOUNT-ACTIVE', ACTIVE, {}, 'PASSED'],
  ['EVENT-ACCOUNT-UNVERIFIED', UNVERIFIED, { anotherWallet: true }, 'FAILED'],
] as const;

for (const [rule, status, tamper, liveness] of OUTCOMES) {
  test(
    `an account that becomes ${status} is told`,
    verifies(rule),
    async ({ given, need, webhooks, check, observe }) => {
      const { ownership, webhook } = await watched(given, need, webhooks);
      const before = webhook.of(ACCOUNT_EVENT).length;
      const { verified, after } = await proven(ownership, tamper);
      need.that(after.status === status, `the account became ${after.status}, not ${status}`);
      const told = await mustBeTold({ check, need }, rule, {
        webhook,
        events: ACCOUNT_EVENT,
        before,
        what: ACCOUNT_EVENT,
        since: [verified, after.answer],
      });
      observe(
        'operations-that-emit-events',
        { [`ownership verification to ${status}`]: told.length > 0 ? ACCOUNT_EVENT : 'none' },
        verified,
      );
    },
  );

  test(
    `an account that becomes ${status} by a hosted liveness check is told`,
    verifies(rule),
    async ({ given, need, webhooks, check }) => {
      const { ownership, webhook } = await watched(given, need, webhooks);
      const told = webhook.of(ACCOUNT_EVENT).length;
      const { before, after } = await checkedLive(given, ownership, liveness);
      need.that(after.status === status, `the account became ${after.status}, not ${status}`);
      await mustBeTold({ check, need }, rule, {
        webhook,
        events: ACCOUNT_EVENT,
        before: told,
        what: ACCOUNT_EVENT,
        since: [before.answer, after.answer],
      });
    },
  );

  test(
    `the event of an account that becomes ${status} carries the account with its new status`,
    verifies('EVENT-ACCOUNT-PAYLOAD'),
    async ({ given, need, webhooks, check, observe }) => {
      const { ownership, webhook } = await watched(given, need, webhooks);
      const { after } = await proven(ownership, tamper);
      need.that(after.status === status, `the account became ${after.status}, not ${status}`);
      const ofAccount = (event: Delivery) =>
        typesOf(event).includes(ACCOUNT_EVENT) && names(event, ownership.accountId);
      const shows = (event: Delivery) => event.text.includes(status);
      // An account may pass through states that are not shown, and each is told: the one that counts may come later.
      await webhook.until((event) => ofAccount(event) && shows(event));
      const events = webhook.of(ACCOUNT_EVENT);
      const last = need.offered(events.at(-1), 'the event did not come');
      const own = webhook.of(ofAccount);
      await check(
        'EVENT-ACCOUNT-PAYLOAD',
        () => expect(own.length, 'events that name the account').toBeGreaterThan(0),
        events.map(({ answer }) => answer),
      );
      const accounts = own.flatMap(accountsIn);
      observe(
        'external-account-event-payload',
        accounts[0] ? Object.keys(accounts[0]) : 'no account that could be recognised',
        last.answer,
      );
      if (own.length === 0) return;
      // "Not detailed beyond the external account": where its status stands is not shown.
      need.offered(
        accounts.length > 0 || own.some(shows),
        'no status of the account could be recognised in the event',
      );
      await check(
        'EVENT-ACCOUNT-PAYLOAD',
        () =>
          expect(
            accounts.some((account) => account['status'] === status) || own.some(shows),
            `an event shows the status ${status}`,
          ).toBe(true),
        own.map(({ answer }) => answer),
      );
    },
  );
}

test(
  'asking for a challenge is not told, as it changes no status',
  verifies('EVENT-ACCOUNT-ONLY-ON-CHANGE'),
  async ({ given, need, webhooks, check }) => {
    const { ownership, webhook } = await watched(given, need, webhooks);
    const before = need.offered(await ownership.look(), 'this target offers no read of an external account');
    // What still comes from before the challenge is none of its events: one that is sent now has to arrive first.
    const arrives = await laterEvent(webhook, need);
    const known = webhook.of(ACCOUNT_EVENT).length;
    const challenge = await ownership.challenge();
    need(challenge).available();
    const told = await webhook.watch(ACCOUNT_EVENT, known);
    const isTold = told.length > known;
    // An event says that something has changed: reads may show it later.
    const after = need.offered(
      isTold ? await ownership.differs(before.status) : await ownership.look(),
      'the account could not be read again',
    );
    need.offered(
      before.status === after.status,
      `the status changed from ${before.status} to ${after.status}`,
    );
    await check(
      'EVENT-ACCOUNT-ONLY-ON-CHANGE',
      () => expect(told.length - known, `events ${ACCOUNT_EVENT} without a change`).toBe(0),
      [challenge, after.answer, told.at(-1)?.answer ?? arrives],
    );
  },
);

type Receiver = {
  receive(about: { customerId?: string; clientId?: string; clientSecret?: string }): Promise<Webhook>;
};

async function watched(
  given: Given,
  need: Need,
  webhooks: Receiver,
): Promise<{ ownership: Ownership; webhook: Webhook }> {
  const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
  const { customerId, clientId, clientSecret } = ownership.customer.state;
  const webhook = await webhooks.receive({
    customerId,
    ...(clientId === undefined || clientSecret === undefined ? {} : { clientId, clientSecret }),
  });
  return { ownership, webhook };
}
