import { objectsWithin } from '../../suite/objects-within.ts';
import {
  expect,
  isPromised,
  sendRequest,
  succeeded,
  test,
  verifies,
  type Answer,
  type Given,
  type QuoteCustomer,
  type StateRequest,
} from '../../suite/index.ts';
import { everyObjectIn, fieldsOf } from '../support/customers.ts';

const CONTACTS = [
  ['e-mail', 'verifyEmail', 'confirmEmail', 'CONTACT-EMAIL-NOT-APPLICABLE'],
  ['phone', 'verifyPhone', 'confirmPhone', 'CONTACT-PHONE-NOT-APPLICABLE'],
] as const;

/** The contact verification of one customer. */
class Contact {
  readonly customer: QuoteCustomer;
  /** Told by the state; a customer without contact verification has none. */
  readonly code: string | undefined;
  readonly #of: readonly [contact: string, start: string, confirm: string];

  constructor(customer: QuoteCustomer, [contact, start, confirm]: (typeof CONTACTS)[number]) {
    this.customer = customer;
    this.code = customer.state.contactCode;
    this.#of = [contact, start, confirm];
  }

  ask(when = ''): Promise<Answer> {
    const [contact, start] = this.#of;
    return this.#call(start, `asking for a code by ${contact}${when}`);
  }

  confirm(when = '', code = this.code ?? '123456'): Promise<Answer> {
    const [contact, , confirm] = this.#of;
    return this.#call(confirm, `confirming the ${contact}${when}`, { code });
  }

  #call(operation: string, label: string, body?: object): Promise<Answer> {
    const path = { customerId: this.customer.state.customerId };
    return this.customer.call(operation, { label, path, ...(body && { body }) });
  }
}

const isConflict = ({ exchange }: Answer) => exchange.response?.status === 409;
/** The paths are not shown: what is not there verifies nothing. */
const isThere = ({ exchange }: Answer) => ![404, 405, 501].includes(exchange.response?.status ?? 404);

interface Verification {
  readonly verify: StateRequest;
  /** Dot paths of the customer's fields that have a problem. */
  readonly problems: readonly string[];
}

const RESOLVE_ERRORS = 'RESOLVE_ERRORS';

for (const row of CONTACTS) {
  const [contact, , confirm, rule] = row;
  const contactOf = async (given: Given, contactVerification: boolean) =>
    new Contact(await given.customer({ contactVerification }), row);

  test(
    `the ${contact} endpoints answer 409 where the payment provider does not ask for them`,
    verifies(rule),
    async ({ given, need, check, observe }) => {
      const other = await contactOf(given, false);
      // Of a customer of public calls it is not known: then 409 alone tells that it does not apply, and that the path is there.
      // The paths are not shown: for a customer of the other kind they must work, else they may not be there.
      const mandated = isPromised(other.customer.state) ? await contactOf(given, true) : undefined;
      if (mandated) need(await mandated.ask(', where it applies')).available();
      const there = await mandated?.confirm(', where it applies');
      const asked = await other.ask(', where it does not apply');
      const confirmed = await other.confirm(', where it does not apply');
      need.offered(mandated ?? isConflict(asked), 'whether it applies to this customer is not known');
      await check(rule, () => expect(asked).toBeRefused(409));
      if (there ? isThere(there) : isConflict(confirmed))
        await check(rule, () => expect(confirmed).toBeRefused(409));
      const again = await other.ask(', where it does not apply, once more');
      await check(rule, () => expect(again).toBeRefused(409));
      const code = asked.code ?? 'none';
      const codes = { [contact]: code, confirm: confirmed.code ?? 'none' };
      observe('contact-not-applicable-code', codes, asked, confirmed);
      observe('bodies-of-409-423-429', { status: asked.outcome, code }, asked);
    },
  );

  test(
    `a code for the ${contact} can be asked for and confirmed where the payment provider mandates it`,
    verifies('CONTACT-APPLICABLE'),
    async ({ given, need, check, observe }) => {
      const own = await contactOf(given, true);
      const needThere = (answer: Answer) =>
        need.offered(isThere(answer), `this target does not offer "${answer.label}" (${answer.outcome})`);
      const isKnown = isPromised(own.customer.state);
      const asked = await own.ask();
      needThere(asked);
      need.offered(isKnown || !isConflict(asked), 'whether it applies to this customer is not known');
      // Whatever else is refused may be so for a body that the target wants; 409 says that it does not apply.
      if (!isConflict(asked)) need(asked).accepted();
      await check('CONTACT-APPLICABLE', () => expect(asked).toBeAccepted());
      need(asked).accepted();
      const confirmed = await own.confirm();
      needThere(confirmed);
      // A code that the state does not promise is a guess.
      need.offered(isKnown || succeeded(confirmed), 'which code was sent is not known');
      // Without the code itself a refusal of the guess is right.
      if (own.code !== undefined)
        await check('CONTACT-APPLICABLE', () => expect(confirmed).toBeAccepted(), {
          assumes: isConflict(confirmed) ? [] : [`bodies.${confirm}`],
        });
      else if (isConflict(confirmed))
        await check('CONTACT-APPLICABLE', () => expect(confirmed).not.toHaveHttpStatus(409));
      const outcomes = { contact, asked: asked.outcome, confirmed: confirmed.outcome };
      observe('contact-verification-operations', outcomes, asked, confirmed);
    },
  );

  test(
    `a code for the ${contact} that was not sent confirms nothing`,
    verifies('CONTACT-WRONG-CODE'),
    async ({ given, need, check }) => {
      const own = await contactOf(given, true);
      const code = need.offered(own.code, 'the state tells no code');
      need(await own.ask()).available();
      const another = code.replace(/.$/, (last) => (last === '7' ? '8' : '7'));
      const wrong = await own.confirm(' with another code', another);
      // A wrong code may have used up the right one.
      need(await own.ask(' once more')).available();
      const right = await own.confirm();
      need(right).available();
      // The answer is not shown, and may tell in its body that nothing is confirmed.
      if (wrong.status < 300 && told(wrong) !== told(right)) return;
      await check('CONTACT-WRONG-CODE', () => expect(wrong).toBeRefused(), [wrong, right]);
    },
  );
}

for (const count of [1, 2, 3])
  test(
    `a verification with ${count} ${count === 1 ? 'problem' : 'problems'} has one entry for each`,
    verifies('VERIFICATION-RESOLVE-ERRORS'),
    async ({ given, need, check, platform, observe }) => {
      const clean = await given.state<Verification>('verification', { problems: 0 }, ['verify']);
      const control = await sendRequest(platform, clean.verify, 'verifying a customer without problems');
      if (!control.isFault) need(control).accepted();
      const state = await given.state<Verification>('verification', { problems: count }, [
        'verify',
        'problems',
      ]);
      const answer = await sendRequest(platform, state.verify, `verifying a customer with ${count} problems`);
      if (!answer.isFault) need(answer).accepted();
      // Where the status and the entries stand is not shown.
      const isTold = await check(
        'VERIFICATION-RESOLVE-ERRORS',
        () => expect(says(answer, RESOLVE_ERRORS), `the verification says ${RESOLVE_ERRORS}`).toBe(true),
        [answer],
      );
      const sent = Object.keys((state.verify.body as object | undefined) ?? {});
      observe('verification-body', { sent, shown: fieldsOf(answer) }, answer);
      if (!isTold) return;
      // Wherever they stand, plain values hold none.
      const holders = () =>
        everyObjectIn(answer)
          .flatMap(Object.values)
          .filter((one) => typeof one === 'object' && one);
      const someHeld = () => expect(holders(), 'where entries may stand').not.toEqual([]);
      if (!(await check('VERIFICATION-RESOLVE-ERRORS', someHeld, [answer]))) return;
      const entries = need.offered(
        entriesIn(answer),
        'no list of problems could be recognised in the verification',
      );
      const { problems } = state;
      const oneForEach = () => expect(entries, 'one entry for each problem').toHaveLength(problems.length);
      await check('VERIFICATION-RESOLVE-ERRORS', oneForEach, [answer]);
      // How an entry says what is wrong is not shown; where entries name the fields, each has its own.
      const namesFields = entries.every((entry) => problems.some((path) => mentions(entry, path)));
      if (!namesFields) return;
      const untold = problems.filter((path) => !entries.some((entry) => mentions(entry, path)));
      const eachNamed = () => expect(untold, 'problems that no entry names').toEqual([]);
      await check('VERIFICATION-RESOLVE-ERRORS', eachNamed, [answer]);
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
