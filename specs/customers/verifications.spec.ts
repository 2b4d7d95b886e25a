import { expect, sendRequest, test, verifies, type Answer, type StateRequest } from '../../suite/index.ts';
import { everyObjectIn, fieldsOf } from './support/objects-in.ts';

interface Verification {
  readonly verify: StateRequest;
  /** Dot paths of the customer's fields that have a problem. */
  readonly problems: readonly string[];
}

const RESOLVE_ERRORS = 'RESOLVE_ERRORS';

for (const count of [1, 2, 3])
  test(
    `a verification with ${count} ${count === 1 ? 'problem' : 'problems'} has one entry for each`,
    verifies('VERIFICATION-RESOLVE-ERRORS'),
    async ({ given, need, check, platform, observe }) => {
      const clean = await given.state<Verification>('verification', { problems: 0 }, ['verify']);
      need(await sendRequest(platform, clean.verify, 'verifying a customer without problems')).accepted();
      const state = await given.state<Verification>('verification', { problems: count }, [
        'verify',
        'problems',
      ]);
      const answer = await sendRequest(platform, state.verify, `verifying a customer with ${count} problems`);
      need(answer).accepted();
      // Where the status and the entries stand is not shown.
      await check(
        'VERIFICATION-RESOLVE-ERRORS',
        () => expect(answer.text, 'the verification').toContain(RESOLVE_ERRORS),
        [answer],
      );
      const list = entriesIn(answer);
      if (answer.text.includes(RESOLVE_ERRORS)) {
        const entries = need.offered(list, 'no list of problems could be recognised in the verification');
        await check(
          'VERIFICATION-RESOLVE-ERRORS',
          () => expect(entries, 'one entry for each problem').toHaveLength(state.problems.length),
          [answer],
        );
      }
      observe(
        'verification-body',
        { sent: Object.keys((state.verify.body as object | undefined) ?? {}), shown: fieldsOf(answer) },
        answer,
      );
    },
  );

/** The only list of objects, or the one that is called after errors or problems. */
function entriesIn(answer: Answer): readonly unknown[] | undefined {
  const lists = everyObjectIn(answer)
    .flatMap((object) => Object.entries(object))
    .filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const named = lists.find(([name]) => /error|problem|issue/i.test(name));
  return (named ?? (lists.length === 1 ? lists[0] : undefined))?.[1];
}
