import { randomUUID } from 'node:crypto';
import { expect, test, verifies } from '../../suite/index.ts';
import { expectUnauthorized, mistaken, mustChallenge, mustComplete } from './support/attempts.ts';
import { signedOperation, signedOperations } from './support/signed-operations.ts';

for (const { name, prepare } of signedOperations) {
  test(
    `${name}: a retry without the wallet signature is told so`,
    verifies('STAMP-MISSING'),
    async ({ given, check, need, profile }) => {
      const situation = await prepare({ given, need, profile });
      for (const answer of await mistaken(need, situation, [
        { says: 'with Request-Id and no signature', bend: { stamp: null } },
      ]))
        await check('STAMP-MISSING', () => expectUnauthorized(answer, 'WALLET_SIGNATURE_MISSING'));
    },
  );

  test(
    `${name}: a retry without Request-Id is told so`,
    verifies('RETRY-REQUEST-ID-MISSING'),
    async ({ given, check, need, profile }) => {
      const situation = await prepare({ given, need, profile });
      for (const answer of await mistaken(need, situation, [
        { says: 'with a signature and no Request-Id', bend: { requestId: null } },
      ]))
        await check('RETRY-REQUEST-ID-MISSING', () => expectUnauthorized(answer, 'REQUEST_ID_MISSING'));
    },
  );

  test(
    `${name}: a retry with a Request-Id that was never issued is refused`,
    verifies('RETRY-REQUEST-ID-UNKNOWN'),
    async ({ given, check, need, observe, profile }) => {
      const situation = await prepare({ given, need, profile });
      const unknown = { says: 'with an unknown Request-Id', bend: { requestId: `Request:${randomUUID()}` } };
      const bare = { says: 'with a Request-Id that is none', bend: { requestId: 'not-a-request-id' } };
      for (const answer of await mistaken(need, situation, [unknown, bare])) {
        await check('RETRY-REQUEST-ID-UNKNOWN', () => expect(answer).toBeRefused());
        observe('retry-foreign-request-id-answer', answer);
      }
    },
  );
}

test(
  'what failed retries leave behind, and which mistake is named first',
  verifies('STAMP-MISSING'),
  async ({ given, check, need, observe, profile }) => {
    const situation = await signedOperation('RETRY-CREDENTIAL-CREATE').prepare({ given, need, profile });
    const attempt = await situation.fresh();
    const request = need.that(attempt.request, 'there is no request to send');
    const failed = await attempt.run({ stamp: null }, 'with Request-Id and no signature');
    const challenge = mustChallenge(need, failed);
    const put = await situation.wallet.retry(request, challenge, attempt.by);
    observe(
      'retry-failed-attempt',
      put.exchange.response?.status === 201 ? 'its requestId still serves' : 'its requestId is used up',
      failed.answer,
      put,
    );

    const older = await (await situation.fresh()).run({ times: 0 });
    const both = await (
      await situation.fresh()
    ).run(
      { stamp: () => '%%%', requestId: `Request:${randomUUID()}` },
      'with a malformed signature and an unknown Request-Id',
    );
    observe('stamp-both-mistakes', both.answer);
    observe(
      'retry-window',
      `${Math.round((Date.parse(String(older.first.body?.expiresAt)) - situation.wallet.now().getTime()) / 1_000)} s`,
      older.first,
    );
    await mustComplete(need, situation);
    await check('STAMP-MISSING', () => expect(failed.answer).toBeRefused());
  },
);
