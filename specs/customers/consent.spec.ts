import { expect, test, verifies, type Answer } from '../../suite/index.ts';
import {
  type Terms,
  consentTo,
  create,
  customerBody,
  fieldsOf,
  fresh,
  mustBeUnderstood,
  textsIn,
  update,
  urlsIn,
  versionIn,
} from '../support/customers.ts';

const UNKNOWN = 'END_USER_TERMS_VERSION_NOT_FOUND';

test(
  'a customer is created with a consent to the end-user terms',
  verifies('CUSTOMER-CREATE-CONSENT'),
  async ({ given, need, check, platform, observe }) => {
    const terms = await given.state<Terms>('terms', {}, ['version']);
    const body = await customerBody(given);
    need(await create(platform, fresh(body), 'a customer without consent')).accepted();
    const answer = await create(platform, { ...fresh(body), ...consentTo(terms) }, 'a customer with consent');
    observe('customer-consent-fields', { refusedIn: refusedFields(answer), sent: answer.outcome }, answer);
    mustBeUnderstood(need, terms, answer);
    await check('CUSTOMER-CREATE-CONSENT', () => expect(answer).toBeAccepted());
    for (const [field, acceptanceMethod] of methodsOf(terms)) {
      const other = await create(
        platform,
        { ...fresh(body), endUserTermsConsent: { ...consentOf(terms), [field]: acceptanceMethod } },
        `a customer whose way of acceptance is ${acceptanceMethod}`,
      );
      observe('customer-consent-fields', { [acceptanceMethod]: other.outcome }, other);
    }
    observe('customer-fields', { sent: Object.keys(body), shown: fieldsOf(answer) }, answer);
  },
);

test(
  'a customer is updated with a consent to the end-user terms',
  verifies('CUSTOMER-UPDATE-CONSENT'),
  async ({ given, need, check, platform }) => {
    const customer = await given.customer({ termsAccepted: false });
    const terms = await given.state<Terms>('terms', {}, ['version']);
    const { customerId } = customer.state;
    need(await update(platform, customerId, {}, 'an update without consent')).accepted();
    const answer = await update(platform, customerId, consentTo(terms), 'an update with consent');
    mustBeUnderstood(need, terms, answer);
    await check('CUSTOMER-UPDATE-CONSENT', () => expect(answer).toBeAccepted());
  },
);

test(
  'consent to the version that the service shows as current is accepted',
  verifies('CUSTOMER-CONSENT-CURRENT-VERSION'),
  async ({ given, need, check, platform, observe }) => {
    const terms = await given.state<Terms>('terms', {}, ['version']);
    const { customerId } = (await given.customer({ termsAccepted: false })).state;
    need(await update(platform, customerId, {}, 'an update without consent')).accepted();
    const shown = await platform.call('getEndUserTerms', { label: 'the current end-user terms' });
    need(shown).available();
    observe('customer-end-user-terms-shape', fieldsOf(shown), shown);
    const version = need.offered(versionIn(shown), 'no version could be recognised in the end-user terms');
    const answer = await update(
      platform,
      customerId,
      consentTo(terms, version),
      'consent to the version that is shown as current',
    );
    // Refused with another code it may be for anything else about the consent.
    if (answer.exchange.response && answer.code !== UNKNOWN) need(answer).accepted();
    await check('CUSTOMER-CONSENT-CURRENT-VERSION', () => expect(answer).toBeAccepted(), [shown]);
  },
);

test(
  'the current end-user terms come with a URL and a version',
  verifies('CUSTOMER-TERMS-SHOWN'),
  async ({ check, need, platform }) => {
    const shown = await platform.call('getEndUserTerms', { label: 'the current end-user terms' });
    need(shown).accepted();
    // What the two are called, and where they stand, is not shown: the URL is told by its form, the version by its name.
    await check(
      'CUSTOMER-TERMS-SHOWN',
      () => expect(urlsIn(shown).length, 'URLs in the answer').toBeGreaterThan(0),
      [shown],
    );
    need.offered(
      versionIn(shown) !== undefined || textsIn(shown).length === urlsIn(shown).length,
      'no version could be recognised in the end-user terms',
    );
    await check('CUSTOMER-TERMS-SHOWN', () => expect(versionIn(shown), 'the version').toBeDefined(), [shown]);
  },
);

for (const [what, way] of [
  ['at creation', 'create'],
  ['at an update', 'update'],
] as const)
  test(
    `consent ${what} to a version that is not supported is refused`,
    verifies('CUSTOMER-CONSENT-UNKNOWN-VERSION'),
    async ({ given, need, check, platform }) => {
      const terms = await given.state<Terms>('terms', {}, ['version', 'unknownVersion']);
      const customerId =
        way === 'update' ? (await given.customer({ termsAccepted: false })).state.customerId : '';
      const body = way === 'create' ? await customerBody(given) : {};
      const send = (version: string, label: string) =>
        way === 'create'
          ? create(platform, { ...fresh(body), ...consentTo(terms, version) }, label)
          : update(platform, customerId, consentTo(terms, version), label);
      need(await send(terms.version, 'consent to a supported version')).accepted();
      const answer = await send(terms.unknownVersion ?? '', 'consent to a version that is not supported');
      await check('CUSTOMER-CONSENT-UNKNOWN-VERSION', () => {
        expect(answer).toBeRefused(400);
        expect(answer).toHaveCode(UNKNOWN);
      });
    },
  );

function refusedFields(answer: Answer): readonly string[] {
  const { details } = ((answer.exchange.response && answer.body) ?? {}) as {
    details?: { errors?: readonly { field?: string }[] };
  };
  return Array.isArray(details?.errors) ? details.errors.map((error) => String(error?.field)) : [];
}

function consentOf(terms: Terms): Readonly<Record<string, unknown>> {
  return consentTo(terms)['endUserTermsConsent'] as Readonly<Record<string, unknown>>;
}

/** Other ways of acceptance, where the consent has a field for it. */
function methodsOf(terms: Terms): readonly (readonly [string, string])[] {
  const [field] = Object.keys(consentOf(terms)).filter((name) => /method/i.test(name));
  return field === undefined ? [] : [[field, 'CLICK_TO_ACCEPT']];
}
