import { randomUUID } from 'node:crypto';
import { expect, signedOperation, signedOperations, test, verifies } from '../../suite/index.ts';

const unknownId = () => `Request:${randomUUID()}`;

for (const operation of signedOperations) {
  test(
    `${operation.name}: a retry without the wallet signature is told so`,
    verifies('STAMP-MISSING'),
    async ({ given, check }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const unsigned = await wallet.signedRetry(operation, {
        label: 'with Request-Id and no signature',
        tamper: { stamp: null },
      });
      await wallet.mustComplete(operation);
      await check('STAMP-MISSING', () =>
        expect(unsigned.answer).toBeUnauthorized('WALLET_SIGNATURE_MISSING'),
      );
    },
  );

  test(
    `${operation.name}: a retry without Request-Id is told so`,
    verifies('RETRY-REQUEST-ID-MISSING'),
    async ({ given, check }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const unnamed = await wallet.signedRetry(operation, {
        label: 'with a signature and no Request-Id',
        tamper: { requestId: null },
      });
      await wallet.mustComplete(operation);
      await check('RETRY-REQUEST-ID-MISSING', () =>
        expect(unnamed.answer).toBeUnauthorized('REQUEST_ID_MISSING'),
      );
    },
  );

  test(
    `${operation.name}: a retry with a Request-Id that was never issued is refused`,
    verifies('RETRY-REQUEST-ID-UNKNOWN'),
    async ({ given, check, observe }) => {
      const { wallet } = await given.signedIn(operation.signsInWith);
      const answers = await wallet.mistakenRetries(operation, [
        { label: 'with an unknown Request-Id', tamper: { requestId: unknownId() } },
        { label: 'with a Request-Id that is none', tamper: { requestId: 'not-a-request-id' } },
      ]);
      await wallet.mustComplete(operation);
      for (const answer of answers) {
        await check('RETRY-REQUEST-ID-UNKNOWN', () => expect(answer).toBeRefused());
        observe('retry-foreign-request-id-answer', answer);
      }
    },
  );
}

const ADDING = signedOperation('RETRY-CREDENTIAL-CREATE');

test(
  'what a failed retry leaves behind',
  verifies('STAMP-MISSING'),
  async ({ given, check, need, observe }) => {
    const { wallet } = await given.signedIn();
    const prepared = await wallet.prepare(ADDING);
    const request = need.that(prepared.request, 'there is no request to send');
    const failed = await wallet.signedRetry(prepared, {
      label: 'with Request-Id and no signature',
      tamper: { stamp: null },
    });
    const right = await wallet.retry(request, failed.challenge, prepared.key);
    observe(
      'retry-failed-attempt',
      right.exchange.response?.status === 201 ? 'its requestId still serves' : 'its requestId is used up',
      failed.answer,
      right,
    );
    await wallet.mustComplete(ADDING);
    await check('STAMP-MISSING', () => expect(failed.answer).toBeRefused());
  },
);

test('which of two mistakes is named first, and how long a retry is open', async ({ given, observe }) => {
  const { wallet } = await given.signedIn();
  const { first } = await (await wallet.prepare(ADDING)).send({ times: 0 });
  const both = await (
    await wallet.prepare(ADDING)
  ).send({
    label: 'with a malformed signature and an unknown Request-Id',
    tamper: { stamp: () => '%%%', requestId: unknownId() },
  });
  observe('stamp-both-mistakes', both.answer);
  const seconds = (Date.parse(String(first.body?.expiresAt)) - wallet.clock.now().getTime()) / 1_000;
  observe('retry-window', `${Math.round(seconds)} s`, first);
  await wallet.mustComplete(ADDING);
});
