import { boundOf, shapeRules } from '../../schemas/openapi.ts';
import { expect, test, verifies, type Agent, type Answer } from '../../suite/index.ts';

const TOO_LONG = 'x'.repeat(boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength') + 1);

/** Fields that can be made invalid one by one or together, with a value that each schema refuses. */
const INVALID = {
  'destination.paymentRail': 'NO_SUCH_RAIL',
  remittanceInformation: TOO_LONG,
  purposeOfPayment: 'NO_SUCH_PURPOSE',
  amount: 'much',
} as const;
type Field = keyof typeof INVALID;
const FIELDS = Object.keys(INVALID) as Field[];

test(
  'details.errors names every invalid field at once',
  verifies('ERROR-FIELD-ERRORS-ALL-AT-ONCE', ...shapeRules('FieldError')),
  async ({ given, need, check, observe }) => {
    const agent = await given.agent();
    await agent.needTransfer();
    // Only fields that are named when they alone are invalid: whether a value is refused at all is another rule's matter.
    const known: Field[] = [];
    for (const field of FIELDS)
      if (namesIn(await withInvalid(agent, [field])).includes(lastStep(field))) known.push(field);
    observe('details-errors-on-transfer-out', known.length > 0 ? 'present' : 'absent');
    need.offered(known.length > 1, 'the refusals of this target carry no details.errors');
    const together = await withInvalid(agent, known);
    need.offered(fieldsNamed(together), 'this refusal carries no details.errors');

    await check('ERROR-FIELD-ERRORS-ALL-AT-ONCE', () =>
      expect(namesIn(together), 'fields named').toEqual(expect.arrayContaining(known.map(lastStep))),
    );
  },
);

for (const field of FIELDS)
  test(
    `details.errors names ${field} alone, once and by its path, when that is all that is invalid`,
    verifies(
      'ERROR-FIELD-ERRORS-ONLY-INVALID',
      'ERROR-FIELD-ERRORS-ONE-PER-FIELD',
      'ERROR-FIELD-ERRORS-PATH',
    ),
    async ({ given, need, check, observe }) => {
      const agent = await given.agent();
      await agent.needTransfer();
      const answer = await withInvalid(agent, [field]);
      const fields = need.offered(fieldsNamed(answer), 'this refusal carries no details.errors');

      // What holds an invalid field is not right either.
      await check('ERROR-FIELD-ERRORS-ONLY-INVALID', () => {
        const named = namesIn(answer);
        expect(named.length, 'fields named').toBeGreaterThan(0);
        expect(
          named.filter((name) => !field.split('.').includes(name)),
          'fields named that are right',
        ).toEqual([]);
      });
      await check('ERROR-FIELD-ERRORS-ONE-PER-FIELD', () =>
        expect(fieldsNamed(answer), 'fields named').toEqual([...new Set(fields)]),
      );
      if (!namesIn(answer).includes(lastStep(field))) return;
      await check('ERROR-FIELD-ERRORS-PATH', () => {
        const own = (fieldsNamed(answer) ?? []).filter((name) => lastStep(name) === lastStep(field));
        // A service may say where the body stands in the request, as in body.amount.
        expect(
          own.filter((name) => !`.${name}`.endsWith(`.${field}`)),
          'paths that do not lead to the field',
        ).toEqual([]);
      });
      observe('field-error-constraint', constraintsIn(answer), answer);
    },
  );

function withInvalid(agent: Agent, fields: readonly Field[]): Promise<Answer> {
  const { 'destination.paymentRail': paymentRail, ...flat } = Object.fromEntries(
    fields.map((field) => [field, INVALID[field]]),
  );
  const destination = {
    accountId: agent.state.destinationAccountId,
    ...(paymentRail === undefined ? {} : { paymentRail }),
  };
  return agent.transferOut({ destination, ...flat }, `invalid: ${fields.join(', ')}`);
}

/** The fields that a 400 names; undefined where it has no usable details.errors, which is not required everywhere. */
function fieldsNamed(answer: Answer): readonly string[] | undefined {
  const named = entriesOf(answer)?.map((entry) => (entry as { field?: unknown } | null)?.field);
  return named?.every((field) => typeof field === 'string') ? named : undefined;
}

function entriesOf(answer: Answer): readonly unknown[] | undefined {
  if (answer.exchange.response?.status !== 400) return undefined;
  const errors: unknown = answer.body?.details?.errors;
  return Array.isArray(errors) ? errors : undefined;
}

/** The names of the hints, not their values, which repeat the contract. */
function constraintsIn(answer: Answer): unknown {
  return entriesOf(answer)?.map((entry) => {
    const { constraint } = entry as { constraint?: unknown };
    return typeof constraint === 'object' && constraint !== null
      ? Object.keys(constraint)
      : typeof constraint;
  });
}

/** The field's own name, whatever the path before it looks like: its form has a rule of its own. */
function lastStep(field: string): string {
  return (
    field
      .split(/[./[\]]/)
      .filter((step) => step !== '')
      .at(-1) ?? ''
  );
}

/** The fields' own names, read anew inside each check, so that a broken shape below is not accused twice. */
const namesIn = (answer: Answer) => (fieldsNamed(answer) ?? []).map(lastStep);
