import { expect, test, verifies, type Answer, type Need, type Platform } from '../../suite/index.ts';
import { create, fresh, mustUpdate, update, type CustomerBodies } from '../support/customers.ts';

/** "Individual customers and beneficial owners share the identification fields". */
const IDENTIFICATION = ['idType', 'identifier', 'countryOfIssuance'];

const WAYS = { create: 'POST /customers', update: 'PATCH /customers/{customerId}' } as const;

test(
  'an individual is created without due-diligence fields',
  verifies('CUSTOMER-DUE-DILIGENCE-OPTIONAL'),
  async ({ given, need, check, platform }) => {
    const { body, without } = await given.state<CustomerBodies>('due-diligence', {}, ['body', 'without']);
    need(await create(platform, fresh(body), 'an individual with due-diligence fields')).accepted();
    const answer = await create(platform, fresh(without), 'an individual without due-diligence fields');
    await check('CUSTOMER-DUE-DILIGENCE-OPTIONAL', () => expect(answer).toBeAccepted());
  },
);

test(
  'an individual is created with due-diligence fields',
  verifies('CUSTOMER-DUE-DILIGENCE-ACCEPTED'),
  async ({ given, need, check, platform, observe }) => {
    const { body, without } = await given.state<CustomerBodies>('due-diligence', {}, ['body', 'without']);
    need(await create(platform, fresh(without), 'an individual without due-diligence fields')).accepted();
    const answer = await create(platform, fresh(body), 'an individual with due-diligence fields');
    await check('CUSTOMER-DUE-DILIGENCE-ACCEPTED', () => expect(answer).toBeAccepted());
    const added = Object.fromEntries(Object.entries(body).filter(([name]) => !(name in without)));
    observe('customer-due-diligence-fields', added, answer);
  },
);

test(
  'an individual is updated with due-diligence fields',
  verifies('CUSTOMER-DUE-DILIGENCE-UPDATED'),
  async ({ given, need, check, platform }) => {
    const { body, without } = await given.state<CustomerBodies>('due-diligence', {}, ['body', 'without']);
    const created = await create(platform, fresh(without), 'an individual without due-diligence fields');
    need(created).accepted();
    const customerId = idOf(created, need);
    await mustUpdate(platform, customerId, need);
    const fields = Object.fromEntries(Object.entries(body).filter(([name]) => !(name in without)));
    const answer = await update(platform, customerId, fields, 'an update with due-diligence fields');
    await check('CUSTOMER-DUE-DILIGENCE-UPDATED', () => expect(answer).toBeAccepted());
  },
);

test(
  'an individual is created with the identification fields',
  verifies('CUSTOMER-IDENTIFICATION-ACCEPTED'),
  async ({ given, need, check, platform }) => {
    const { body, without } = await given.state<CustomerBodies>('due-diligence', {}, ['without']);
    const whole = need.offered(
      [without, body].find((one) => IDENTIFICATION.every((name) => name in (one ?? {}))),
      `the state gives no body with ${IDENTIFICATION.join(', ')}`,
    );
    const others = Object.fromEntries(
      Object.entries(whole).filter(([name]) => !IDENTIFICATION.includes(name)),
    );
    const control = await create(platform, fresh(others), 'an individual without the identification fields');
    const answer = await create(platform, fresh(whole), 'an individual with the identification fields');
    // Where nobody is taken without them either, it is something else about the body that is refused.
    if (!answer.exchange.response || !answer.accepted) need(control).accepted();
    await check('CUSTOMER-IDENTIFICATION-ACCEPTED', () => expect(answer).toBeAccepted());
  },
);

for (const [way, endpoint] of Object.entries(WAYS))
  test(
    `a customer ${way} with several invalid fields names all of them at once`,
    verifies(
      'CUSTOMER-FIELD-ERRORS-TOGETHER',
      'ERROR-FIELD-ERRORS-ONE-PER-FIELD',
      'ERROR-FIELD-ERRORS-ONLY-INVALID',
    ),
    async ({ given, need, check, platform, observe }) => {
      const { without, invalid, invalidFields } = await given.state<CustomerBodies>('due-diligence', {}, [
        'without',
        'invalid',
        'invalidFields',
      ]);
      const created = await create(platform, fresh(without), 'a customer whose fields are right');
      need(created).accepted();
      const answer =
        way === 'create'
          ? await create(
              platform,
              wrongBody(invalid ?? {}, invalidFields ?? []),
              'a customer with several invalid fields',
            )
          : await wrongUpdate(platform, need, idOf(created, need), invalid ?? {}, invalidFields ?? []);
      const fields = invalidFields ?? [];
      const leadsTo = (name: string, field: string) => `.${name}`.endsWith(`.${field}`);
      const complete = await check('CUSTOMER-FIELD-ERRORS-TOGETHER', () => {
        expect(answer).toBeRefused(400);
        const named = namedIn(answer);
        expect(
          fields.filter((field) => !named.some((name) => leadsTo(name, field))),
          'invalid fields that details.errors does not name',
        ).toEqual([]);
      });
      observe('customer-invalid-code', answer);
      observe('submit-endpoints', { [endpoint]: answer.outcome }, answer);
      observe(
        'details-shape-by-code',
        { code: answer.code, details: Object.keys((answer.body as { details?: object }).details ?? {}) },
        answer,
      );
      if (!complete) return;
      await check('ERROR-FIELD-ERRORS-ONE-PER-FIELD', () =>
        expect(namedIn(answer), 'fields named').toEqual([...new Set(namedIn(answer))]),
      );
      // What holds an invalid field is not right either.
      const isWrong = (name: string) =>
        fields.some((field) => leadsTo(name, field) || `${field}.`.startsWith(`${name}.`));
      await check('ERROR-FIELD-ERRORS-ONLY-INVALID', () =>
        expect(
          namedIn(answer).filter((name) => !isWrong(name)),
          'fields named that are right',
        ).toEqual([]),
      );
    },
  );

function idOf(created: Answer, need: Need): string {
  const id: unknown = (created.body as { id?: unknown } | undefined)?.id;
  return need.offered(
    typeof id === 'string' ? id : undefined,
    'the created customer came without an id that could be recognised',
  );
}

/** With an id and an e-mail of its own, but where one of them is what is wrong. */
function wrongBody(
  invalid: Readonly<Record<string, unknown>>,
  invalidFields: readonly string[],
): Readonly<Record<string, unknown>> {
  const wrong = Object.entries(invalid).filter(([name]) => invalidFields.includes(name));
  return { ...fresh(invalid), ...Object.fromEntries(wrong) };
}

/** A body that is wrong at creation may be right in an update: only fields that are refused alone are wrong there. */
async function wrongUpdate(
  platform: Platform,
  need: Need,
  customerId: string,
  invalid: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Promise<Answer> {
  await mustUpdate(platform, customerId, need);
  const holders = new Set(fields.map((field) => field.split('.')[0]));
  const wrong = Object.entries(invalid).filter(([name]) => holders.has(name));
  need.offered(wrong.length === holders.size, 'the body lacks a field that it is said to have');
  for (const [name, value] of wrong) {
    const alone = await update(platform, customerId, { [name]: value }, `an update with an invalid ${name}`);
    need.offered(alone.exchange.response?.status === 400, `an update with this ${name} is not refused`);
  }
  return update(platform, customerId, Object.fromEntries(wrong), 'an update with several invalid fields');
}

/** The fields that details.errors names, in their order. */
function namedIn(answer: Answer): readonly string[] {
  const { details } = (answer.body ?? {}) as { details?: { errors?: readonly { field?: unknown }[] } };
  return Array.isArray(details?.errors) ? details.errors.map((error) => String(error?.field)) : [];
}
