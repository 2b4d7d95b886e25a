import { expect, test, verifies } from '../../suite/index.ts';
import { create, fresh, type CustomerBodies } from './support/consent.ts';

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
