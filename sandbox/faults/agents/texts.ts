import { transferSchema } from '../../core/loosened.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Replacements } from '../../core/replacement.ts';
import type { Fault } from '../fault.ts';

/** Remittance information and purpose of a transfer-out. */
export const textFaults: readonly Fault[] = [
  {
    name: 'remittance-limit-one-too-low',
    breaks: 'TRANSFER-REMITTANCE-ACCEPTED',
    says: 'Remittance information of the maximum length is refused.',
    replace: { requestSchema: remittance((maximum) => maximum - 1) },
  },
  {
    name: 'remittance-counted-in-bytes',
    breaks: 'TRANSFER-REMITTANCE-ACCEPTED',
    says: 'The limit of remittance information is one of bytes.',
    replace: { countCharacters: () => (_world, text) => Buffer.byteLength(text) },
  },
  {
    name: 'remittance-limit-one-too-high',
    breaks: 'TRANSFER-REMITTANCE-MAX',
    says: 'Remittance information one character too long is accepted.',
    replace: { requestSchema: remittance((maximum) => maximum + 1) },
  },
  {
    name: 'remittance-cut-at-the-limit',
    breaks: 'TRANSFER-REMITTANCE-MAX',
    says: 'Remittance information that is too long is cut and accepted.',
    replace: { requestSchema: remittance(() => Number.MAX_SAFE_INTEGER) },
  },
  {
    name: 'remittance-letters-only',
    breaks: 'TRANSFER-REMITTANCE-FREE-FORM',
    says: 'Remittance information with punctuation is refused.',
    replace: {
      requestSchema: transferSchema(
        (schema) => (schema.properties['remittanceInformation']!['pattern'] = '^[A-Za-z0-9 ]*$'),
      ),
    },
  },
  {
    name: 'remittance-as-number-accepted',
    breaks: 'TRANSFER-REMITTANCE-TYPE',
    says: 'Remittance information that is a number or a list is turned into text.',
    replace: {
      requestSchema: transferSchema((schema) => delete schema.properties['remittanceInformation']!['type']),
    },
  },
  {
    name: 'remittance-required',
    breaks: 'TRANSFER-REMITTANCE-OPTIONAL',
    says: 'A transfer-out without remittance information is refused.',
    replace: { requestSchema: transferSchema((schema) => schema.required!.push('remittanceInformation')) },
  },
  {
    name: 'purpose-self-refused',
    breaks: 'TRANSFER-PURPOSE-ACCEPTED',
    says: 'The purpose SELF is taken for a payment to oneself.',
    replace: {
      purposeGiven: (original) => (world, destination, purpose) =>
        purpose === 'SELF'
          ? new Refusal(400, 'SELF_PAYMENT', 'Not to yourself.')
          : original(world, destination, purpose),
    },
  },
  {
    name: 'last-purpose-unknown',
    breaks: 'TRANSFER-PURPOSE-ACCEPTED',
    says: 'The last of the purposes is not known.',
    replace: {
      requestSchema: transferSchema((schema) =>
        (schema.properties['purposeOfPayment']!['enum'] as string[]).pop(),
      ),
    },
  },
  {
    name: 'unknown-purpose-accepted',
    breaks: 'TRANSFER-PURPOSE-UNKNOWN',
    says: 'Any text is a purpose of payment.',
    replace: {
      requestSchema: transferSchema((schema) => delete schema.properties['purposeOfPayment']!['enum']),
    },
  },
  {
    name: 'purpose-always-required',
    breaks: 'TRANSFER-PURPOSE-OPTIONAL',
    says: 'A purpose is asked for whatever the destination.',
    replace: { purposeNeeded: () => () => true },
  },
  {
    name: 'purpose-does-not-help-where-required',
    breaks: 'TRANSFER-PURPOSE-GEOGRAPHY',
    says: 'Where a purpose is asked for, a transfer-out with one is refused too.',
    replace: {
      purposeGiven: (original) => (world, destination, purpose) =>
        original(world, destination, world.rules.purposeNeeded(world, destination) ? undefined : purpose),
    },
  },
];

function remittance(change: (maximum: number) => number): NonNullable<Replacements['requestSchema']> {
  return transferSchema(({ properties }) => {
    const schema = properties['remittanceInformation']!;
    schema['maxLength'] = change(schema['maxLength'] as number);
  });
}
