const range = { type: 'string', minLength: 1, maxLength: 100 };

/** Consent to the end-user terms. */
const consent = {
  type: 'object',
  required: ['acceptedAt', 'ipAddress', 'termsVersion', 'acceptanceMethod'],
  properties: {
    acceptedAt: { type: 'string', format: 'date-time' },
    ipAddress: { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
    termsVersion: { type: 'string', minLength: 1 },
    acceptanceMethod: { enum: ['CHECKBOX', 'CLICK_TO_ACCEPT'] },
  },
};

/**
 * Fields of customers that the service reads. The interface names some and shows the shape of none, so whatever is not
 * here is taken as it comes.
 */
export const customerProperties = {
  customerType: { enum: ['INDIVIDUAL', 'BUSINESS'] },
  email: { type: 'string', format: 'email' },
  fullName: { type: 'string', minLength: 1 },
  birthDate: { type: 'string', format: 'date' },
  address: { type: 'object', properties: { country: { type: 'string', pattern: '^[A-Z]{2}$' } } },
  countryOfIssuance: { type: 'string', pattern: '^[A-Z]{2}$' },
  idType: { type: 'string', minLength: 1 },
  identifier: { type: 'string', minLength: 1 },
  endUserTermsConsent: consent,
  sourceOfFunds: range,
  sourceOfWealth: range,
  purposeOfAccount: range,
  expectedTransactionCount: range,
  expectedTransactionVolume: range,
  incomeRange: range,
  netWorthRange: range,
  pepStatus: range,
} as const;
