import {
  expect,
  succeeded,
  test,
  verifies,
  type Answer,
  type Need,
  type Platform,
} from '../../suite/index.ts';
import {
  create,
  fresh,
  idOf,
  needUpdate,
  namedIn,
  update,
  type CustomerBodies,
  type Fields,
} from '../support/customers.ts';

/** "Individual customers and beneficial owners share the identification fields". Their values are not shown. */
const USUAL_IDENTIFICATION = { idType: 'PASSPORT', identifier: 'C01X00T47', countryOfIssuance: 'DE' };
const IDENTIFICATION = Object.keys(USUAL_IDENTIFICATION);

const ENDPOINTS = { create: 'POST /customers', update: 'PATCH /customers/{customerId}' } as const;

interface Pair {
  readonly tried: Fields;
  /** Public calls know no body with due-diligence fields. */
  readonly control: Fields | undefined;
  /** Values of the suite's own choice, which a target need not take. */
  readonly isGuess?: boolean;
}

/** An individual of these fields, and the control: one of others. */
interface Individual {
  readonly rule: string;
  readonly says: string;
  readonly of: (bodies: CustomerBodies) => Pair;
}

const INDIVIDUALS: readonly Individual[] = [
  {
    rule: 'CUSTOMER-DUE-DILIGENCE-OPTIONAL',
    says: 'without due-diligence fields',
    of: ({ body, without }) => ({ tried: without, control: body }),
  },
  {
    rule: 'CUSTOMER-DUE-DILIGENCE-ACCEPTED',
    says: 'with due-diligence fields',
    of: ({ body, without }) => ({ tried: body, control: without }),
  },
  {
    rule: 'CUSTOMER-IDENTIFICATION-ACCEPTED',
    says: 'with the identification fields',
    of: ({ body, without }) => {
      const given = [without, body].find((one) => IDENTIFICATION.every((name) => name in (one ?? {})));
      const tried = given ?? { ...without, ...USUAL_IDENTIFICATION };
      return { tried, control: only(tried, (name) => !IDENTIFICATION.includes(name)), isGuess: !given };
    },
  },
];

for (const { rule, says, of } of INDIVIDUALS)
  test(
    `an individual is created ${says}`,
    verifies(rule),
    async ({ given, need, check, platform, observe }) => {
      const bodies = await given.state<CustomerBodies>('due-diligence', {}, ['without']);
      const { tried, control, isGuess } = of(bodies);
      // The usual body alone is known to have none of these fields.
      const isUsual = !platform.dialect.bodies['createCustomer'];
      need.offered(tried && (control ?? isUsual), 'the state "due-diligence" gives no such body');
      const other = control && (await create(platform, fresh(control), `an individual beside one ${says}`));
      const answer = await create(platform, fresh(tried), `an individual ${says}`);
      // Where the other is not taken either, it is something else about the body that is refused.
      if (!succeeded(answer)) need(isGuess ? answer : (other ?? answer)).accepted();
      await check(rule, () => expect(answer).toBeAccepted());
      if (rule === 'CUSTOMER-DUE-DILIGENCE-ACCEPTED')
        observe('customer-due-diligence-fields', dueDiligenceIn(bodies), answer);
    },
  );

test(
  'an individual is updated with due-diligence fields',
  verifies('CUSTOMER-DUE-DILIGENCE-UPDATED'),
  async ({ given, need, check, platform }) => {
    const bodies = await given.state<CustomerBodies>('due-diligence', {}, ['body', 'without']);
    const label = 'an individual without due-diligence fields';
    const created = await create(platform, fresh(bodies.without), label);
    need(created).accepted();
    const customerId = idOf(created, need);
    await needUpdate(platform, customerId, need);
    const fields = dueDiligenceIn(bodies);
    const answer = await update(platform, customerId, fields, 'an update with due-diligence fields');
    await check('CUSTOMER-DUE-DILIGENCE-UPDATED', () => expect(answer).toBeAccepted());
  },
);

for (const [way, endpoint] of Object.entries(ENDPOINTS))
  test(
    `a customer ${way} with several invalid fields names all of them at once`,
    verifies(
      'CUSTOMER-FIELD-ERRORS-TOGETHER',
      'ERROR-FIELD-ERRORS-ALL-AT-ONCE',
      'ERROR-FIELD-ERRORS-PATH',
      'ERROR-FIELD-ERRORS-ONE-PER-FIELD',
      'ERROR-FIELD-ERRORS-ONLY-INVALID',
    ),
    async ({ given, need, check, platform, observe }) => {
      const state = await given.state<CustomerBodies>('due-diligence', {}, [
        'without',
        'invalid',
        'invalidFields',
      ]);
      const { without, invalid = {}, invalidFields: fields = [] } = state;
      const created = await create(platform, fresh(without), 'a customer whose fields are right');
      need(created).accepted();
      // With an id and an e-mail of its own, but where one of them is what is wrong.
      const wrong = { ...fresh(invalid), ...only(invalid, (name) => fields.includes(name)) };
      const answer =
        way === 'create'
          ? await create(platform, wrong, 'a customer with several invalid fields')
          : await wrongUpdate(platform, need, idOf(created, need), state);
      const leadsTo = (name: string, field: string) => `.${name}`.endsWith(`.${field}`);
      const isAstray = (name: string) =>
        fields.some((field) => lastStep(field) === lastStep(name)) &&
        !fields.some((field) => leadsTo(name, field));
      const expectAllNamed = () => {
        const named = namedIn(answer);
        // A path that does not lead there names its field all the same: it is another rule's matter.
        const names = (name: string, field: string) =>
          leadsTo(name, field) || (isAstray(name) && lastStep(name) === lastStep(field));
        expect(
          fields.filter((field) => !named.some((name) => names(name, field))),
          'invalid fields that details.errors does not name',
        ).toEqual([]);
      };
      const complete = await check('CUSTOMER-FIELD-ERRORS-TOGETHER', () => {
        expect(answer).toBeRefused(400);
        expectAllNamed();
      });
      if (answer.status === 400 && namedIn(answer).length > 0) {
        await check('ERROR-FIELD-ERRORS-ALL-AT-ONCE', expectAllNamed);
        await check('ERROR-FIELD-ERRORS-PATH', () =>
          expect(namedIn(answer).filter(isAstray), 'paths that do not lead to the field').toEqual([]),
        );
      }
      observe('customer-invalid-code', answer);
      observe('submit-endpoints', { [endpoint]: answer.outcome }, answer);
      const told = answer.body as { details?: object | null } | undefined;
      const details = Object.keys(told?.details ?? {});
      observe('details-shape-by-code', { code: answer.code, details }, answer);
      if (!complete) return;
      await check('ERROR-FIELD-ERRORS-ONE-PER-FIELD', () =>
        expect(namedIn(answer), 'fields named').toEqual([...new Set(namedIn(answer))]),
      );
      // What holds an invalid field is not right either.
      const isWrong = (name: string) =>
        isAstray(name) || fields.some((field) => leadsTo(name, field) || `${field}.`.startsWith(`${name}.`));
      await check('ERROR-FIELD-ERRORS-ONLY-INVALID', () =>
        expect(
          namedIn(answer).filter((name) => !isWrong(name)),
          'fields named that are right',
        ).toEqual([]),
      );
    },
  );

/** The field's own name, whatever the path before it. */
const lastStep = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** A body that is wrong at creation may be right in an update: only fields that are refused alone are wrong there. */
async function wrongUpdate(
  platform: Platform,
  need: Need,
  customerId: string,
  { invalid = {}, invalidFields = [] }: CustomerBodies,
): Promise<Answer> {
  await needUpdate(platform, customerId, need);
  const holders = new Set(invalidFields.map((field) => field.split('.')[0]));
  const wrong = only(invalid, (name) => holders.has(name));
  const names = Object.keys(wrong);
  need.offered(names.length === holders.size, 'the body lacks a field that it is said to have');
  for (const name of names) {
    const label = `an update with an invalid ${name}`;
    const alone = await update(platform, customerId, { [name]: wrong[name] }, label);
    need.offered(alone.exchange.response?.status === 400, `an update with this ${name} is not refused`);
  }
  return update(platform, customerId, wrong, 'an update with several invalid fields');
}

function dueDiligenceIn({ body, without }: CustomerBodies): Fields {
  return only(body, (name) => !(name in without));
}

function only(fields: Fields, wanted: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => wanted(name)));
}
