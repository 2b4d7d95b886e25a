import {
  eventually,
  expect,
  succeeded,
  test,
  verifies,
  type Answer,
  type Given,
  type Need,
} from '../../suite/index.ts';
import {
  create,
  everyObjectIn,
  fieldsOf,
  fresh,
  mustUpdate,
  update,
  type CustomerBodies,
} from '../support/customers.ts';

/** Values of the state `terms`. */
interface Terms {
  readonly version: string;
  readonly unknownVersion?: string;
  /** An `endUserTermsConsent` to `version`, as this target takes it. */
  readonly consent?: Readonly<Record<string, unknown>>;
}

const NOT_ACCEPTED = 'END_USER_TERMS_NOT_ACCEPTED';
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
    await mustUpdate(platform, customerId, need);
    const answer = await update(platform, customerId, consentTo(terms), 'an update with consent');
    mustBeUnderstood(need, terms, answer);
    await check('CUSTOMER-UPDATE-CONSENT', () => expect(answer).toBeAccepted());
  },
);

test(
  'consent that an update gives is on file: a quote that failed for want of it is made',
  verifies('QUOTE-TERMS-ON-FILE'),
  async ({ given, need, check }) => {
    need(await (await given.customer({ termsAccepted: true })).create()).accepted();
    const terms = await given.state<Terms>('terms', {}, ['version']);
    const customer = await given.customer({ termsAccepted: false });
    const before = await customer.create({}, 'a quote before the consent');
    need(before).refused();
    need.that(before.code === NOT_ACCEPTED, 'the quote was refused for something else');
    const consent = (version: string, label: string) =>
      update(given.platformOf(customer.state), customer.state.customerId, consentTo(terms, version), label);
    const { version, unknownVersion } = terms;
    const unknown = unknownVersion && (await consent(unknownVersion, 'consent to an unsupported version'));
    need(await consent(version, 'consent to the supported version')).available();
    const again = await eventually(
      () => customer.create({}, 'the same quote after the consent'),
      succeeded,
      customer.patienceMs,
    );
    if (again.exchange.response && again.code !== NOT_ACCEPTED) need(again).accepted();
    // A service that finds the version in a consent knows its fields; another one may have overlooked the whole.
    const isRead = unknown && unknown.exchange.response && !unknown.accepted && unknown.code === UNKNOWN;
    await check('QUOTE-TERMS-ON-FILE', () => expect(again).toBeAccepted(), {
      assumes: terms.consent || isRead ? [] : ['bodies.updateCustomer'],
    });
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
    const mustCreate = async (consent: object, label: string) => {
      const answer = await create(platform, { ...fresh(body), ...consent }, label);
      need(answer).available();
      const { id } = answer.body as { readonly id?: unknown };
      return need.offered(typeof id === 'string' ? id : undefined, 'the new customer shows no id');
    };
    const quoteOf = (customerId: string, label: string) =>
      payer.create(
        {
          source: { sourceType: 'REALTIME_FUNDING', customerId, currency: 'USD' },
          destination: { destinationType: 'UMA_ADDRESS', umaAddress },
        },
        label,
      );
    const without = await mustCreate({}, 'a customer without consent');
    const refused = await quoteOf(without, 'a quote of the customer without consent');
    need.offered(
      refused.exchange.response && !refused.accepted && refused.code === NOT_ACCEPTED,
      'a quote of a new customer is not refused for the want of consent',
    );
    const customerId = await mustCreate(consentTo(terms), 'a customer with consent');
    const quoted = await eventually(
      () => quoteOf(customerId, 'a quote of the customer with consent'),
      ({ exchange, accepted, code }) =>
        exchange.response !== undefined && (accepted || code !== NOT_ACCEPTED),
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
    need(await (await given.customer({ termsAccepted: true })).create()).accepted();
    const terms = await given.state<Terms>('terms', {}, ['version', 'unknownVersion']);
    const customer = await given.customer({ termsAccepted: false });
    const before = await customer.create({}, 'a quote before any consent');
    need(before).refused();
    need.that(before.code === NOT_ACCEPTED, 'the quote was refused for something else');
    const refused = await update(
      given.platformOf(customer.state),
      customer.state.customerId,
      consentTo(terms, terms.unknownVersion),
      'consent to a version that is not supported',
    );
    need(refused).refused();
    const again = await customer.create({}, 'the same quote after the refused consent');
    await check('QUOTE-TERMS-NOT-ACCEPTED', () => expect(again).toBeRefused(403), [refused, again]);
  },
);

test(
  'consent to the version that the service shows as current is accepted',
  verifies('CUSTOMER-CONSENT-CURRENT-VERSION'),
  async ({ given, need, check, platform, observe }) => {
    const terms = await given.state<Terms>('terms', {}, ['version']);
    const { customerId } = (await given.customer({ termsAccepted: false })).state;
    await mustUpdate(platform, customerId, need);
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

/**
 * A consent to a version of the terms. How its fields are called is not shown: they are those that the state gives, else the
 * usual names.
 */
function consentTo(terms: Terms, version = terms.version): Readonly<Record<string, unknown>> {
  const given = Object.entries(terms.consent ?? {});
  const said = given.map(([name, value]) => [name, value === terms.version ? version : value] as const);
  return {
    endUserTermsConsent:
      given.length > 0
        ? Object.fromEntries(said)
        : {
            acceptedAt: new Date(Date.now() - 60_000).toISOString(),
            ipAddress: '203.0.113.7',
            termsVersion: version,
            acceptanceMethod: 'CHECKBOX',
          },
  };
}

/** Ends the test as not verified where a refusal may only mean that the consent has other fields here. */
function mustBeUnderstood(need: Need, terms: Terms, answer: Answer): void {
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
  return textsIn(answer)
    .filter(
      ([name, text]) =>
        /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || (/ur[il]$|link|href/i.test(name) && text !== ''),
    )
    .map(([, text]) => text);
}

/** The version of the terms: the text whose name says so. */
function versionIn(answer: Answer): string | undefined {
  return textsIn(answer).find(([name, text]) => /version/i.test(name) && text !== '')?.[1];
}
