const code = { type: 'string', pattern: '^[A-Z0-9]{3,12}$' };
const text = { type: 'string', minLength: 1 };
const when = (name: string, value: string, properties: object, required: readonly string[]) => ({
  if: { required: [name], properties: { [name]: { const: value } } },
  then: { required, properties },
});

/** The interface shows no body for a new quote; this is what real deployments take. */
export const quoteSchema = {
  type: 'object',
  required: ['source', 'destination', 'lockedCurrencySide', 'lockedCurrencyAmount'],
  properties: {
    source: {
      type: 'object',
      required: ['sourceType'],
      properties: { sourceType: { enum: ['ACCOUNT', 'REALTIME_FUNDING'] }, customerId: text },
      allOf: [
        when('sourceType', 'ACCOUNT', { accountId: text }, ['accountId']),
        when('sourceType', 'REALTIME_FUNDING', { currency: code, cryptoNetwork: text }, ['currency']),
      ],
    },
    destination: {
      type: 'object',
      required: ['destinationType'],
      properties: { destinationType: { enum: ['ACCOUNT', 'UMA_ADDRESS'] } },
      allOf: [
        when('destinationType', 'ACCOUNT', { accountId: text, paymentRail: text }, ['accountId']),
        when('destinationType', 'UMA_ADDRESS', { umaAddress: text, currency: code }, ['umaAddress']),
      ],
    },
    lockedCurrencySide: { enum: ['SENDING', 'RECEIVING'] },
    lockedCurrencyAmount: { type: 'integer', minimum: 1, maximum: Number(2n ** 63n - 1n) },
  },
};
