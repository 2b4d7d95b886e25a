import type { Json } from './steps.ts';

/** Rails that bank accounts of a currency usually have. */
const USUAL_RAILS: Readonly<Record<string, readonly string[]>> = {
  EUR: ['SEPA', 'SEPA_INSTANT'],
};
const US_RAILS = ['ACH', 'WIRE', 'RTP', 'FEDNOW'];
const BENEFICIARY = { beneficiaryType: 'INDIVIDUAL', fullName: 'Assay Example' };

/** A bank account of a currency that nobody has used yet. The fields of most variants are not shown in the interface. */
export function accountInfo(currency: string, rails: readonly string[] | undefined): Json {
  const common = {
    accountType: `${currency}_ACCOUNT`,
    paymentRails: rails ?? USUAL_RAILS[currency] ?? US_RAILS,
    bankName: 'Example Bank',
    beneficiary: BENEFICIARY,
  };
  return currency === 'EUR'
    ? { ...common, iban: germanIban(digits(18)) }
    : { ...common, accountNumber: digits(10), routingNumber: '021000021' };
}

/** With the check digits of ISO 7064, MOD 97-10. @param account bank code and account number, 18 digits */
export function germanIban(account: string): string {
  // D is 13 and E is 14 in this arithmetic.
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}

function digits(count: number): string {
  const first = 1 + Math.floor(Math.random() * 9);
  return [first, ...Array.from({ length: count - 1 }, () => Math.floor(Math.random() * 10))].join('');
}
