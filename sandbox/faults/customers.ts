import type { Replacements } from '../areas/behaviour.ts';
import type { Json } from '../server/json.ts';
import { CONTACT_CODE } from '../areas/customers/records.ts';
import { Refusal, refusedAs } from '../server/refusal.ts';
import { faultsOf, type Row, within } from './fault.ts';
import { shownWrongly } from './shown-wrongly.ts';

const DUE_DILIGENCE = [
  'sourceOfFunds',
  'sourceOfWealth',
  'purposeOfAccount',
  'incomeRange',
  'netWorthRange',
  'pepStatus',
];

/** Customers, consent, verifications and contact verification. */
export const customerFaults = [
  ...shownWrongly('presentTerms', 'terms', {
    url: ['CUSTOMER-TERMS-SHOWN', 'missing'],
    version: ['CUSTOMER-TERMS-SHOWN', 'missing'],
  }),
  ...faultsOf([
    [
      'consent-refused-at-creation',
      'CUSTOMER-CREATE-CONSENT',
      'A new customer with endUserTermsConsent is refused.',
      onBody('POST', (body) => 'endUserTermsConsent' in body),
    ],
    [
      'consent-at-creation-forgotten',
      'QUOTE-TERMS-ON-FILE',
      'The consent that a new customer brings is taken and forgotten.',
      within('registerCustomer', { recordConsent: () => () => undefined }),
    ],
    [
      'consent-refused-at-update',
      'CUSTOMER-UPDATE-CONSENT',
      'An update with endUserTermsConsent is refused.',
      onBody('PATCH', (body) => 'endUserTermsConsent' in body),
    ],
    [
      'current-terms-not-supported',
      'CUSTOMER-CONSENT-CURRENT-VERSION',
      'The version that is shown as current is not supported.',
      {
        presentTerms: () => () => ({
          version: '2026-09-01',
          url: 'https://terms.sandbox.example/2026-09-01',
        }),
      },
    ],
    [
      'unknown-terms-accepted',
      'CUSTOMER-CONSENT-UNKNOWN-VERSION',
      'Consent to any version is accepted.',
      { termsSupported: () => () => true },
    ],
    [
      'unknown-terms-called-input',
      'CUSTOMER-CONSENT-UNKNOWN-VERSION',
      'An unknown terms version has the code INVALID_INPUT.',
      { refuseTermsVersion: () => () => new Refusal(400, 'INVALID_INPUT', 'Unknown version.') },
    ],
    [
      'unknown-terms-answer-404',
      'CUSTOMER-CONSENT-UNKNOWN-VERSION',
      'An unknown terms version answers 404.',
      {
        refuseTermsVersion: () => (world, version) =>
          world.behaviour.refuseNotFound('terms version', version),
      },
    ],
    [
      'due-diligence-refused',
      'CUSTOMER-DUE-DILIGENCE-ACCEPTED',
      'Due-diligence fields are refused.',
      onBody('POST', (body) => DUE_DILIGENCE.some((name) => name in body)),
    ],
    [
      'due-diligence-refused-at-update',
      'CUSTOMER-DUE-DILIGENCE-UPDATED',
      'Due-diligence fields are refused at an update.',
      onBody('PATCH', (body) => DUE_DILIGENCE.some((name) => name in body)),
    ],
    [
      'identification-refused',
      'CUSTOMER-IDENTIFICATION-ACCEPTED',
      'Individuals are not taken with idType.',
      onBody('POST', (body) => 'idType' in body),
    ],
    [
      'due-diligence-required',
      'CUSTOMER-DUE-DILIGENCE-OPTIONAL',
      'Individuals need due-diligence fields.',
      onBody(
        'POST',
        (body) => body['customerType'] === 'INDIVIDUAL' && !DUE_DILIGENCE.some((name) => name in body),
      ),
    ],
    [
      'customer-errors-one-at-a-time',
      'CUSTOMER-FIELD-ERRORS-TOGETHER',
      'Of the invalid fields of a customer only the first is told.',
      {
        readBody: (original) => (world, call, route) =>
          firstErrorOnly(() => original(world, call, route), route.path),
      },
    ],
    [
      'problems-told-in-one-entry',
      'VERIFICATION-RESOLVE-ERRORS',
      'All problems of a verification come in one entry.',
      {
        presentProblems: (original) => (world, problems) =>
          problems.length > 1 ? original(world, [problems.join(', ')]) : original(world, problems),
      },
    ],
    [
      'only-first-problem-told',
      'VERIFICATION-RESOLVE-ERRORS',
      'Only the first problem of a verification is told.',
      { presentProblems: (original) => (world, problems) => original(world, problems.slice(0, 1)) },
    ],
    [
      'first-problem-told-for-all',
      'VERIFICATION-RESOLVE-ERRORS',
      'Each entry of a verification tells the first problem.',
      {
        presentProblems: (original) => (world, problems) => {
          const [first] = problems;
          return original(world, first === undefined ? [] : problems.map(() => first));
        },
      },
    ],
    [
      'problems-not-called-so',
      'VERIFICATION-RESOLVE-ERRORS',
      'A verification with problems is IN_PROGRESS.',
      { verificationStatus: () => () => 'IN_PROGRESS' },
    ],
    [
      'email-verified-for-everybody',
      'CONTACT-EMAIL-NOT-APPLICABLE',
      'E-mails are verified for every customer.',
      {
        contactApplies: (original) => (world, customer, channel, step) =>
          channel === 'email' ? undefined : original(world, customer, channel, step),
      },
    ],
    [
      'email-confirm-answers-400',
      'CONTACT-EMAIL-NOT-APPLICABLE',
      'Confirming an e-mail where it does not apply answers 400.',
      {
        contactApplies: (original) => (world, customer, channel, step) => {
          return refusedAs(
            () => original(world, customer, channel, step),
            (refusal) =>
              channel === 'email' && step === 'confirm' ? new Refusal(400, 'INVALID_INPUT', 'No.') : refusal,
          );
        },
      },
    ],
    [
      'phone-verification-answers-403',
      'CONTACT-PHONE-NOT-APPLICABLE',
      'Phone verification where it does not apply answers 403.',
      {
        contactApplies: (original) => (world, customer, channel, step) => {
          return refusedAs(
            () => original(world, customer, channel, step),
            (refusal) => (channel === 'phone' ? world.behaviour.refuseForbidden('No.') : refusal),
          );
        },
      },
    ],
    [
      'contact-verification-for-nobody',
      'CONTACT-APPLICABLE',
      'Contact verification applies to nobody.',
      { contactMandated: () => () => false },
    ],
    ...['email', 'phone'].map((channel): Row => [
      `any-code-confirms-the-${channel}`,
      'CONTACT-WRONG-CODE',
      `Any code confirms the ${channel}.`,
      {
        readBody: (original) => (world, call, route) => {
          const body = original(world, call, route);
          return call.path.endsWith(`verify-${channel}/confirm`) ? { code: CONTACT_CODE } : body;
        },
      },
    ]),
  ]),
];

/** Customer requests with such a body are refused. */
function onBody(method: string, when: (body: Record<string, unknown>) => boolean): Replacements {
  return {
    readBody: (original) => (world, call, route) => {
      const body = original(world, call, route);
      const isCustomer = /^\/customers(\/Customer:[^/]*)?$/.test(decodeURIComponent(call.path));
      if (call.method === method && isCustomer && when((body ?? {}) as Record<string, unknown>)) {
        throw new Refusal(400, 'INVALID_INPUT', 'These fields are not taken.');
      }
      return body;
    },
  };
}

function firstErrorOnly<T>(read: () => T, path: string): T {
  try {
    return read();
  } catch (error) {
    const errors = error instanceof Refusal ? (error.details?.['errors'] as Json[] | undefined) : undefined;
    if (!errors || !path.startsWith('/customers')) throw error;
    throw new Refusal(400, (error as Refusal).code, (error as Refusal).message, {
      details: { errors: errors.slice(0, 1) },
    });
  }
}
