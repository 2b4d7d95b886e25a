import { expect, test, verifies, type Answer, type Need } from '../../suite/index.ts';
import { mustChallenge, mustComplete } from './support/attempts.ts';
import { signedOperations } from './support/signed-operations.ts';
import type { Attempt, Situation } from './support/situation.ts';

/** Retries that are sent at the same moment. */
const AT_ONCE = 4;
/** Races that are run: one alone may be won by chance. Each login costs a challenge, of which there may be few. */
const RACES = 3;
const LOGIN_RACES = 2;
/** Operations after which what they name may not be there any more. */
const ENDS_ITS_OBJECT = new Set(['RETRY-CREDENTIAL-REVOKE', 'RETRY-SESSION-REVOKE', 'RETRY-SESSION-REFRESH']);
/** What a request gets whose object is gone, beside 404. */
const OF_WHAT_HAS_ENDED = new Set([400, 403, 409, 410]);

for (const { name, rule, prepare } of signedOperations) {
  test(
    `${name}: a requestId serves once`,
    verifies('RETRY-REQUEST-ID-SINGLE-USE'),
    async ({ given, check, need, observe, profile }) => {
      const situation = await prepare({ given, need, profile });
      const reused = await usedTwice(need, situation, await situation.fresh(), rule);
      // What the first retry ended may be what the second is refused for: which status that has is not shown.
      const status = reused.exchange.response?.status ?? 0;
      need.offered(
        status !== 404 && !(ENDS_ITS_OBJECT.has(rule) && OF_WHAT_HAS_ENDED.has(status)),
        'what the retry ended is not there any more, so its requestId is not looked at',
      );
      await check('RETRY-REQUEST-ID-SINGLE-USE', () => expect(reused).toHaveHttpStatus(401));
      observe('retry-reuse-code', reused);
    },
  );

  test(
    `${name}: of ${AT_ONCE} retries at once one at most succeeds`,
    verifies('RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT'),
    async ({ given, check, need, profile }) => {
      const situation = await prepare({ given, need, profile });
      await mustComplete(need, situation);
      const races = rule === 'RETRY-OTP-VERIFY' ? LOGIN_RACES : RACES;
      for (let race = 0; race < races; race += 1) {
        const retry = await (
          await situation.fresh()
        ).run({ times: AT_ONCE, atOnce: true }, `sent ${AT_ONCE} times at once`);
        mustChallenge(need, retry);
        for (const { cameFromBetween, label, outcome } of retry.retries)
          need.that(
            !cameFromBetween,
            `"${label}" was answered ${outcome}, so how many succeeded is not known`,
          );
        // Each may have stood in the way of the others.
        need.that(
          retry.retries.some(({ exchange }) => (exchange.response?.status ?? 0) < 300),
          'none of the retries at once went through',
        );
        const kept = await check('RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT', () => {
          const statuses = retry.retries.map(({ status }) => status);
          expect(
            statuses.filter((status) => status < 300),
            `successes among ${statuses.join(', ')}`,
          ).toHaveLength(1);
        });
        if (!kept) return;
      }
    },
  );
}

/** The second of two same retries. What the first registered is taken away between them, so that no duplicate refuses it. */
async function usedTwice(
  need: Need,
  { wallet, session }: Situation,
  attempt: Attempt,
  rule: string,
): Promise<Answer> {
  if (rule !== 'RETRY-CREDENTIAL-CREATE') {
    const retry = await attempt.run({ times: 2 }, 'sent twice');
    mustChallenge(need, retry);
    need(retry.answer).accepted();
    return need.that(retry.retries[1], 'the second retry was not sent');
  }
  const once = await attempt.run({}, 'sent once');
  const challenge = mustChallenge(need, once);
  need(once.answer).accepted();
  const request = need.that(attempt.request, 'there is no request to send');
  const { id } = once.answer.body as { id?: unknown };
  need.that(typeof id === 'string', 'the registered credential came without an id');
  need((await wallet.revoke(id as string, session)).answer).accepted();
  return wallet.retry(
    { ...request, label: `${request.label ?? ''}, sent again once the credential is gone` },
    challenge,
    attempt.by,
  );
}
