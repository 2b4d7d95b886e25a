import {
  expect,
  ownershipOf,
  test,
  verifies,
  type Given,
  type Need,
  type Ownership,
  type Webhook,
} from '../../suite/index.ts';
import { ACTIVE, proven, UNVERIFIED } from '../accounts/support/proven.ts';
import { ACCOUNT_EVENT, accountIn, names } from './support/account-in.ts';

const OUTCOMES = [
  ['EVENT-ACCOUNT-ACTIVE', ACTIVE, {}],
  ['EVENT-ACCOUNT-UNVERIFIED', UNVERIFIED, { anotherWallet: true }],
] as const;

for (const [rule, status, bend] of OUTCOMES) {
  test(
    `an account that becomes ${status} is told`,
    verifies(rule),
    async ({ given, need, webhooks, check, observe }) => {
      const { ownership, webhook } = await watched(given, need, webhooks);
      const { verified, after } = await proven(ownership, need, bend);
      need.that(after.status === status, `the account became ${after.status}, not ${status}`);
      const told = await webhook.until(ACCOUNT_EVENT);
      const arrives = need.offered(
        await webhook.works(),
        'no event reaches this machine, so none that is missing proves anything',
      );
      await check(rule, () => expect(told.length, `events ${ACCOUNT_EVENT}`).toBeGreaterThan(0), [
        verified,
        after.answer,
        told[0]?.answer ?? arrives,
      ]);
      observe(
        'operations-that-emit-events',
        { [`ownership verification to ${status}`]: told.length > 0 ? ACCOUNT_EVENT : 'none' },
        verified,
      );
    },
  );

  test(
    `the event of an account that becomes ${status} carries the account with its new status`,
    verifies('EVENT-ACCOUNT-PAYLOAD'),
    async ({ given, need, webhooks, check, observe }) => {
      const { ownership, webhook } = await watched(given, need, webhooks);
      const { after } = await proven(ownership, need, bend);
      need.that(after.status === status, `the account became ${after.status}, not ${status}`);
      const [event] = await webhook.until(ACCOUNT_EVENT);
      const delivery = need.offered(event, 'the event did not come');
      await check(
        'EVENT-ACCOUNT-PAYLOAD',
        () => expect(names(delivery, ownership.accountId), 'the event names the account').toBe(true),
        [delivery.answer],
      );
      const account = accountIn(delivery);
      // "Not detailed beyond the external account": where its status stands is not shown.
      const shown = account ? account['status'] : delivery.text.includes(status) ? status : undefined;
      await check('EVENT-ACCOUNT-PAYLOAD', () => expect(shown, 'the status in the event').toBe(status), [
        delivery.answer,
      ]);
      observe(
        'external-account-event-payload',
        account ? Object.keys(account) : 'no account that could be recognised',
        delivery.answer,
      );
    },
  );
}

test(
  'a change of status is told once',
  verifies('EVENT-ACCOUNT-ONLY-ON-CHANGE'),
  async ({ given, need, webhooks, check }) => {
    const { ownership, webhook } = await watched(given, need, webhooks);
    const { after, verified } = await proven(ownership, need);
    need.that(after.status === ACTIVE, `the account became ${after.status}, not ${ACTIVE}`);
    need.offered((await webhook.until(ACCOUNT_EVENT)).length > 0, 'the event did not come');
    const told = await webhook.watch(ACCOUNT_EVENT, 1);
    // The same event may be delivered twice: only events of their own count, and those are told apart by an id.
    const identified = told.filter(
      ({ answer }) => typeof (answer.body as { id?: unknown } | undefined)?.id === 'string',
    );
    need.offered(
      told.length === 1 || identified.length === told.length,
      'the events carry no id, so one that is repeated cannot be told from a second one',
    );
    await check(
      'EVENT-ACCOUNT-ONLY-ON-CHANGE',
      () => expect(told.length, 'events for one change of status').toBe(1),
      [verified, ...told.map(({ answer }) => answer)],
    );
  },
);

test(
  'asking for a challenge is not told, as it changes no status',
  verifies('EVENT-ACCOUNT-ONLY-ON-CHANGE'),
  async ({ given, need, webhooks, check }) => {
    const { ownership, webhook } = await watched(given, need, webhooks);
    const before = need.offered(await ownership.look(), 'this target offers no read of an external account');
    const challenge = await ownership.challenge();
    need(challenge).available();
    const arrives = need.offered(
      await webhook.works(),
      'no event reaches this machine, so none that is missing proves anything',
    );
    const told = await webhook.watch(ACCOUNT_EVENT, 0);
    const after = need.offered(await ownership.look(), 'the account could not be read again');
    need.that(before.status === after.status, `the status changed from ${before.status} to ${after.status}`);
    await check(
      'EVENT-ACCOUNT-ONLY-ON-CHANGE',
      () => expect(told.length, `events ${ACCOUNT_EVENT} without a change`).toBe(0),
      [challenge, after.answer, told[0]?.answer ?? arrives],
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
  const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }), need);
  const { customerId, clientId, clientSecret } = ownership.customer.state;
  const webhook = await webhooks.receive({
    customerId,
    ...(clientId === undefined || clientSecret === undefined ? {} : { clientId, clientSecret }),
  });
  return { ownership, webhook };
}
