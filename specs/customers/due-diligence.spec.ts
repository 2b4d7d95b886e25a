import { expect, test, verifies } from '../../suite/index.ts';
import { create, fresh, update, type CustomerBodies } from '../support/customers.ts';

/** "Individual customers and beneficial owners share the identification fields". */
const IDENTIFICATION = ['idType', 'identifier', 'countryOfIssuance'];

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
    const id: unknown = (created.body as { id?: unknown } | undefined)?.id;
    const customerId = need.offered(
      typeof id === 'string' ? id : undefined,
      'the created customer came without an id that could be recognised',
    );
    need(await update(platform, customerId, {}, 'an update without due-diligence fields')).accepted();
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
