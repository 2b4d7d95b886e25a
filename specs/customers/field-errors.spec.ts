import { expect, test, verifies, type Answer, type Need, type Platform } from '../../suite/index.ts';
import { create, fresh, update, type CustomerBodies } from '../support/customers.ts';

const WAYS = { create: 'POST /customers', update: 'PATCH /customers/{customerId}' } as const;

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
          : await wrongUpdate(platform, need, created, invalid ?? {});
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

/** With an id and an e-mail of its own, but where one of them is what is wrong. */
function wrongBody(
  invalid: Readonly<Record<string, unknown>>,
  invalidFields: readonly string[],
): Readonly<Record<string, unknown>> {
  const wrong = Object.entries(invalid).filter(([name]) => invalidFields.includes(name));
  return { ...fresh(invalid), ...Object.fromEntries(wrong) };
}

async function wrongUpdate(
  platform: Platform,
  need: Need,
  created: Answer,
  invalid: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const id: unknown = (created.body as { id?: unknown } | undefined)?.id;
  const customerId = need.offered(
    typeof id === 'string' ? id : undefined,
    'the created customer came without an id that could be recognised',
  );
  need(await update(platform, customerId, {}, 'an update that changes nothing')).accepted();
  return update(platform, customerId, invalid, 'an update with several invalid fields');
}

/** The fields that details.errors names, in their order. */
function namedIn(answer: Answer): readonly string[] {
  const { details } = (answer.body ?? {}) as { details?: { errors?: readonly { field?: unknown }[] } };
  return Array.isArray(details?.errors) ? details.errors.map((error) => String(error?.field)) : [];
}
