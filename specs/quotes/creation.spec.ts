import { eventually, expect, preparedBy, succeeded, test, verifies } from '../../suite/index.ts';
import { bodyOf, RECEIVED_IS_LOCKED } from '../support/quotes.ts';

type Side = Readonly<Record<string, unknown>> | undefined;

const KINDS = ['ACCOUNT', 'REALTIME_FUNDING'] as const;
const DESTINATIONS = ['ACCOUNT', 'UMA_ADDRESS'] as const;

const TERMS_CODE = 'END_USER_TERMS_NOT_ACCEPTED';
const VERSION_CODE = 'END_USER_TERMS_VERSION_NOT_FOUND';

/** Any address of the documentation range. */
const USER_IP = '203.0.113.7';

test(
  'a well-formed request for a quote is accepted',
  verifies('QUOTE-CREATE-ACCEPTED'),
  async ({ given, check, observe }) => {
    const customer = await given.customer();
    const answer = await customer.create();
    await check('QUOTE-CREATE-ACCEPTED', () => expect(answer).toBeAccepted(), bodyOf(customer, answer));
    observe('quote-create-status', answer);
    if (answer.exchange.response && answer.accepted)
      observe('quote-request-body', Object.keys(customer.state.body).sort().join(', '), answer);
  },
);

for (const kind of KINDS)
  for (const destinationKind of DESTINATIONS)
    test(
      `a quote from ${kind} to ${destinationKind} is accepted and says so`,
      verifies('QUOTE-CREATE-ACCEPTED', 'QUOTE-SOURCE-KIND', 'QUOTE-DESTINATION-KIND'),
      async ({ given, check, need, observe }) => {
        const customer = await given.quoteSource({ kind, destinationKind });
        const answer = await customer.create({}, `a quote from ${kind} to ${destinationKind}`);
        await check('QUOTE-CREATE-ACCEPTED', () => expect(answer).toBeAccepted(), bodyOf(customer, answer));
        need(answer).accepted();
        const { quote } = need.offered(
          customer.sighting(answer),
          'no quote could be recognised in the answer',
        );
        const { source, destination } = customer.state.body as { source?: Side; destination?: Side };
        // How a request names the two is not shown.
        const [from, to] = [source?.['sourceType'], destination?.['destinationType']];
        if (from !== undefined)
          await check('QUOTE-SOURCE-KIND', () => expect(quote.source?.sourceType).toBe(from));
        if (to !== undefined)
          await check('QUOTE-DESTINATION-KIND', () => expect(quote.destination?.destinationType).toBe(to));
        observe('quote-source-fields', { [kind]: keysOf(quote.source) }, answer);
        observe('quote-destination-fields', { [destinationKind]: keysOf(quote.destination) }, answer);
      },
    );

for (const [currency, destinationCurrency] of [
  ['USD', 'EUR'],
  ['EUR', 'USD'],
] as const)
  test(
    `a quote from an account in ${currency} to one in ${destinationCurrency} names these currencies`,
    verifies('QUOTE-SENDING-CURRENCY', 'QUOTE-RECEIVING-CURRENCY'),
    async ({ given, check, need }) => {
      const customer = await given.quoteSource({ currency, destinationCurrency });
      const { body } = customer.state;
      const sent = customer.body();
      need.offered(
        sent['source'] === body['source'] && sent['destination'] === body['destination'],
        'the profile names other accounts than those of the state',
      );
      const { quote, answer } = await customer.mustCreate();
      // That a code is always there is not said.
      const { code: sending = currency } = quote.sendingCurrency ?? {};
      const { code: receiving = destinationCurrency } = quote.receivingCurrency ?? {};
      await check('QUOTE-SENDING-CURRENCY', () => expect(inCapitals(sending)).toBe(currency), [answer]);
      await check('QUOTE-RECEIVING-CURRENCY', () => expect(inCapitals(receiving)).toBe(destinationCurrency), [
        answer,
      ]);
    },
  );

test(
  'what becomes of a quote that locks the amount received',
  verifies('QUOTE-CREATE-ACCEPTED'),
  async ({ given, need, observe }) => {
    const customer = await given.customer();
    need(await customer.create({}, 'a quote that locks the amount sent')).accepted();
    const receiving = await customer.create(
      { lockedCurrencySide: 'RECEIVING' },
      'a quote that locks the amount received',
    );
    // The interface does not show that a side can be chosen.
    observe('quote-locked-side', receiving);
  },
);

test(
  'what a quote shows about the counterparty',
  verifies('QUOTE-COUNTERPARTY-INFORMATION-FORM'),
  async ({ given, observe }) => {
    for (const destinationKind of DESTINATIONS) {
      const customer = await given.quoteSource({ destinationKind });
      const { quote, answer } = await customer.mustCreate();
      const keys =
        quote.counterpartyInformation === undefined ? 'absent' : keysOf(quote.counterpartyInformation);
      observe('counterparty-information-keys', { [destinationKind]: keys }, answer);
    }
  },
);

for (const [what, destinationKind, changes] of [
  ['a quote to ACCOUNT', 'ACCOUNT', {}],
  ['a quote to UMA_ADDRESS', 'UMA_ADDRESS', {}],
  ['a quote that locks the amount received', 'ACCOUNT', RECEIVED_IS_LOCKED],
] as const)
  test(
    `without acceptance of the end-user terms ${what} is refused`,
    verifies('QUOTE-TERMS-NOT-ACCEPTED'),
    async ({ given, check, need }) => {
      const accepted = await given.customer({ destinationKind, termsAccepted: true });
      const control = await accepted.create(changes);
      // That the amount received can be locked is not shown.
      if (changes === RECEIVED_IS_LOCKED) need(control).available();
      need(control).accepted();
      const customer = await given.customer({ destinationKind, termsAccepted: false });
      const refused = await customer.create(changes, `${what}, without acceptance of the terms`);
      // Who sent no consent may have one on file all the same, unless a state says that there is none.
      need.offered(
        preparedBy(customer.state) !== 'public-calls' || !succeeded(refused),
        'whether an acceptance is on file is not known',
      );
      await check('QUOTE-TERMS-NOT-ACCEPTED', () => {
        expect(refused).toHaveHttpStatus(403);
        expect(refused).toHaveCode(TERMS_CODE);
      });
    },
  );

test(
  'without acceptance of the end-user terms a quote that is funded at its execution is refused too',
  verifies('QUOTE-TERMS-NOT-ACCEPTED'),
  async ({ given, check, need }) => {
    const kind = 'REALTIME_FUNDING';
    need(await (await given.quoteSource({ kind })).create()).accepted();
    const customer = await given.quoteSource({ kind, termsAccepted: false });
    const accountId = need.offered(
      customer.state.sourceAccountId,
      'the state names no account of the customer',
    );
    // Shows that there is no acceptance on file for this customer.
    const source = { sourceType: 'ACCOUNT', accountId };
    const fromAccount = await customer.create({ source }, 'a quote from an account without acceptance');
    need.offered(fromAccount.code === TERMS_CODE, 'the customer does not lack the acceptance of the terms');
    const refused = await customer.create({}, 'a quote with realtime funding without acceptance');
    await check('QUOTE-TERMS-NOT-ACCEPTED', () => {
      expect(refused).toHaveHttpStatus(403);
      expect(refused).toHaveCode(TERMS_CODE);
    });
  },
);

test(
  'once the acceptance is on file the same request is accepted',
  verifies('QUOTE-TERMS-ON-FILE'),
  async ({ given, check, need }) => {
    need(await (await given.customer({ termsAccepted: true })).create()).accepted();
    const customer = await given.customer({ termsAccepted: false });
    need(await customer.create({}, 'a quote without acceptance of the terms')).refused();
    need.offered(customer.state.termsVersion, 'the version of the current terms is not known');
    const consent = (termsVersion: unknown, label: string) =>
      customer.call('updateCustomer', {
        label,
        path: { customerId: customer.state.customerId },
        body: {
          customerType: 'INDIVIDUAL',
          endUserTermsConsent: {
            acceptedAt: new Date().toISOString(),
            ipAddress: USER_IP,
            termsVersion,
            acceptanceMethod: 'CLICK_TO_ACCEPT',
          },
        },
      });
    const unknown = await consent('assay-no-such-version', 'accepting a version that does not exist');
    const isRead = unknown.exchange.response !== undefined && unknown.code === VERSION_CODE;
    need(await consent(customer.state.termsVersion, 'recording the acceptance of the terms')).available();
    const again = await eventually(
      () => customer.create({}, 'the same quote after acceptance of the terms'),
      succeeded,
      customer.patienceMs,
    );
    // The names within endUserTermsConsent are not shown: one that has another name may be overlooked.
    need.that(succeeded(again) || isRead, 'whether the acceptance was understood is not known');
    await check('QUOTE-TERMS-ON-FILE', () => expect(again).toBeAccepted());
  },
);

test('a customer that is not ready', verifies('QUOTE-CREATE-ACCEPTED'), async ({ given, check, observe }) => {
  const customer = await given.customer({ ready: true });
  const ready = await customer.create({}, 'a quote of a ready customer');
  await check('QUOTE-CREATE-ACCEPTED', () => expect(ready).toBeAccepted(), bodyOf(customer, ready));
  const unready = await given.customer({ ready: false });
  observe('quote-customer-not-ready-answer', await unready.create({}, 'a quote of an unready customer'));
});

test(
  'a payment of an account to itself does not come about',
  verifies('QUOTE-SELF-PAYMENT'),
  async ({ given, check, need, observe }) => {
    const customer = await given.customer();
    const control = await customer.mustCreate({}, 'a quote to another account');
    need(await customer.execute(control.quote.id)).available();
    const accountId = need.offered(
      customer.state.sourceAccountId,
      'the state does not tell the source account, so nothing can be paid to it',
    );
    const { destination } = customer.body() as { destination?: Side };
    // Where the request names its ends otherwise, this destination may be overlooked, and the payment an ordinary one.
    need.offered(destination?.['accountId'], 'how a request for a quote names its destination is not known');
    const answer = await customer.create(
      { destination: { ...destination, accountId } },
      { label: 'a quote from an account to itself' },
    );
    observe('self-payment-answer', answer.code ?? answer.outcome, answer);
    const seen = customer.sighting(answer);
    if (!seen) {
      await check('QUOTE-SELF-PAYMENT', () => expect(answer).toBeRefused());
      return;
    }
    // It may be refused as late as at its execution.
    const executed = await customer.execute(seen.quote.id, 'executing the payment to itself');
    const { outcome, answers, assumes = [] } = await customer.outcome(executed, seen.quote.id);
    need.that(outcome !== 'unknown', 'what the execution came to could not be seen');
    await check('QUOTE-SELF-PAYMENT', () => expect(outcome).toBe('not executed'), {
      evidence: answers,
      assumes,
    });
  },
);

/** In which letters a code is written is the matter of another rule. */
function inCapitals(code: unknown): unknown {
  return typeof code === 'string' ? code.toUpperCase() : code;
}

function keysOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value).sort() : [];
}
