import { expect, test, verifies, type Answer } from '../../suite/index.ts';
import { create, fresh, update, type CustomerBodies } from './support/consent.ts';

for (const way of ['create', 'update'] as const)
  test(
    `a customer ${way} with several invalid fields names all of them at once`,
    verifies('CUSTOMER-FIELD-ERRORS-TOGETHER'),
    async ({ given, need, check, platform, observe }) => {
      const { without, invalid, invalidFields } = await given.state<CustomerBodies>('due-diligence', {}, [
        'without',
        'invalid',
        'invalidFields',
      ]);
      const created = await create(platform, fresh(without), 'a customer whose fields are right');
      need(created).accepted();
      const send = await sender(way, created);
      const answer = await send();
      const fields = invalidFields ?? [];
      await check('CUSTOMER-FIELD-ERRORS-TOGETHER', () => {
        expect(answer).toBeRefused(400);
        const errors = (answer.body as { details?: { errors?: readonly { field?: string }[] } }).details
          ?.errors;
        const named = Array.isArray(errors) ? errors.map((error) => error?.field) : [];
        expect(named, 'the fields that details.errors names').toEqual(expect.arrayContaining([...fields]));
      });
      observe('customer-invalid-code', answer);
      observe(
        'submit-endpoints',
        { [way === 'create' ? 'POST /customers' : 'PATCH /customers/{customerId}']: answer.outcome },
        answer,
      );
      observe(
        'details-shape-by-code',
        { code: answer.code, details: Object.keys((answer.body as { details?: object }).details ?? {}) },
        answer,
      );

      async function sender(kind: typeof way, known: Answer): Promise<() => Promise<Answer>> {
        if (kind === 'create')
          return () => create(platform, fresh(invalid ?? {}), 'a customer with several invalid fields');
        const id: unknown = (known.body as { id?: unknown } | undefined)?.id;
        const customerId = need.offered(
          typeof id === 'string' ? id : undefined,
          'the created customer came without an id that could be recognised',
        );
        need(await update(platform, customerId, {}, 'an update that changes nothing')).accepted();
        return () => update(platform, customerId, invalid ?? {}, 'an update with several invalid fields');
      }
    },
  );
