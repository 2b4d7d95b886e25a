import type { Json, JsonObject } from '../../server/json.ts';
import { fault, shown } from '../fault.ts';
import { shownWrongly } from '../shown-wrongly.ts';

/** The field whose name carries the brand, whatever the brand is. */
function branded(end: string) {
  const at = (object: JsonObject) => Object.keys(object).find((name) => name.endsWith(`Api${end}`)) ?? end;
  return {
    drop: () =>
      shown('presentRateDetails', (object) =>
        Object.fromEntries(Object.entries(object).filter(([name]) => name !== at(object))),
      ),
    map: (change: (value: Json) => Json) =>
      shown('presentRateDetails', (object) => ({
        ...object,
        [at(object)]: change(object[at(object)] ?? null),
      })),
  };
}

/** PaymentInstructions, OutgoingRateDetails and Currency, shown wrongly. */
export const quotePartFaults = [
  ...shownWrongly('presentInstruction', 'payment instruction', {
    accountOrWalletInfo: [
      'INSTRUCTIONS-ACCOUNT-INFO',
      'missing',
      ['as-text', (info) => JSON.stringify(info)],
    ],
    instructionsNotes: ['INSTRUCTIONS-NOTES', ['as-list', (notes) => [notes]]],
    isPlatformAccount: ['INSTRUCTIONS-PLATFORM-ACCOUNT', 'as-text'],
  }),
  ...shownWrongly('presentFundingAccount', 'funding account', {
    accountType: [
      'INSTRUCTIONS-ACCOUNT-TYPE',
      'missing',
      ['instruction-account-type-currency', (type) => String(type).replace(/_.*$/, '')],
      ['lightning-called-lightning-wallet', (type) => (type === 'LIGHTNING' ? 'LIGHTNING_WALLET' : type)],
    ],
    paymentRails: [
      'INSTRUCTIONS-PAYMENT-RAILS',
      ['instruction-rails-as-text', (rails) => (rails as Json[]).join(',')],
      ['instruction-rail-invented', (rails) => [...(rails as Json[]), 'CHEQUE']],
    ],
    accountNumber: ['INSTRUCTIONS-ACCOUNT-NUMBER', ['instruction-account-number-as-number', () => 12345678]],
    routingNumber: ['INSTRUCTIONS-ROUTING-NUMBER', ['instruction-routing-number-as-number', () => 21000021]],
    bankName: ['INSTRUCTIONS-BANK-NAME', ['instruction-bank-name-as-object', (name) => ({ name })]],
    reference: ['INSTRUCTIONS-REFERENCE', ['instruction-reference-as-number', () => 4711]],
    assetType: ['INSTRUCTIONS-ASSET-TYPE', ['instruction-asset-type-as-object', (code) => ({ code })]],
    address: ['INSTRUCTIONS-ADDRESS', ['instruction-address-as-list', (address) => [address]]],
    invoice: ['INSTRUCTIONS-INVOICE', ['instruction-invoice-as-object', (bolt11) => ({ bolt11 })]],
  }),
  ...shownWrongly('presentRateDetails', 'rate details', {
    counterpartyMultiplier: ['RATE-COUNTERPARTY-MULTIPLIER', 'missing', 'zero'],
    counterpartyFixedFee: ['RATE-COUNTERPARTY-FIXED-FEE', 'missing', 'negative'],
  }),
  ...shownWrongly('presentCurrency', 'currency', {
    code: ['CURRENCY-CODE', ['as-number', () => 840], 'in-small-letters'],
    name: ['CURRENCY-NAME', 'null'],
    symbol: ['CURRENCY-SYMBOL', ['as-list', (symbol) => [symbol]]],
    decimals: ['CURRENCY-DECIMALS', 'as-text', 'negative', ['always-seven', () => 7]],
  }),
  fault('rate-without-service-multiplier', 'RATE-SERVICE-MULTIPLIER', branded('Multiplier').drop()),
  fault('rate-service-multiplier-as-text', 'RATE-SERVICE-MULTIPLIER', branded('Multiplier').map(String)),
  fault('rate-without-service-fixed-fee', 'RATE-SERVICE-FIXED-FEE', branded('FixedFee').drop()),
  fault(
    'rate-service-fixed-fee-with-fraction',
    'RATE-SERVICE-FIXED-FEE',
    branded('FixedFee').map((fee) => Number(fee) + 0.5),
  ),
  fault(
    'rate-without-variable-fee-rate',
    'RATE-SERVICE-VARIABLE-FEE-RATE',
    branded('VariableFeeRate').drop(),
  ),
  fault(
    'rate-variable-fee-rate-with-percent-sign',
    'RATE-SERVICE-VARIABLE-FEE-RATE',
    branded('VariableFeeRate').map((percent) => `${String(percent)}%`),
  ),
  fault(
    'rate-without-variable-fee-amount',
    'RATE-SERVICE-VARIABLE-FEE-AMOUNT',
    branded('VariableFeeAmount').drop(),
  ),
  fault(
    'rate-variable-fee-amount-as-text',
    'RATE-SERVICE-VARIABLE-FEE-AMOUNT',
    branded('VariableFeeAmount').map(String),
  ),
  fault(
    'rate-variable-fee-of-another-amount',
    'RATE-VARIABLE-FEE-EQUATION',
    branded('VariableFeeAmount').map((amount) => Number(amount) * 2 + 3),
  ),
];
