import { expect, sendRequest, test, verifies, type Answer, type StateRequest } from '../../suite/index.ts';
import { objectsWithin } from '../../suite/bodies.ts';
import { everyObjectIn, fieldsOf } from '../support/customers.ts';

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
      const told = await check(
        'VERIFICATION-RESOLVE-ERRORS',
        () => expect(says(answer, RESOLVE_ERRORS), `the verification says ${RESOLVE_ERRORS}`).toBe(true),
        [answer],
      );
      if (told) {
        const entries = need.offered(
          entriesIn(answer),
          'no list of problems could be recognised in the verification',
        );
        await check(
          'VERIFICATION-RESOLVE-ERRORS',
          () => expect(entries, 'one entry for each problem').toHaveLength(state.problems.length),
          [answer],
        );
        // How an entry says what is wrong is not shown; where entries name the fields, each has its own.
        const isTold = (path: string) => entries.some((entry) => mentions(entry, path));
        const namesFields = entries.every((entry) => state.problems.some((path) => mentions(entry, path)));
        if (namesFields)
          await check(
            'VERIFICATION-RESOLVE-ERRORS',
            () =>
              expect(
                state.problems.filter((path) => !isTold(path)),
                'problems that no entry names',
              ).toEqual([]),
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

/** Whether a word stands in an answer as a whole value. */
function says(answer: Answer, word: string): boolean {
  return everyObjectIn(answer).some((object) =>
    Object.values(object).some((value) => value === word || (Array.isArray(value) && value.includes(word))),
  );
}

/** Whether an entry names a field by its dot path, or by the end of it, as one of its values and not somewhere in a sentence. */
function mentions(entry: unknown, path: string): boolean {
  return objectsWithin(entry)
    .flatMap((object) => Object.values(object))
    .some(
      (value) =>
        typeof value === 'string' &&
        (value === path || path.endsWith(`.${value}`) || value.endsWith(`.${path}`)),
    );
}

/** The only list of objects, or the one that is called after errors or problems. */
function entriesIn(answer: Answer): readonly unknown[] | undefined {
  const lists = everyObjectIn(answer)
    .flatMap((object) => Object.entries(object))
    .filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const named = lists.find(([name]) => /(error|problem|issue)s?$/i.test(name));
  return (named ?? (lists.length === 1 ? lists[0] : undefined))?.[1];
}
