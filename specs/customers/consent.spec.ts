import { expect, test, verifies, type Answer } from '../../suite/index.ts';
import { consentTo, create, customerBody, fresh, update, type Terms } from './support/consent.ts';
import { fieldsOf } from './support/objects-in.ts';

const UNKNOWN = 'END_USER_TERMS_VERSION_NOT_FOUND';

test(
  'a customer is created with a consent to the end-user terms',
  verifies('CUSTOMER-CREATE-CONSENT'),
  async ({ given, need, check, platform, observe }) => {
    const terms = await given.state<Terms>('terms', {}, ['version']);
    const body = await customerBody(given);
    need(await create(platform, fresh(body), 'a customer without consent')).accepted();
    const answer = await create(
      platform,
      { ...fresh(body), ...consentTo(terms.version) },
      'a customer with consent',
    );
    observe(
      'customer-consent-fields',
      { refusedIn: refusedFields(answer), CHECKBOX: answer.outcome },
      answer,
    );
    need.offered(
      !refusedFor(answer, 'endUserTermsConsent.'),
      'the fields of the consent are called otherwise here',
    );
    await check('CUSTOMER-CREATE-CONSENT', () => expect(answer).toBeAccepted());
    const click = await create(
      platform,
      { ...fresh(body), ...consentTo(terms.version, 'CLICK_TO_ACCEPT') },
      'a customer who clicked to accept',
    );
    observe('customer-consent-fields', { CLICK_TO_ACCEPT: click.outcome }, click);
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
    const answer = await update(platform, customerId, consentTo(terms.version), 'an update with consent');
    need.offered(
      !refusedFor(answer, 'endUserTermsConsent.'),
      'the fields of the consent are called otherwise here',
    );
    await check('CUSTOMER-UPDATE-CONSENT', () => expect(answer).toBeAccepted());
  },
);

test(
  'consent to the version that the service shows as current is accepted',
  verifies('CUSTOMER-CONSENT-CURRENT-VERSION'),
  async ({ given, need, check, platform, observe }) => {
    const terms = await given.state<Terms>('terms', {}, ['version']);
    const customer = await given.customer({ termsAccepted: false });
    need(await update(platform, customer.state.customerId, {}, 'an update without consent')).accepted();
    const shown = await platform.call('getEndUserTerms', { label: 'the current end-user terms' });
    need(shown).available();
    observe('customer-end-user-terms-shape', fieldsOf(shown), shown);
    // How the version is called is not shown: it is the field whose name says so.
    const [, named] =
      Object.entries((shown.body as object | undefined) ?? {}).find(([name]) => /version/i.test(name)) ?? [];
    const version = need.offered(
      typeof named === 'string' ? named : undefined,
      'no version could be recognised in the end-user terms',
    );
    const answer = await update(
      platform,
      customer.state.customerId,
      consentTo(version),
      'consent to the version that is shown as current',
    );
    need.that(
      version === terms.version || !answer.exchange.response || answer.accepted || answer.code === UNKNOWN,
      'the consent was refused for something else than its version',
    );
    await check('CUSTOMER-CONSENT-CURRENT-VERSION', () => expect(answer).not.toHaveCode(UNKNOWN), [
      shown,
      answer,
    ]);
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
          ? create(platform, { ...fresh(body), ...consentTo(version) }, label)
          : update(platform, customerId, consentTo(version), label);
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

function refusedFor(answer: Answer, prefix: string): boolean {
  return refusedFields(answer).some((field) => field.startsWith(prefix));
}
