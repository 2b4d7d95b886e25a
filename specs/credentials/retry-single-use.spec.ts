import { expect, test, verifies } from '../../suite/index.ts';
import { mustChallenge, mustComplete } from './support/attempts.ts';
import { signedOperations } from './support/signed-operations.ts';

/** Retries that are sent at the same moment. */
const AT_ONCE = 4;

/** What a second retry may meet before its Request-Id is looked at: the duplicate that it would make, the thing that is gone. */
const FOUND_EARLIER: Readonly<Record<string, readonly number[]>> = {
  'RETRY-CREDENTIAL-CREATE': [400],
  'RETRY-CREDENTIAL-REVOKE': [404],
  'RETRY-SESSION-REVOKE': [404],
};

for (const { name, rule, prepare } of signedOperations) {
  test(
    `${name}: a requestId serves once`,
    verifies('RETRY-REQUEST-ID-SINGLE-USE'),
    async ({ given, check, need, observe, profile }) => {
      const { fresh } = await prepare({ given, need, profile });
      const retry = await (await fresh()).run({ times: 2 }, 'sent twice');
      mustChallenge(need, retry);
      need(retry.answer).accepted();
      const reused = need.that(retry.retries[1], 'the second retry was not sent');
      await check('RETRY-REQUEST-ID-SINGLE-USE', () =>
        expect(reused).toHaveHttpStatus(401, ...(FOUND_EARLIER[rule] ?? [])),
      );
      observe('retry-reuse-code', reused);
    },
  );

  test(
    `${name}: of ${AT_ONCE} retries at once exactly one succeeds`,
    verifies('RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT'),
    async ({ given, check, need, profile }) => {
      const situation = await prepare({ given, need, profile });
      await mustComplete(need, situation);
      const retry = await (
        await situation.fresh()
      ).run({ times: AT_ONCE, atOnce: true }, `sent ${AT_ONCE} times at once`);
      mustChallenge(need, retry);
      for (const { cameFromBetween, label, outcome } of retry.retries)
        need.that(!cameFromBetween, `"${label}" was answered ${outcome}, so how many succeeded is not known`);
      await check('RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT', () => {
        const statuses = retry.retries.map(({ status }) => status);
        expect(
          statuses.filter((status) => status < 300),
          `successes among ${statuses.join(', ')}`,
        ).toHaveLength(1);
      });
    },
  );
}
