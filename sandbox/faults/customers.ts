import type { Replacements } from '../areas/behaviour.ts';
import type { Json } from '../server/json.ts';
import { CONTACT_CODE } from '../areas/customers/records.ts';
import { Refusal, refusedAs } from '../server/refusal.ts';
import { fault, type Fault, within } from './fault.ts';
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
  fault(
    'consent-refused-at-creation',
    'CUSTOMER-CREATE-CONSENT',
    onBody('POST', (body) => 'endUserTermsConsent' in body),
  ),
  fault(
    'consent-at-creation-forgotten',
    'QUOTE-TERMS-ON-FILE',
    within('registerCustomer', { recordConsent: () => () => undefined }),
  ),
  fault(
    'consent-refused-at-update',
    'CUSTOMER-UPDATE-CONSENT',
    onBody('PATCH', (body) => 'endUserTermsConsent' in body),
  ),
  fault('current-terms-not-supported', 'CUSTOMER-CONSENT-CURRENT-VERSION', {
    presentTerms: () => () => ({ version: '2026-09-01', url: 'https://terms.sandbox.example/2026-09-01' }),
  }),
  fault('unknown-terms-accepted', 'CUSTOMER-CONSENT-UNKNOWN-VERSION', { termsSupported: () => () => true }),
  fault('unknown-terms-called-input', 'CUSTOMER-CONSENT-UNKNOWN-VERSION', {
    refuseTermsVersion: () => () => new Refusal(400, 'INVALID_INPUT', 'Unknown version.'),
  }),
  fault('unknown-terms-answer-404', 'CUSTOMER-CONSENT-UNKNOWN-VERSION', {
    refuseTermsVersion: () => (world, version) => world.behaviour.refuseNotFound('terms version', version),
  }),
  fault(
    'due-diligence-refused',
    'CUSTOMER-DUE-DILIGENCE-ACCEPTED',
    onBody('POST', (body) => DUE_DILIGENCE.some((name) => name in body)),
  ),
  fault(
    'due-diligence-refused-at-update',
    'CUSTOMER-DUE-DILIGENCE-UPDATED',
    onBody('PATCH', (body) => DUE_DILIGENCE.some((name) => name in body)),
  ),
  fault(
    'identification-refused',
    'CUSTOMER-IDENTIFICATION-ACCEPTED',
    onBody('POST', (body) => 'idType' in body),
  ),
  fault(
    'due-diligence-required',
    'CUSTOMER-DUE-DILIGENCE-OPTIONAL',
    onBody(
      'POST',
      (body) => body['customerType'] === 'INDIVIDUAL' && !DUE_DILIGENCE.some((name) => name in body),
    ),
  ),
  fault('customer-errors-one-at-a-time', 'CUSTOMER-FIELD-ERRORS-TOGETHER', {
    readBody: (original) => (world, call, route) =>
      firstErrorOnly(() => original(world, call, route), route.path),
  }),
  fault('problems-told-in-one-entry', 'VERIFICATION-RESOLVE-ERRORS', {
    presentProblems: (original) => (world, problems) =>
      problems.length > 1 ? original(world, [problems.join(', ')]) : original(world, problems),
  }),
  fault('only-first-problem-told', 'VERIFICATION-RESOLVE-ERRORS', {
    presentProblems: (original) => (world, problems) => original(world, problems.slice(0, 1)),
  }),
  fault('first-problem-told-for-all', 'VERIFICATION-RESOLVE-ERRORS', {
    presentProblems: (original) => (world, problems) => {
      const [first] = problems;
      return original(world, first === undefined ? [] : problems.map(() => first));
    },
  }),
  fault('problems-not-called-so', 'VERIFICATION-RESOLVE-ERRORS', {
    verificationStatus: () => () => 'IN_PROGRESS',
  }),
  fault('email-verified-for-everybody', 'CONTACT-EMAIL-NOT-APPLICABLE', {
    contactApplies: (original) => (world, customer, channel, step) =>
      channel === 'email' ? undefined : original(world, customer, channel, step),
  }),
  fault('email-confirm-answers-400', 'CONTACT-EMAIL-NOT-APPLICABLE', {
    contactApplies: (original) => (world, customer, channel, step) => {
      return refusedAs(
        () => original(world, customer, channel, step),
        (refusal) =>
          channel === 'email' && step === 'confirm' ? new Refusal(400, 'INVALID_INPUT', 'No.') : refusal,
      );
    },
  }),
  fault('phone-verification-answers-403', 'CONTACT-PHONE-NOT-APPLICABLE', {
    contactApplies: (original) => (world, customer, channel, step) => {
      return refusedAs(
        () => original(world, customer, channel, step),
        (refusal) => (channel === 'phone' ? world.behaviour.refuseForbidden('No.') : refusal),
      );
    },
  }),
  fault('contact-verification-for-nobody', 'CONTACT-APPLICABLE', { contactMandated: () => () => false }),
  ...['email', 'phone'].map((channel): Fault =>
    fault(`any-code-confirms-the-${channel}`, 'CONTACT-WRONG-CODE', {
      readBody: (original) => (world, call, route) => {
        const body = original(world, call, route);
        return call.path.endsWith(`verify-${channel}/confirm`) ? { code: CONTACT_CODE } : body;
      },
    }),
  ),
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
