import type { Json, JsonObject } from '../../server/json.ts';
import { faultsOf, field, shown } from '../fault.ts';

const instruction = (name: string) => field('presentInstruction', name);
const account = (name: string) => field('presentFundingAccount', name);
const currency = (name: string) => field('presentCurrency', name);
const rate = (name: string) => field('presentRateDetails', name);

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
export const quotePartFaults = faultsOf([
  [
    'instruction-without-account',
    'INSTRUCTIONS-ACCOUNT-INFO',
    'A payment instruction has no accountOrWalletInfo.',
    instruction('accountOrWalletInfo').drop(),
  ],
  [
    'instruction-account-as-text',
    'INSTRUCTIONS-ACCOUNT-INFO',
    'The accountOrWalletInfo is text.',
    instruction('accountOrWalletInfo').map((info) => JSON.stringify(info)),
  ],
  [
    'instruction-without-account-type',
    'INSTRUCTIONS-ACCOUNT-TYPE',
    'An account to pay in to has no accountType.',
    account('accountType').drop(),
  ],
  [
    'instruction-account-type-currency',
    'INSTRUCTIONS-ACCOUNT-TYPE',
    'The accountType is the currency alone.',
    account('accountType').map((type) => String(type).replace(/_.*$/, '')),
  ],
  [
    'lightning-called-lightning-wallet',
    'INSTRUCTIONS-ACCOUNT-TYPE',
    'The accountType LIGHTNING is called LIGHTNING_WALLET.',
    account('accountType').map((type) => (type === 'LIGHTNING' ? 'LIGHTNING_WALLET' : type)),
  ],
  [
    'instruction-notes-as-list',
    'INSTRUCTIONS-NOTES',
    'The instructionsNotes are a list.',
    instruction('instructionsNotes').map((notes) => [notes]),
  ],
  [
    'instruction-platform-account-as-text',
    'INSTRUCTIONS-PLATFORM-ACCOUNT',
    'isPlatformAccount is text.',
    instruction('isPlatformAccount').map(String),
  ],
  [
    'instruction-rails-as-text',
    'INSTRUCTIONS-PAYMENT-RAILS',
    'The paymentRails of an account are text.',
    account('paymentRails').map((rails) => (rails as Json[]).join(',')),
  ],
  [
    'instruction-rail-invented',
    'INSTRUCTIONS-PAYMENT-RAILS',
    'The paymentRails of an account name CHEQUE.',
    account('paymentRails').map((rails) => [...(rails as Json[]), 'CHEQUE']),
  ],
  [
    'instruction-account-number-as-number',
    'INSTRUCTIONS-ACCOUNT-NUMBER',
    'The accountNumber is a number.',
    account('accountNumber').set(12345678),
  ],
  [
    'instruction-routing-number-as-number',
    'INSTRUCTIONS-ROUTING-NUMBER',
    'The routingNumber is a number.',
    account('routingNumber').set(21000021),
  ],
  [
    'instruction-bank-name-as-object',
    'INSTRUCTIONS-BANK-NAME',
    'The bankName is an object.',
    account('bankName').map((name) => ({ name })),
  ],
  [
    'instruction-reference-as-number',
    'INSTRUCTIONS-REFERENCE',
    'The reference is a number.',
    account('reference').set(4711),
  ],
  [
    'instruction-asset-type-as-object',
    'INSTRUCTIONS-ASSET-TYPE',
    'The assetType is an object.',
    account('assetType').map((code) => ({ code })),
  ],
  [
    'instruction-address-as-list',
    'INSTRUCTIONS-ADDRESS',
    'The address is a list.',
    account('address').map((address) => [address]),
  ],
  [
    'instruction-invoice-as-object',
    'INSTRUCTIONS-INVOICE',
    'The invoice is an object.',
    account('invoice').map((bolt11) => ({ bolt11 })),
  ],
  [
    'rate-without-counterparty-multiplier',
    'RATE-COUNTERPARTY-MULTIPLIER',
    'Rate details have no counterpartyMultiplier.',
    rate('counterpartyMultiplier').drop(),
  ],
  [
    'rate-counterparty-multiplier-zero',
    'RATE-COUNTERPARTY-MULTIPLIER',
    'The counterpartyMultiplier is zero.',
    rate('counterpartyMultiplier').set(0),
  ],
  [
    'rate-without-counterparty-fixed-fee',
    'RATE-COUNTERPARTY-FIXED-FEE',
    'Rate details have no counterpartyFixedFee.',
    rate('counterpartyFixedFee').drop(),
  ],
  [
    'rate-counterparty-fixed-fee-negative',
    'RATE-COUNTERPARTY-FIXED-FEE',
    'The counterpartyFixedFee is negative.',
    rate('counterpartyFixedFee').set(-1),
  ],
  [
    'rate-without-service-multiplier',
    'RATE-SERVICE-MULTIPLIER',
    'Rate details have no serviceApiMultiplier.',
    branded('Multiplier').drop(),
  ],
  [
    'rate-service-multiplier-as-text',
    'RATE-SERVICE-MULTIPLIER',
    'The serviceApiMultiplier is text.',
    branded('Multiplier').map(String),
  ],
  [
    'rate-without-service-fixed-fee',
    'RATE-SERVICE-FIXED-FEE',
    'Rate details have no serviceApiFixedFee.',
    branded('FixedFee').drop(),
  ],
  [
    'rate-service-fixed-fee-with-fraction',
    'RATE-SERVICE-FIXED-FEE',
    'The serviceApiFixedFee has a fraction.',
    branded('FixedFee').map((fee) => Number(fee) + 0.5),
  ],
  [
    'rate-without-variable-fee-rate',
    'RATE-SERVICE-VARIABLE-FEE-RATE',
    'Rate details have no serviceApiVariableFeeRate.',
    branded('VariableFeeRate').drop(),
  ],
  [
    'rate-variable-fee-rate-with-percent-sign',
    'RATE-SERVICE-VARIABLE-FEE-RATE',
    'The serviceApiVariableFeeRate is text with a percent sign.',
    branded('VariableFeeRate').map((percent) => `${String(percent)}%`),
  ],
  [
    'rate-without-variable-fee-amount',
    'RATE-SERVICE-VARIABLE-FEE-AMOUNT',
    'Rate details have no serviceApiVariableFeeAmount.',
    branded('VariableFeeAmount').drop(),
  ],
  [
    'rate-variable-fee-amount-as-text',
    'RATE-SERVICE-VARIABLE-FEE-AMOUNT',
    'The serviceApiVariableFeeAmount is text.',
    branded('VariableFeeAmount').map(String),
  ],
  [
    'rate-variable-fee-of-another-amount',
    'RATE-VARIABLE-FEE-EQUATION',
    'The serviceApiVariableFeeAmount is twice what rate and amount say.',
    branded('VariableFeeAmount').map((amount) => Number(amount) * 2 + 3),
  ],
  [
    'currency-code-as-number',
    'CURRENCY-CODE',
    'The code of a currency is its number.',
    currency('code').set(840),
  ],
  [
    'currency-code-in-small-letters',
    'CURRENCY-CODE',
    'The code of a currency is written in small letters.',
    currency('code').map((code) => String(code).toLowerCase()),
  ],
  ['currency-name-null', 'CURRENCY-NAME', 'The name of a currency is null.', currency('name').set(null)],
  [
    'currency-symbol-as-list',
    'CURRENCY-SYMBOL',
    'The symbol of a currency is a list.',
    currency('symbol').map((symbol) => [symbol]),
  ],
  [
    'currency-decimals-as-text',
    'CURRENCY-DECIMALS',
    'The decimals of a currency are text.',
    currency('decimals').map(String),
  ],
  [
    'currency-decimals-negative',
    'CURRENCY-DECIMALS',
    'The decimals of a currency are negative.',
    currency('decimals').set(-2),
  ],
]);
