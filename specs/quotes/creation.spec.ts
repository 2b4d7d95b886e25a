import { enumOf, shapeRules } from '../../schemas/openapi.ts';
import { ruleOf } from '../../schemas/rules.ts';
import { expect, succeeded, test, verifies, type Given, type QuoteCustomer } from '../../suite/index.ts';
import {
  bodyOf,
  expectNotExecuted,
  isBarred,
  RECEIVED_IS_LOCKED,
  OF_VARIANTS,
  SHAPE_OF_FUNDED_QUOTE,
  SHAPE_OF_QUOTE,
} from '../support/quotes.ts';
import { expectError } from '../support/refusals.ts';

type Side = Readonly<Record<string, unknown>> | undefined;

const KINDS = ['ACCOUNT', 'REALTIME_FUNDING'] as const;
const DESTINATIONS = ['ACCOUNT', 'UMA_ADDRESS'] as const;

const TERMS_CODE = 'END_USER_TERMS_NOT_ACCEPTED';

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
    // Which amounts are quoted is not shown; neither the least nor a very great one breaks the service.
    for (const lockedCurrencyAmount of [1, Number.MAX_SAFE_INTEGER]) {
      const label = `a quote of ${lockedCurrencyAmount}`;
      (await customer.create({ lockedCurrencyAmount }, label)).tellFault();
    }
  },
);

for (const kind of KINDS)
  for (const destinationKind of DESTINATIONS)
    test(
      `a quote from ${kind} to ${destinationKind} is accepted and says so`,
      verifies(
        'QUOTE-CREATE-ACCEPTED',
        'QUOTE-SOURCE-KIND',
        'QUOTE-DESTINATION-KIND',
        'QUOTE-COUNTERPARTY-INFORMATION-FORM',
        'QUOTE-EXPIRES-AFTER-CREATION',
        ...(kind === 'REALTIME_FUNDING' ? SHAPE_OF_FUNDED_QUOTE : SHAPE_OF_QUOTE),
      ),
      async ({ given, check, observe }) => {
        const customer = await given.quoteSource({ kind, destinationKind });
        const answer = await customer.create({}, `a quote from ${kind} to ${destinationKind}`);
        await check('QUOTE-CREATE-ACCEPTED', () => expect(answer).toBeAccepted(), bodyOf(customer, answer));
        const { quote } = customer.needSee(answer);
        const [created, expires] = [quote.createdAt, quote.expiresAt].map((at) => Date.parse(String(at)));
        // That they are there, as times, are rules of their own.
        if (created && expires)
          await check('QUOTE-EXPIRES-AFTER-CREATION', () => expect(expires).toBeGreaterThan(created), [
            answer,
          ]);
        const { source, destination } = customer.state.body as { source?: Side; destination?: Side };
        // How a request names the two is not shown.
        const [from, to] = [source?.['sourceType'], destination?.['destinationType']];
        if (from !== undefined)
          await check('QUOTE-SOURCE-KIND', () => expect(quote.source?.sourceType).toBe(from));
        if (to !== undefined)
          await check('QUOTE-DESTINATION-KIND', () => expect(quote.destination?.destinationType).toBe(to));
        observe('quote-source-fields', { [kind]: keysOf(quote.source) }, answer);
        observe('quote-destination-fields', { [destinationKind]: keysOf(quote.destination) }, answer);
        const shown = quote.counterpartyInformation;
        const keys = shown === undefined ? 'absent' : keysOf(shown);
        observe('counterparty-information-keys', { [destinationKind]: keys }, answer);
        // That the amount received can be locked is not shown, but no request breaks the service.
        const label = `a quote from ${kind} to ${destinationKind} that locks the amount received`;
        const locked = await customer.create(RECEIVED_IS_LOCKED, label);
        locked.tellFault();
        observe('quote-locked-side', locked);
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
      const { quote, answer } = await customer.needCreate();
      // That a code is always there is not said. In which letters it is written is the matter of another rule.
      const codeOf = (shown: { readonly code?: string } | undefined, asked: string) =>
        String(shown?.code ?? asked).toUpperCase();
      const sends = () => expect(codeOf(quote.sendingCurrency, currency)).toBe(currency);
      const receives = () =>
        expect(codeOf(quote.receivingCurrency, destinationCurrency)).toBe(destinationCurrency);
      await check('QUOTE-SENDING-CURRENCY', sends, [answer]);
      await check('QUOTE-RECEIVING-CURRENCY', receives, [answer]);
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
      need.offered(
        !succeeded(refused) || (await isBarred(customer, TERMS_CODE)),
        'whether an acceptance is on file is not known',
      );
      await check('QUOTE-TERMS-NOT-ACCEPTED', () => expectError(refused, 403, TERMS_CODE));
    },
  );

test(
  'without acceptance of the end-user terms a quote that is funded at its execution is refused too',
  verifies('QUOTE-TERMS-NOT-ACCEPTED'),
  async ({ given, check, need }) => {
    const kind = 'REALTIME_FUNDING';
    need(await (await given.quoteSource({ kind })).create()).accepted();
    const customer = await given.quoteSource({ kind, termsAccepted: false });
    const { sourceAccountId } = customer.state;
    const accountId = need.offered(sourceAccountId, 'the state names no account of the customer');
    // Shows that there is no acceptance on file for this customer.
    const source = { sourceType: 'ACCOUNT', accountId };
    const fromAccount = await customer.create({ source }, 'a quote from an account without acceptance');
    need.offered(fromAccount.code === TERMS_CODE, 'the customer does not lack the acceptance of the terms');
    const refused = await customer.create({}, 'a quote with realtime funding without acceptance');
    await check('QUOTE-TERMS-NOT-ACCEPTED', () => expectError(refused, 403, TERMS_CODE));
  },
);

/** A destination that nothing can be paid to. */
interface Unpayable {
  readonly rule: string;
  readonly says: string;
  readonly params: Parameters<Given['customer']>[0];
  /** The field that is wrong, and with what. */
  readonly wrong: (customer: QuoteCustomer) => readonly [field: string, value: string];
  /** A code that says something else, and the rule that tells what. */
  readonly code?: readonly [rule: string, code: string];
}

const UNPAYABLE: readonly Unpayable[] = [
  {
    rule: 'QUOTE-SELF-PAYMENT',
    says: 'of an account to itself',
    params: {},
    wrong: ({ need, state }) => [
      'accountId',
      need.offered(
        state.sourceAccountId,
        'the state does not tell the source account, so nothing can be paid to it',
      ),
    ],
  },
  {
    rule: 'QUOTE-UMA-ADDRESS-FORM',
    says: 'to something that is no UMA address',
    params: { destinationKind: 'UMA_ADDRESS' },
    wrong: () => ['umaAddress', 'no address at all'],
    // "Address well-formed but no receiver at the counterparty".
    code: ['ERROR-UMA-NOT-FOUND', 'UMA_NOT_FOUND'],
  },
  {
    rule: 'QUOTE-UMA-ADDRESS-FORM',
    says: 'to a UMA address with more behind it',
    params: { destinationKind: 'UMA_ADDRESS' },
    wrong: (customer) => {
      const { destination } = customer.body() as { destination?: Side };
      return ['umaAddress', `${String(destination?.['umaAddress'])} and more`];
    },
  },
];

for (const { rule, says, params, wrong, code } of UNPAYABLE)
  for (const [where, side] of [
    ['', {}],
    [' where the amount received is locked', RECEIVED_IS_LOCKED],
  ] as const)
    test(
      `a payment ${says} does not come about${where}`,
      verifies(rule, ...(code ? [code[0]] : [])),
      async ({ given, check, need, observe }) => {
        const customer = await given.customer(params);
        // That the amount received can be locked is not shown.
        if (where !== '') need(await customer.create(side, `a quote${where}`)).available();
        const control = await customer.needCreate(side, 'a quote to somebody');
        await customer.needExecute(control.quote.id);
        const [field, value] = wrong(customer);
        const { destination } = customer.body() as { destination?: Side };
        // Where the request names its ends otherwise, this destination may be overlooked, and the payment an ordinary one.
        need.offered(destination?.[field], 'how a request for a quote names its destination is not known');
        const changes = { ...side, destination: { ...destination, [field]: value } };
        const answer = await customer.create(changes, `a quote ${says}`);
        if (rule === 'QUOTE-SELF-PAYMENT')
          observe('self-payment-answer', answer.code ?? answer.outcome, answer);
        const seen = customer.sighting(answer);
        if (!seen) {
          await check(rule, () => expect(answer).toBeRefused());
          const again = await customer.create(changes, `a quote ${says}, once more`);
          await check(rule, () => expect(again).toBeRefused());
          if (code) await check(code[0], () => expect(answer.code, 'the code').not.toBe(code[1]), [answer]);
          return;
        }
        // It may be refused as late as at its execution.
        const executed = await customer.execute(seen.quote.id, `executing a payment ${says}`);
        await expectNotExecuted(check, rule, { customer, executed, quoteId: seen.quote.id });
      },
    );

// One test for each: a type that cannot be prepared leaves none of the others out.
for (const accountType of enumOf('PaymentAccountType'))
  test(
    `payment instructions of ${accountType}`,
    verifies(
      'QUOTE-PAYMENT-INSTRUCTIONS',
      ...shapeRules('PaymentInstructions').filter(
        (id) =>
          ruleOf(id).area === 'quotes' &&
          (!OF_VARIANTS.includes(id) || rulesOfVariant(accountType).includes(id)),
      ),
    ),
    async ({ given, need, observe }) => {
      const customer = await given.quoteSource({ kind: 'REALTIME_FUNDING', accountType });
      const { quote, answer } = await customer.needCreate({}, `a quote funded through ${accountType}`);
      // What is no list is the shape's own rule.
      const told = Array.isArray(quote.paymentInstructions) ? quote.paymentInstructions : [];
      need.offered(told.length > 0, 'the quote came without payment instructions');
      const fields = told.flatMap(({ accountOrWalletInfo }) => keysOf(accountOrWalletInfo));
      observe('account-info-variant-fields', { [accountType]: [...new Set(fields)].sort() }, answer);
    },
  );

function rulesOfVariant(accountType: string): readonly string[] {
  if (accountType.endsWith('_ACCOUNT')) return shapeRules('BankAccountInfo');
  return shapeRules(/^(SPARK|LIGHTNING)/.test(accountType) ? 'InvoiceWalletInfo' : 'WalletInfo');
}

function keysOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value).sort() : [];
}
