import { objectsWithin } from '../../suite/objects-within.ts';
import {
  expect,
  sendRequest,
  test,
  verifies,
  type Answer,
  type QuoteCustomer,
  type StateRequest,
} from '../../suite/index.ts';
import { everyObjectIn, fieldsOf } from '../support/customers.ts';

/** Sent where no code was given; a customer without contact verification has none. */
const ANY_CODE = '123456';
const CONTACTS = [
  ['e-mail', 'verifyEmail', 'confirmEmail', 'CONTACT-EMAIL-NOT-APPLICABLE'],
  ['phone', 'verifyPhone', 'confirmPhone', 'CONTACT-PHONE-NOT-APPLICABLE'],
] as const;

const call = (customer: QuoteCustomer, operation: string, label: string, body?: object) =>
  customer.call(operation, {
    label,
    path: { customerId: customer.state.customerId },
    ...(body === undefined ? {} : { body }),
  });

/** The paths are not shown: what is not there verifies nothing. */
const isThere = ({ exchange }: Answer) => ![404, 405, 501].includes(exchange.response?.status ?? 404);

interface Verification {
  readonly verify: StateRequest;
  /** Dot paths of the customer's fields that have a problem. */
  readonly problems: readonly string[];
}

const RESOLVE_ERRORS = 'RESOLVE_ERRORS';

for (const [contact, start, confirm, rule] of CONTACTS) {
  test(
    `the ${contact} endpoints answer 409 where the payment provider does not ask for them`,
    verifies(rule),
    async ({ given, need, check, observe }) => {
      // The paths are not shown: for a customer of the other kind they must work, else they may not be there.
      const mandated = await given.customer({ contactVerification: true });
      need(await call(mandated, start, `asking for a code by ${contact}, where it applies`)).available();
      const there = await call(mandated, confirm, `confirming the ${contact}, where it applies`, {
        code: mandated.state.contactCode ?? ANY_CODE,
      });
      const customer = await given.customer({ contactVerification: false });
      const asked = await call(customer, start, `asking for a code by ${contact}, where it does not apply`);
      const confirmed = await call(customer, confirm, `confirming the ${contact}, where it does not apply`, {
        code: customer.state.contactCode ?? ANY_CODE,
      });
      await check(rule, () => expect(asked).toBeRefused(409));
      if (isThere(there)) await check(rule, () => expect(confirmed).toBeRefused(409));
      observe(
        'contact-not-applicable-code',
        { [contact]: asked.code ?? 'none', confirm: confirmed.code ?? 'none' },
        asked,
        confirmed,
      );
      observe('bodies-of-409-423-429', { status: asked.outcome, code: asked.code ?? 'none' }, asked);
    },
  );

  test(
    `a code for the ${contact} can be asked for and confirmed where the payment provider mandates it`,
    verifies('CONTACT-APPLICABLE'),
    async ({ given, need, check, observe }) => {
      const customer = await given.customer({ contactVerification: true });
      const asked = await call(customer, start, `asking for a code by ${contact}`);
      // The path is not shown: where it is not there, nothing is verified.
      need.offered(isThere(asked), `this target does not offer "${asked.label}" (${asked.outcome})`);
      // Whatever else is refused may be so for a body that the target wants; 409 says that it does not apply.
      if (asked.exchange.response?.status !== 409) need(asked).accepted();
      await check('CONTACT-APPLICABLE', () => expect(asked).toBeAccepted());
      need(asked).accepted();
      const confirmed = await call(customer, confirm, `confirming the ${contact}`, {
        code: customer.state.contactCode ?? ANY_CODE,
      });
      need.offered(
        isThere(confirmed),
        `this target does not offer "${confirmed.label}" (${confirmed.outcome})`,
      );
      // Without the code itself a refusal of the guess is right.
      if (customer.state.contactCode !== undefined)
        await check('CONTACT-APPLICABLE', () => expect(confirmed).toBeAccepted(), {
          assumes: confirmed.exchange.response?.status === 409 ? [] : [`bodies.${confirm}`],
        });
      else if (confirmed.exchange.response?.status === 409)
        await check('CONTACT-APPLICABLE', () => expect(confirmed).not.toHaveHttpStatus(409));
      observe(
        'contact-verification-operations',
        { contact, asked: asked.outcome, confirmed: confirmed.outcome },
        asked,
        confirmed,
      );
    },
  );
}

for (const [contact, start, confirm] of CONTACTS)
  test(
    `a code for the ${contact} that was not sent confirms nothing`,
    verifies('CONTACT-WRONG-CODE'),
    async ({ given, need, check }) => {
      const customer = await given.customer({ contactVerification: true });
      const code = need.offered(customer.state.contactCode, 'the state tells no code');
      need(await call(customer, start, `asking for a code by ${contact}`)).available();
      const wrong = await call(customer, confirm, `confirming the ${contact} with another code`, {
        code: code.replace(/.$/, (last) => (last === '7' ? '8' : '7')),
      });
      // A wrong code may have used up the right one.
      need(await call(customer, start, `asking for a code by ${contact} once more`)).available();
      const right = await call(customer, confirm, `confirming the ${contact}`, { code });
      need(right).available();
      // The answer is not shown, and may tell in its body that nothing is confirmed.
      if (wrong.status < 300 && told(wrong) !== told(right)) return;
      await check('CONTACT-WRONG-CODE', () => expect(wrong).toBeRefused(), [wrong, right]);
    },
  );

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

/** Status and body but for the times in it. */
function told({ status, text }: Answer): string {
  return `${status} ${text.replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '""')}`;
}

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
