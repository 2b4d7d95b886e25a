import { param, type State } from '../core/state.ts';

const currency = { type: 'string', pattern: '^[A-Z0-9]{3,12}$' };

/** How to read an exchange rate. */
export const exchangeRateState: State = {
  name: 'exchange-rate',
  params: { sourceCurrency: currency, destinationCurrency: currency },
  setup(_world, params) {
    const source = param(params, 'sourceCurrency', 'USD');
    const destination = param(params, 'destinationCurrency', 'EUR');
    return {
      read: {
        method: 'GET',
        path: `/exchange-rates?sourceCurrency=${source}&destinationCurrency=${destination}`,
      },
      sourceCurrency: source,
      destinationCurrency: destination,
    };
  },
};
