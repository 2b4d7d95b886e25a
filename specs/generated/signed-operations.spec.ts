import {
  expect,
  signedOperations,
  succeeded,
  survey,
  test,
  verifies,
  type Answer,
  type PreparedRequest,
  type ReadBack,
  type SignedOperation,
  type Walk,
  type Wallet,
} from '../../suite/index.ts';
import type { Body } from '../../generators/mistakes.ts';
import { RETRY_MISTAKES } from './models/retry-mistakes.ts';

/** The rule that the signed retry of an operation completes it. */
const COMPLETES: Readonly<Record<string, string>> = {
  'RETRY-CREDENTIAL-CREATE': 'CREDENTIAL-FURTHER-CREATED',
  'RETRY-CREDENTIAL-REVOKE': 'CREDENTIAL-REVOKE-COMPLETES',
  'RETRY-OTP-VERIFY': 'VERIFY-EMAIL-OTP-ACCEPTED',
  'RETRY-SESSION-REFRESH': 'SESSION-REFRESH-COMPLETES',
  'RETRY-SESSION-REVOKE': 'SESSION-REVOKE-COMPLETES',
  'RETRY-WALLET-EXPORT': 'WALLET-EXPORT-COMPLETES',
  'RETRY-WALLET-PRIVACY': 'WALLET-PRIVACY-COMPLETES',
  'RETRY-CUSTOMER-EMAIL': 'CUSTOMER-EMAIL-COMPLETES',
};
/** The field of the request that is seen as the value of what was looked at. */
const READ_BACK: Readonly<Record<string, string>> = {
  'RETRY-WALLET-PRIVACY': 'privateEnabled',
  'RETRY-CUSTOMER-EMAIL': 'email',
};
/** Tried by each operation that the interface names without a path; the others meet all of them elsewhere. */
const SAMPLE = 4;

for (const operation of signedOperations) {
  const { name, rule, assumes } = operation;
  const mistakes =
    assumes.length === 0
      ? []
      : RETRY_MISTAKES.filter((_, at) => at % Math.ceil(RETRY_MISTAKES.length / SAMPLE) === 0);
  const completes = COMPLETES[rule] as string;

  test(
    `${name}: asked for first, done once, for its own account`,
    verifies(
      rule,
      completes,
      'RETRY-FIRST-CALL-CHANGES-NOTHING',
      'RETRY-REQUEST-ID-NEW',
      'RETRY-EXPIRES-AT',
      'RETRY-REQUEST-ID-SINGLE-USE',
      'RETRY-BOUND-TO-ACCOUNT',
      ...new Set(mistakes.map((one) => one.rule)),
    ),
    async ({ given, check }) => {
      given.unshared('prepared wallets are shared between tests');
      const make = async () => (await given.signedIn(operation.signsInWith)).wallet;
      const ways: Readonly<Record<string, (on: Walk, wallet: Wallet) => Promise<void>>> = {
        async 'the first call alone'(on, wallet) {
          const attempt = await wallet.prepare(operation);
          const before = await attempt.readBack?.();
          const { first, challenge } = await attempt.send({ times: 0 });
          on.told(first);
          await on.hold(
            rule,
            () => {
              expect(first).toHaveHttpStatus(202);
              for (const secret of ['encryptedSessionSigningKey', 'encryptedWalletCredentials'])
                expect(first.body).not.toHaveProperty(secret);
            },
            { assumes },
          );
          on.must(challenge, 'the first call gives nothing that can be signed');
          await on.hold('RETRY-EXPIRES-AT', () =>
            expect(first).toExpireAfter(wallet.clock.earliestNow(first)),
          );
          await unchanged(on, before, await attempt.readBack?.(), first);
        },
        async 'the signed retry, and once more'(on, wallet) {
          const attempt = await wallet.prepare(operation);
          const done = await attempt.send({ times: 2 });
          on.told(done.first);
          const served = on.must(done.challenge, 'the first call gives nothing that can be signed');
          const [right, again] = done.retries;
          const answer = on.told(on.must(right, 'nothing was retried'));
          await on.hold(
            completes,
            () => {
              expect(answer).toBeAccepted();
              expect(answer.status, 'the signed retry asks for a signature again').not.toBe(202);
            },
            { assumes },
          );
          // The same request may get the same requestId, but not one that has served.
          const anew =
            attempt.request &&
            (await wallet.begin({ ...attempt.request, label: `${attempt.name}, begun anew` }));
          if (anew) on.told(anew.first);
          if (anew?.challenge)
            await on.hold(
              'RETRY-REQUEST-ID-NEW',
              () => expect(anew.challenge?.requestId.toLowerCase()).not.toBe(served.requestId.toLowerCase()),
              [anew.first],
            );
          const field = READ_BACK[rule];
          const after = field === undefined ? undefined : await attempt.readBack?.();
          if (field !== undefined && after?.value !== undefined)
            await on.hold(
              completes,
              () => expect(after.value, field).toBe((attempt.request?.body as Body | undefined)?.[field]),
              { evidence: [answer, after.answer], assumes },
            );
          if (!again) return;
          on.told(again);
          on.must(again.status !== 404, 'what the retry was about is not found any more');
          await on.hold('RETRY-REQUEST-ID-SINGLE-USE', () => expect(again).toBeRefused(400, 401));
        },
        async 'with the requestId of another account'(on, wallet) {
          const elsewhere = await (await (await make()).prepare(operation)).send({ times: 0 });
          const foreign = on.must(elsewhere.challenge, 'there is nothing to sign elsewhere');
          const attempt = await wallet.prepare(operation);
          const misused = await attempt.send({
            label: 'with a requestId of another account',
            tamper: { requestId: foreign.requestId, payload: () => foreign.payloadToSign },
          });
          on.must(misused.retries.length > 0, 'there was no signed retry');
          on.told(misused.answer);
          await controlled(on, wallet, operation);
          await on.hold('RETRY-BOUND-TO-ACCOUNT', () => expect(misused.answer).toBeRefused());
        },
        ...Object.fromEntries(
          mistakes.map((mistake) => [
            mistake.says,
            async (on: Walk, wallet: Wallet) => {
              const attempt = await wallet.prepare(operation);
              const { first, challenge } = await attempt.send({ times: 0 });
              on.told(first);
              const held = on.must(challenge, 'the first call gives nothing that can be signed');
              const tamper = on.must(
                mistake.tampering(wallet, held.payloadToSign),
                'this mistake leaves the payload as it is',
              );
              const wrong = await attempt.send({ label: mistake.says, tamper });
              on.must(wrong.retries.length > 0, 'there was no signed retry');
              on.told(wrong.answer);
              await controlled(on, wallet, operation);
              await on.hold(mistake.rule, () => mistake.expected(wrong.answer));
            },
          ]),
        ),
      };
      await survey(check, Object.keys(ways), async (way, on) => {
        await on.must(ways[way], 'there is no such way')(on, await make());
      });
    },
  );
}

/** The control, last: the same operation with nothing wrong. */
async function controlled(on: Walk, wallet: Wallet, operation: SignedOperation): Promise<void> {
  const prepared: PreparedRequest = await wallet.prepare(operation);
  const right = await prepared.send({ label: 'with nothing wrong' });
  on.must(right.retries[0] && succeeded(right.retries[0]), 'the control was refused');
}

async function unchanged(
  on: Walk,
  before: ReadBack | undefined,
  after: ReadBack | undefined,
  first: Answer,
): Promise<void> {
  if (before?.value === undefined || after?.value === undefined) return;
  await on.hold(
    'RETRY-FIRST-CALL-CHANGES-NOTHING',
    () => expect(after.value, 'after the first call').toEqual(before.value),
    [first, after.answer],
  );
}
