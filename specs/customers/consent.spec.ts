import {
  eventually,
  expect,
  newEmail,
  succeeded,
  test,
  verifies,
  type Answer,
  type Given,
  type Need,
  type Platform,
  type QuoteCustomer,
} from '../../suite/index.ts';
import {
  create,
  everyObjectIn,
  fieldsOf,
  fresh,
  idOf,
  needUpdate,
  namedIn,
  update,
  type CustomerBodies,
} from '../support/customers.ts';
import { expectError } from '../support/refusals.ts';

/** Values of the state `terms`. */
interface Terms {
  readonly version: string;
  readonly unknownVersion?: string;
  /** An `endUserTermsConsent` to `version`, as this target takes it. */
  readonly consent?: Consent;
}

const NOT_ACCEPTED = 'END_USER_TERMS_NOT_ACCEPTED';
const UNKNOWN = 'END_USER_TERMS_VERSION_NOT_FOUND';
/** Another way of acceptance than that of the usual consent. */
const CLICK = 'CLICK_TO_ACCEPT';

type Consent = Readonly<Record<string, unknown>>;

test(
  'a customer is created with a consent to the end-user terms',
  verifies('CUSTOMER-CREATE-CONSENT'),
  async ({ given, need, check, platform, observe }) => {
    const terms = await given.state<Terms>('terms', {}, ['version']);
    const body = await customerBody(given);
    need(await create(platform, fresh(body), 'a customer without consent')).accepted();
    const consent = consentTo(terms);
    const createWith = (endUserTermsConsent: object, label: string) =>
      create(platform, { ...fresh(body), endUserTermsConsent }, label);
    const answer = await createWith(consent, 'a customer with consent');
    observe('customer-consent-fields', { refusedIn: refusedFields(answer), sent: answer.outcome }, answer);
    needUnderstood(need, terms, answer);
    await check('CUSTOMER-CREATE-CONSENT', () => expect(answer).toBeAccepted());
    // Another way of acceptance, where the consent has a field for it.
    const field = Object.keys(consent).find((name) => /method/i.test(name));
    if (field !== undefined) {
      const other = await createWith({ ...consent, [field]: CLICK }, `a customer who accepted by ${CLICK}`);
      observe('customer-consent-fields', { [CLICK]: other.outcome }, other);
    }
    observe('customer-fields', { sent: Object.keys(body), shown: fieldsOf(answer) }, answer);
  },
);

test(
  'a customer is updated with a consent to the end-user terms',
  verifies('CUSTOMER-UPDATE-CONSENT'),
  async ({ given, need, check, platform }) => {
    const { customerId } = (await given.customer({ termsAccepted: false })).state;
    const terms = await given.state<Terms>('terms', {}, ['version']);
    await needUpdate(platform, customerId, need);
    const answer = await accept(platform, customerId, consentTo(terms), 'an update with consent');
    needUnderstood(need, terms, answer);
    await check('CUSTOMER-UPDATE-CONSENT', () => expect(answer).toBeAccepted());
  },
);

test(
  'consent that an update gives is on file, and stays there: a quote that failed for want of it is made',
  verifies('QUOTE-TERMS-ON-FILE'),
  async ({ given, need, check }) => {
    const terms = await given.state<Terms>('terms', {}, ['version']);
    const customer = await refusedForWantOfConsent(given);
    const consent = (version: string, label: string) =>
      accept(given.platformOf(customer.state), customer.state.customerId, consentTo(terms, version), label);
    const { version, unknownVersion } = terms;
    const unknown = unknownVersion && (await consent(unknownVersion, 'consent to an unsupported version'));
    need(await consent(version, 'consent to the supported version')).available();
    const again = await eventually(
      () => customer.create({}, 'the same quote after the consent'),
      succeeded,
      customer.patienceMs,
    );
    if (!lacksConsent(again)) need(again).accepted();
    // A service that finds the version in a consent knows its fields; another one may have overlooked the whole.
    const isRead = unknown && unknown.exchange.response && !unknown.accepted && unknown.code === UNKNOWN;
    await check('QUOTE-TERMS-ON-FILE', () => expect(again).toBeAccepted(), {
      assumes: terms.consent || isRead ? [] : ['bodies.updateCustomer'],
    });
    need(again).accepted();
    need(await updateOfSomethingElse(given, customer)).available();
    const later = await customer.create({}, 'the same quote after the update of something else');
    await check(
      'QUOTE-TERMS-ON-FILE',
      () => expect(lacksConsent(later), 'consent is wanted again').toBe(false),
      [later],
    );
  },
);

test(
  'consent that a new customer brings is on file',
  verifies('QUOTE-TERMS-ON-FILE'),
  async ({ given, need, check }) => {
    const payer = await given.customer({ termsAccepted: true });
    const terms = await given.state<Terms>('terms', {}, ['version']);
    const { umaAddress } = payer.state;
    need.offered(umaAddress, 'the state names no UMA address with a receiver');
    const body = await customerBody(given);
    const platform = given.platformOf(payer.state);
    const newCustomer = async (consent: object, label: string) =>
      idOf(await create(platform, { ...fresh(body), ...consent }, label), need);
    const quoteOf = (customerId: string, label: string) =>
      payer.create(
        {
          source: { sourceType: 'REALTIME_FUNDING', customerId, currency: 'USD' },
          destination: { destinationType: 'UMA_ADDRESS', umaAddress },
        },
        label,
      );
    const without = await newCustomer({}, 'a customer without consent');
    need.offered(
      lacksConsent(await quoteOf(without, 'a quote of the customer without consent')),
      'a quote of a new customer is not refused for the want of consent',
    );
    const customerId = await newCustomer(
      { endUserTermsConsent: consentTo(terms) },
      'a customer with consent',
    );
    const quoted = await eventually(
      () => quoteOf(customerId, 'a quote of the customer with consent'),
      (answer) => answer.exchange.response !== undefined && !lacksConsent(answer),
      payer.patienceMs,
    );
    need.that(quoted.exchange.response, 'the quote got no answer');
    // Such a customer may be refused for something else.
    await check(
      'QUOTE-TERMS-ON-FILE',
      () => expect(quoted.accepted ? 'accepted' : quoted.code).not.toBe(NOT_ACCEPTED),
      { evidence: [quoted], assumes: terms.consent ? [] : ['bodies.createCustomer'] },
    );
  },
);

test(
  'consent to a version that is not supported leaves no acceptance on file',
  verifies('QUOTE-TERMS-NOT-ACCEPTED'),
  async ({ given, need, check }) => {
    const terms = await given.state<Terms>('terms', {}, ['version', 'unknownVersion']);
    const customer = await refusedForWantOfConsent(given);
    const platform = given.platformOf(customer.state);
    const consent = consentTo(terms, terms.unknownVersion);
    const label = 'consent to a version that is not supported';
    const refused = await accept(platform, customer.state.customerId, consent, label);
    need(refused).refused();
    const again = await customer.create({}, 'the same quote after the refused consent');
    await check('QUOTE-TERMS-NOT-ACCEPTED', () => expect(again).toBeRefused(403), [refused, again]);
    const updated = await updateOfSomethingElse(given, customer);
    if (!succeeded(updated)) return;
    const later = await customer.create({}, 'the same quote after an update without consent');
    await check('QUOTE-TERMS-NOT-ACCEPTED', () => expect(later).toBeRefused(403), [updated, later]);
  },
);

test(
  'consent to the version that the service shows as current is accepted',
  verifies('CUSTOMER-CONSENT-CURRENT-VERSION'),
  async ({ given, need, check, platform, observe }) => {
    const terms = await given.state<Terms>('terms', {}, ['version']);
    const { customerId } = (await given.customer({ termsAccepted: false })).state;
    await needUpdate(platform, customerId, need);
    const shown = await platform.call('getEndUserTerms', { label: 'the current end-user terms' });
    need(shown).available();
    observe('customer-end-user-terms-shape', fieldsOf(shown), shown);
    const version = need.offered(versionIn(shown), 'no version could be recognised in the end-user terms');
    const label = 'consent to the version that is shown as current';
    const answer = await accept(platform, customerId, consentTo(terms, version), label);
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
    const [urls, version] = [urlsIn(shown), versionIn(shown)];
    const isThere = () => expect(urls.length, 'URLs in the answer').toBeGreaterThan(0);
    await check('CUSTOMER-TERMS-SHOWN', isThere, [shown]);
    need.offered(
      version !== undefined || textsIn(shown).length === urls.length,
      'no version could be recognised in the end-user terms',
    );
    await check('CUSTOMER-TERMS-SHOWN', () => expect(version, 'the version').toBeDefined(), [shown]);
  },
);

for (const [what, sender] of [
  ['at creation', creating],
  ['at an update', updating],
] as const)
  test(
    `consent ${what} to a version that is not supported is refused`,
    verifies('CUSTOMER-CONSENT-UNKNOWN-VERSION'),
    async ({ given, need, check, platform }) => {
      const terms = await given.state<Terms>('terms', {}, ['version', 'unknownVersion']);
      const send = await sender(given, platform);
      need(await send(consentTo(terms), 'consent to a supported version')).accepted();
      const consent = consentTo(terms, terms.unknownVersion);
      const answer = await send(consent, 'consent to a version that is not supported');
      await check('CUSTOMER-CONSENT-UNKNOWN-VERSION', () => expectError(answer, 400, UNKNOWN));
    },
  );

type Send = (consent: Consent, label: string) => Promise<Answer>;

async function creating(given: Given, platform: Platform): Promise<Send> {
  const body = await customerBody(given);
  return (endUserTermsConsent, label) => create(platform, { ...fresh(body), endUserTermsConsent }, label);
}

async function updating(given: Given, platform: Platform): Promise<Send> {
  const { customerId } = (await given.customer({ termsAccepted: false })).state;
  return (consent, label) => accept(platform, customerId, consent, label);
}

/** An update of a customer with a consent. */
function accept(platform: Platform, customerId: string, consent: Consent, label: string): Promise<Answer> {
  return update(platform, customerId, { endUserTermsConsent: consent }, label);
}

function updateOfSomethingElse(given: Given, customer: QuoteCustomer): Promise<Answer> {
  const email = { customerType: 'INDIVIDUAL', email: newEmail() };
  return customer.call('updateCustomer', {
    label: 'an update of something else',
    path: { customerId: customer.state.customerId },
    body: given.platformOf(customer.state).filled('updateCustomer', email),
  });
}

/** A customer without consent, and the control that with it a quote is made. */
async function refusedForWantOfConsent(given: Given): Promise<QuoteCustomer> {
  const control = await given.customer({ termsAccepted: true });
  control.need(await control.create()).accepted();
  const customer = await given.customer({ termsAccepted: false });
  const before = await customer.create({}, 'a quote before any consent');
  customer.need(before).refused();
  customer.need.that(lacksConsent(before), 'the quote was refused for something else');
  return customer;
}

/** Refused with the code that the text has for it. */
function lacksConsent(answer: Answer): boolean {
  return answer.exchange.response !== undefined && !answer.accepted && answer.code === NOT_ACCEPTED;
}

function refusedFields(answer: Answer): readonly string[] {
  return answer.exchange.response ? namedIn(answer) : [];
}

/**
 * A consent to a version of the terms. How its fields are called is not shown: they are those that the state gives, else the
 * usual names.
 */
function consentTo({ version: supported, consent = {} }: Terms, version = supported): Consent {
  const said = Object.entries(consent).map(([name, value]) => [name, value === supported ? version : value]);
  if (said.length > 0) return Object.fromEntries(said) as Consent;
  return {
    acceptedAt: new Date(Date.now() - 300_000).toISOString(),
    ipAddress: '203.0.113.7',
    termsVersion: version,
    acceptanceMethod: 'CHECKBOX',
  };
}

/** Ends the test as not verified where a refusal may only mean that the consent has other fields here. */
function needUnderstood(need: Need, terms: Terms, answer: Answer): void {
  need.offered(
    terms.consent !== undefined || answer.exchange.response?.status !== 400,
    'the fields of endUserTermsConsent are not shown, the usual ones are refused, and the state gives no other',
  );
}

/** A body of POST /customers that the target takes, with an id and an e-mail of its own. */
async function customerBody(given: Given): Promise<Readonly<Record<string, unknown>>> {
  const { without } = await given.state<CustomerBodies>('due-diligence', {}, ['without']);
  return fresh(without);
}

/** Every text of an accepted answer of unknown shape, with its name; numbers are written as texts. */
function textsIn(answer: Answer): readonly (readonly [name: string, text: string])[] {
  return everyObjectIn(answer)
    .flatMap((object) => Object.entries(object))
    .filter((entry) => ['string', 'number'].includes(typeof entry[1]))
    .map(([name, value]) => [name, String(value)]);
}

/** Texts that are addresses; one that is called so may be relative. */
function urlsIn(answer: Answer): readonly string[] {
  const isUrl = (name: string, text: string) =>
    /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || (/ur[il]$|link|href/i.test(name) && text !== '');
  return textsIn(answer)
    .filter(([name, text]) => isUrl(name, text))
    .map(([, text]) => text);
}

/** The version of the terms: the text whose name says so. */
function versionIn(answer: Answer): string | undefined {
  return textsIn(answer).find(([name, text]) => /version/i.test(name) && text !== '')?.[1];
}
