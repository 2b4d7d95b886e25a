import {
  expect,
  ownershipOf,
  test,
  typesOf,
  verifies,
  type Answer,
  type Delivery,
  type Given,
  type Ownership,
} from '../../suite/index.ts';
import type { Webhooks } from '../../suite/webhooks.ts';
import { ACTIVE, checkedLive, PENDING, proven, UNVERIFIED } from '../support/accounts.ts';
import { ACCOUNT_EVENT, accountsIn, laterEvent, expectTold, names } from '../support/events.ts';

const OUTCOMES = [
  ['EVENT-ACCOUNT-ACTIVE', ACTIVE, {}, 'PASSED'],
  ['EVENT-ACCOUNT-UNVERIFIED', UNVERIFIED, { anotherWallet: true }, 'FAILED'],
] as const;

for (const [rule, status, tamper, liveness] of OUTCOMES)
  for (const [by, verified, isOnOwnPlatform] of [
    ['', (ownership: Ownership) => proven(ownership, tamper)],
    [' on a platform of its own', (ownership: Ownership) => proven(ownership, tamper), true],
    [
      ' by a hosted liveness check',
      (ownership: Ownership, given: Given) => checkedLive(given, ownership, liveness),
    ],
  ] as const)
    test(
      `an account that becomes ${status}${by} is told, and the event carries it with its new status`,
      verifies(rule, 'EVENT-ACCOUNT-PAYLOAD'),
      async ({ given, need, webhooks, check, observe }) => {
        const { ownership, webhook } = await watched(given, webhooks, isOnOwnPlatform);
        const before = webhook.of(ACCOUNT_EVENT).length;
        const attempt = await verified(ownership, given);
        const { status: became, answer: shown } = attempt.after;
        need.that(became === status, `the account became ${became}, not ${status}`);
        const first = 'verified' in attempt ? attempt.verified : attempt.before.answer;
        const told = await expectTold({ check, need }, rule, {
          webhook,
          events: ACCOUNT_EVENT,
          before,
          what: ACCOUNT_EVENT,
          since: [first, shown],
          sibling: async () => {
            const other = await watched(given, webhooks, isOnOwnPlatform);
            await proven(other.ownership, status === ACTIVE ? { anotherWallet: true } : {});
            return other.webhook.until(ACCOUNT_EVENT);
          },
        });
        const emitted = {
          [`ownership verification${by} to ${status}`]: told.length > 0 ? ACCOUNT_EVENT : 'none',
        };
        observe('operations-that-emit-events', emitted, first);

        const ofAccount = (event: Delivery) =>
          typesOf(event).includes(ACCOUNT_EVENT) && names(event, ownership.accountId);
        const shows = (event: Delivery) => event.text.includes(status);
        // An account may pass through states that are not shown, and each is told: the one that counts may come later.
        await webhook.until((event) => ofAccount(event) && shows(event));
        const events = webhook.of(ACCOUNT_EVENT);
        const last = need.offered(events.at(-1), 'the event did not come');
        const own = webhook.of(ofAccount);
        const named = () => expect(own.length, 'events that name the account').toBeGreaterThan(0);
        await check('EVENT-ACCOUNT-PAYLOAD', named, answersOf(events));
        const accounts = own.flatMap(accountsIn);
        const fields = accounts[0] ? Object.keys(accounts[0]) : 'no account that could be recognised';
        observe('external-account-event-payload', fields, last.answer);
        if (own.length === 0) return;
        // "Not detailed beyond the external account": where its status stands is not shown.
        const isShown = accounts.some((account) => account['status'] === status) || own.some(shows);
        need.offered(
          accounts.length > 0 || isShown,
          'no status of the account could be recognised in the event',
        );
        const showsStatus = () => expect(isShown, `an event shows the status ${status}`).toBe(true);
        // One that shows neither the status before nor the new one tells of a state on the way: the change itself is not told.
        const isOnTheWay = accounts.some(
          ({ status: seen }) => typeof seen === 'string' && seen !== PENDING && seen !== status,
        );
        await check(isOnTheWay && !isShown ? rule : 'EVENT-ACCOUNT-PAYLOAD', showsStatus, answersOf(own));
      },
    );

test(
  "the event of one platform's account is not told to another platform",
  verifies('AUTH-OTHER-PLATFORM'),
  async ({ given, need, webhooks, check }) => {
    const other = await watched(given, webhooks, true);
    const { ownership, webhook } = await watched(given, webhooks, true);
    const of = (platform: Ownership) => platform.customer.state.clientId;
    need.offered(of(other.ownership) !== of(ownership), 'the state gives no second platform');
    await proven(ownership);
    const isOf = (event: Delivery) => names(event, ownership.accountId);
    need.offered((await webhook.until(isOf)).length > 0, 'the event did not come');
    // Sent later, so that what came before it would be there.
    await proven(other.ownership);
    const own = await other.webhook.until((event) => names(event, other.ownership.accountId));
    need.offered(own.length > 0, 'the event of the other platform did not come');
    const foreign = other.webhook.of(isOf);
    const isNone = () => expect(foreign.length, "events of the first platform's account").toBe(0);
    await check('AUTH-OTHER-PLATFORM', isNone, answersOf([...own, ...foreign]));
  },
);

test(
  'asking for a challenge is not told, as it changes no status',
  verifies('EVENT-ACCOUNT-ONLY-ON-CHANGE'),
  async ({ given, need, webhooks, check }) => {
    const { ownership, webhook } = await watched(given, webhooks);
    const before = need.offered(await ownership.look(), 'this target offers no read of an external account');
    // What still comes from before the challenge is none of its events: one that is sent now has to arrive first.
    const arrives = await laterEvent(webhook, need);
    const known = webhook.of(ACCOUNT_EVENT).length;
    const challenge = await ownership.challenge();
    need(challenge).available();
    const told = await webhook.afterwards(ACCOUNT_EVENT);
    const isTold = told.length > known;
    // An event says that something has changed: reads may show it later.
    const after = need.offered(
      isTold ? await ownership.until((status) => status !== before.status) : await ownership.look(),
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

/** An account whose ownership is to be verified, and where its events come to. */
async function watched(given: Given, webhooks: Pick<Webhooks, 'receive'>, isOnOwnPlatform = false) {
  const ownership = ownershipOf(
    await given.customer({ ownership: 'PENDING', ...(isOnOwnPlatform && { ownPlatform: true }) }),
  );
  const { state } = ownership.customer;
  if (!isOnOwnPlatform) return { ownership, webhook: await webhooks.receive(state) };
  // The endpoint of the platform, and not one for this customer.
  const { clientId, clientSecret } = state;
  given.ownPlatform(state);
  return { ownership, webhook: await webhooks.receive({ clientId, clientSecret }) };
}

function answersOf(events: readonly Delivery[]): readonly Answer[] {
  return events.map(({ answer }) => answer);
}
