import {
  expect,
  inTime,
  Ownership,
  ownershipOf,
  pay,
  succeeded,
  test,
  verifies,
  type Answer,
  type Given,
} from '../../suite/index.ts';
import { ACTIVE, checkedLive, ENDS, needPending, proven, UNVERIFIED } from '../support/accounts.ts';

test(
  'a verification that succeeds makes the account ACTIVE by the time it is answered',
  verifies('ACCOUNT-VERIFY-ACTIVE', 'ACCOUNT-VERIFY-SYNCHRONOUS'),
  async ({ given, need, check, observe }) => {
    const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
    const { challenge, verified, atOnce, after } = await proven(ownership);
    need(verified).available();
    // Where the answer of verify shows the account, that is what it has come to. A read beside it may lag behind.
    const shown = ownership.sighting(verified);
    const isOver = ENDS.includes(after.status);
    if (isOver && (shown || atOnce.status === after.status))
      await check(
        'ACCOUNT-VERIFY-SYNCHRONOUS',
        () => {
          const status = shown ? shown.status : atOnce.status;
          expect(status, 'the status when verify had answered').toBe(after.status);
        },
        [verified, atOnce.answer],
      );
    const described = { challenge: describe(challenge), verify: describe(verified) };
    observe('ownership-operations', described, challenge, verified);
    // The form of a signature is not shown: another one may have been expected.
    need.offered(after.status !== UNVERIFIED, 'the signature was not taken in the form that it has here');
    await check('ACCOUNT-VERIFY-ACTIVE', () => expect(after.status).toBe(ACTIVE), [verified, after.answer]);
    observe('external-account-states', after.status, after.answer);
    const fields = Object.keys((after.answer.body as object | undefined) ?? {});
    observe('external-account-fields', fields, after.answer);
    need.that(isOver, 'the account has no new status, so it is not known when it would have one');
  },
);

for (const [what, tamper] of [
  ['over another message', { anotherMessage: true }],
  ['by another wallet', { anotherWallet: true }],
  // What is no signature at all may be called an invalid request, and be no attempt.
  ['of zeros', { noWallet: true }],
] as const)
  test(
    `a signature ${what} does not make the account ACTIVE, but UNVERIFIED`,
    verifies('ACCOUNT-VERIFY-WRONG-SIGNATURE', 'ACCOUNT-VERIFY-UNVERIFIED'),
    async ({ given, check, observe }) => {
      await needVerify(given);
      const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
      const { verified, after } = await proven(ownership, tamper);
      observe('ownership-failed-verify-answer', verified);
      const evidence = [verified, after.answer];
      const failed = await check(
        'ACCOUNT-VERIFY-WRONG-SIGNATURE',
        () => expect(after.status).not.toBe(ACTIVE),
        evidence,
      );
      // Taken for a right one, no attempt has failed.
      if (failed) {
        // Whether it may be tried again is not shown.
        const challenge = await ownership.challenge();
        const again = succeeded(challenge) ? await ownership.verify(challenge, tamper) : undefined;
        const last = again && (await ownership.lookLater());
        if (last)
          await check('ACCOUNT-VERIFY-WRONG-SIGNATURE', () => expect(last.status).not.toBe(ACTIVE), [
            again,
            last.answer,
          ]);
        if ('noWallet' in tamper && !ENDS.includes(after.status)) return;
        await check('ACCOUNT-VERIFY-UNVERIFIED', () => expect(after.status).toBe(UNVERIFIED), evidence);
      }
    },
  );

test(
  'asking for a challenge is no attempt',
  verifies('ACCOUNT-CHALLENGE-CHANGES-NOTHING'),
  async ({ given, need, check }) => {
    const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
    if (!ownership.knowsLateness) await needVerify(given);
    await needPending(ownership);
    for (let turn = 0; turn < 2; turn += 1) need(await ownership.challenge()).available();
    const after = need.offered(await ownership.lookLater(), 'the account could not be read again');
    // Other states are not shown: asking may lead to one of its own.
    await check('ACCOUNT-CHALLENGE-CHANGES-NOTHING', () => expect(after.status).not.toBeOneOf(ENDS), [
      after.answer,
    ]);
  },
);

for (const [outcome, status] of [
  ['PASSED', ACTIVE],
  ['FAILED', UNVERIFIED],
] as const)
  test(
    `a hosted liveness check that ends as ${outcome} makes the account ${status}`,
    verifies('ACCOUNT-LIVENESS'),
    async ({ given, need, check }) => {
      const customer = await given.customer({ ownership: 'PENDING' });
      const externalAccountId = need.offered(
        customer.state.destinationAccountId,
        'the state names no destination account',
      );
      // Nothing is signed here.
      const ownership = new Ownership(customer, externalAccountId, '');
      const { before, after } = await checkedLive(given, ownership, outcome);
      const evidence = [before.answer, after.answer];
      // What has ended the other way is no matter of time.
      await check(
        'ACCOUNT-LIVENESS',
        () => expect(after.status).toBe(status),
        ENDS.includes(after.status) ? evidence : inTime(...evidence),
      );
    },
  );

test('what becomes of an UNVERIFIED account', async ({ given, observe }) => {
  const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
  await proven(ownership, { anotherWallet: true });
  const label = 'a small payment to an account that failed its verification';
  const payment = await pay(ownership.customer, 5_000, label);
  const challenge = await ownership.challenge();
  const second =
    challenge.exchange.response && challenge.accepted ? await ownership.verify(challenge) : undefined;
  const seen = await ownership.look();
  observe(
    'ownership-after-unverified',
    {
      payment: payment.outcome,
      challenge: challenge.outcome,
      verify: second?.outcome ?? 'not sent',
      then: seen?.status ?? 'not shown',
    },
    payment.last,
    challenge,
  );
});

test('what a liveness challenge answers', async ({ given, observe }) => {
  const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
  const challenge = await ownership.challenge('LIVENESS');
  observe('ownership-liveness', describe(challenge), challenge);
});

/** The control of a wrong signature: a right one, of another account, in the same form, verifies. */
async function needVerify(given: Given): Promise<void> {
  const ownership = ownershipOf(await given.customer({ ownership: 'PENDING' }));
  const { after } = await proven(ownership);
  ownership.customer.need.offered(
    after.status === ACTIVE,
    'no signature is known here that verifies the ownership, so a wrong one proves nothing',
  );
}

function describe(answer: Answer): unknown {
  const body: unknown = answer.exchange.response ? answer.body : undefined;
  return {
    status: answer.outcome,
    fields: typeof body === 'object' && body !== null ? Object.keys(body) : 'no JSON',
  };
}
