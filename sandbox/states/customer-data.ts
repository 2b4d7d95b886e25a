import { param, type State } from '../core/state.ts';
import { NEEDED } from '../domain/verified-fields.ts';
import { prepareCustomer } from './customer.ts';

const PERSON = {
  customerType: 'INDIVIDUAL',
  fullName: 'Ada Example',
  birthDate: '1990-12-10',
  address: { line1: '1 Example Street', city: 'Berlin', postalCode: '10115', country: 'DE' },
  idType: 'PASSPORT',
  identifier: 'C01X00T47',
  countryOfIssuance: 'DE',
};

const DUE_DILIGENCE = {
  sourceOfFunds: 'SALARY',
  sourceOfWealth: 'EMPLOYMENT',
  purposeOfAccount: 'FAMILY_SUPPORT',
  expectedTransactionCount: '1_TO_10',
  expectedTransactionVolume: 'UP_TO_10000',
  incomeRange: '50000_TO_100000',
  netWorthRange: '100000_TO_500000',
  pepStatus: 'NOT_PEP',
};

const WRONG = { fullName: '', birthDate: 'yesterday', countryOfIssuance: 'Germany' };

/** The end-user terms in force. */
export const termsState: State = {
  name: 'terms',
  params: {},
  setup(world) {
    const version = world.rules.currentTerms(world);
    const consent = {
      acceptedAt: world.rules.presentTime(world, world.clock.now()),
      ipAddress: '203.0.113.7',
      termsVersion: version,
      acceptanceMethod: 'CHECKBOX',
    };
    return {
      version,
      url: `https://terms.sandbox.example/${version}`,
      unknownVersion: '1999-01-01',
      consent,
    };
  },
};

/** Bodies of POST /customers with, without and with wrong details. */
export const dueDiligenceState: State = {
  name: 'due-diligence',
  params: {},
  setup: () => ({
    body: { ...PERSON, ...DUE_DILIGENCE },
    without: PERSON,
    invalid: { ...PERSON, ...WRONG, address: { ...PERSON.address, country: 'Nowhere' } },
    invalidFields: [...Object.keys(WRONG), 'address.country'],
  }),
};

/** A customer of whose data so many are missing. */
export const verificationState: State = {
  name: 'verification',
  params: { problems: { type: 'integer', minimum: 0, maximum: NEEDED.length } },
  setup(world, params) {
    const problems = NEEDED.slice(0, Number(param<number | bigint>(params, 'problems', 2)));
    const { customer } = prepareCustomer(world, {});
    const known = Object.entries(PERSON).filter(
      ([name]) => !problems.some((path) => path.split('.')[0] === name),
    );
    customer.data = { ...customer.data, ...Object.fromEntries(known) };
    const { id: customerId } = customer;
    return {
      customerId,
      problems: [...problems],
      verify: { method: 'POST', path: '/verifications', body: { customerId } },
    };
  },
};
