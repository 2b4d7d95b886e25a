import { randomUUID } from 'node:crypto';
import { newEmail, pay, test, verifies, type Answer, type Given, type Platform } from '../../suite/index.ts';
import { needPay, readTransaction, RECEIVED_IS_LOCKED } from '../support/quotes.ts';
import { expectError } from '../support/refusals.ts';
import { needAuthorize } from '../support/sca.ts';

const UNKNOWN_QUOTE = `Quote:${randomUUID()}`;

/** What names a record that there is not. The path of most is not shown: that a known one is found shows that it is there. */
const UNKNOWN: readonly {
  readonly says: string;
  readonly rule: string;
  readonly code: string;
  readonly send: (given: Given, platform: Platform) => Promise<Answer>;
}[] = [
  {
    says: 'an unknown customer is not found',
    rule: 'ERROR-CUSTOMER-NOT-FOUND',
    code: 'USER_NOT_FOUND',
    send: async (given, platform) => {
      const { state, need } = await given.customer();
      const update = (customerId: string, label: string) =>
        platform.call('updateCustomer', {
          label,
          path: { customerId },
          body: { customerType: 'INDIVIDUAL', email: newEmail() },
        });
      need(await update(state.customerId, 'updating a known customer')).accepted();
      return update(`Customer:${randomUUID()}`, 'updating an unknown customer');
    },
  },
  ...(['read', 'execute'] as const).map((operation) => ({
    says: `an unknown quote is not found when it is ${operation === 'read' ? 'read' : 'executed'}`,
    rule: 'ERROR-QUOTE-NOT-FOUND',
    code: 'QUOTE_NOT_FOUND',
    send: async (given: Given) => {
      const customer = await given.customer();
      const { quote } = await customer.needCreate();
      customer.need(await customer[operation](quote.id)).available();
      return customer[operation](UNKNOWN_QUOTE, `${operation} of an unknown quote`);
    },
  })),
  {
    says: 'an unknown quote is not found when it is authorized',
    rule: 'ERROR-QUOTE-NOT-FOUND',
    code: 'QUOTE_NOT_FOUND',
    send: async (given) => {
      const customer = await given.scaCustomer({ challenges: 1, factor: 'SMS_OTP' });
      await needAuthorize(customer);
      const proof = customer.need.offered(
        customer.prover.proof({ factor: 'SMS_OTP' }),
        'a challenge by SMS_OTP cannot be proved here',
      );
      return customer.authorize(UNKNOWN_QUOTE, proof, 'authorizing an unknown quote');
    },
  },
  ...([{}, RECEIVED_IS_LOCKED] as const).map((side) => ({
    says: `a well-formed UMA address without a receiver is not found${side === RECEIVED_IS_LOCKED ? ', where the amount received is locked' : ''}`,
    rule: 'ERROR-UMA-NOT-FOUND',
    code: 'UMA_NOT_FOUND',
    send: async (given: Given) => {
      const customer = await given.customer({ destinationKind: 'UMA_ADDRESS' });
      const { need, state } = customer;
      const control = await customer.create(side, 'a quote to a UMA address with a receiver');
      // That the amount received can be locked is not shown.
      if (side === RECEIVED_IS_LOCKED) need(control).available();
      need(control).accepted();
      const umaAddress = need.offered(
        state.unknownUmaAddress,
        'the state gives no UMA address without a receiver',
      );
      const { destination: usual } = customer.body() as { destination?: { umaAddress?: unknown } };
      need.offered(usual?.umaAddress, 'how a request for a quote names a UMA address is not known');
      const destination = { ...usual, umaAddress };
      return customer.create({ ...side, destination }, 'a quote to a UMA address without a receiver');
    },
  })),
  {
    says: 'an unknown transaction is not found when it is read',
    rule: 'ERROR-TRANSACTION-NOT-FOUND',
    code: 'TRANSACTION_NOT_FOUND',
    send: async (given) => {
      const customer = await given.customer();
      const { quote } = await customer.needCreate();
      customer.need(await customer.execute(quote.id)).available();
      customer.need.offered(
        await readTransaction(customer, quote.transactionId, 'reading a known transaction'),
        'this target offers no read of a transaction',
      );
      const path = { transactionId: `Transaction:${randomUUID()}` };
      return customer.call('getTransaction', { label: 'reading an unknown transaction', path });
    },
  },
];

for (const { says, rule, code, send } of UNKNOWN)
  test(says, verifies(rule), async ({ given, check, platform }) => {
    const unknown = await send(given, platform);
    await check(rule, () => expectError(unknown, 404, code));
  });

/** Who may not pay, or be paid: the code, and what makes the payment possible and impossible. */
const NOT_ALLOWED = [
  ['ERROR-CUSTOMER-NOT-READY', 'USER_NOT_READY', { ready: true }, { ready: false }],
  ['ERROR-COUNTERPARTY-NOT-ALLOWED', 'COUNTERPARTY_NOT_ALLOWED', {}, { counterpartyEnabled: false }],
] as const;

/** What a payment is like otherwise: it is refused all the same. */
const PAYMENTS: readonly (readonly [
  rule: (typeof NOT_ALLOWED)[number][0],
  says: string,
  params?: Parameters<Given['quoteSource']>[0],
  changes?: Readonly<Record<string, unknown>>,
])[] = [
  ['ERROR-CUSTOMER-NOT-READY', 'of a customer that is not ready'],
  [
    'ERROR-CUSTOMER-NOT-READY',
    'that locks the amount received, of a customer that is not ready',
    {},
    RECEIVED_IS_LOCKED,
  ],
  [
    'ERROR-CUSTOMER-NOT-READY',
    'to a UMA address, of a customer that is not ready',
    { destinationKind: 'UMA_ADDRESS' },
  ],
  [
    'ERROR-CUSTOMER-NOT-READY',
    'with realtime funding, of a customer that is not ready',
    { kind: 'REALTIME_FUNDING' },
  ],
  ['ERROR-COUNTERPARTY-NOT-ALLOWED', 'to a counterparty that is not enabled for the account'],
  [
    'ERROR-COUNTERPARTY-NOT-ALLOWED',
    'to a counterparty with a UMA address that is not enabled for the account',
    { destinationKind: 'UMA_ADDRESS' },
  ],
  [
    'ERROR-COUNTERPARTY-NOT-ALLOWED',
    'that locks the amount received, to a counterparty that is not enabled for the account',
    {},
    RECEIVED_IS_LOCKED,
  ],
];

for (const [rule, says, params, changes] of PAYMENTS)
  test(`a payment ${says} is refused with 403`, verifies(rule), async ({ given, need, check, observe }) => {
    const [, code, right, wrong] = NOT_ALLOWED.find(([one]) => one === rule) ?? NOT_ALLOWED[0];
    const amount = 10_000;
    const payer = (more: object) =>
      params?.kind ? given.quoteSource({ ...params, ...more }) : given.customer({ ...params, ...more });
    const control = await pay(await payer(right), amount, 'a payment that nothing stands against', changes);
    if (changes) need(control.quoted).available();
    // What the payer has not funded yet is not executed.
    if (params?.kind) need(control.last).available();
    else needPay(control);
    const refused = await payer(wrong);
    const { last, executed, outcome } = await pay(refused, amount, `a payment ${says}`, changes);
    const failedLater = last.exchange.response && last.accepted && outcome === 'not executed';
    need.offered(!failedLater, 'the payment was taken and failed afterwards, which no answer tells');
    await check(rule, () => expectError(last, 403, code));
    const again = await pay(refused, amount, `a payment ${says}, once more`, changes);
    await check(rule, () => expectError(again.last, 403, code));
    if (code === 'USER_NOT_READY')
      observe(
        'quote-customer-not-ready-answer',
        { [executed ? 'execution' : 'creation']: last.outcome },
        last,
      );
  });
