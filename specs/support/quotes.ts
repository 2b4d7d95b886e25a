import {
  afterwards,
  eventually,
  expect,
  isExecuted,
  isPromised,
  quoteIn,
  succeeded,
  type Answer,
  type Check,
  type Given,
  type Need,
  type Payment,
  type QuoteCustomer,
  type SeenQuote,
  type QuoteSighting,
} from '../../suite/index.ts';
import { balanceIn, takenBetween, type Balance as Shown, type Taken } from '../../suite/taken.ts';
import { variantSent } from '../../suite/answers/body-form.ts';
import type { CheckContext } from '../../suite/check.ts';
import { objectsWithin } from '../../suite/objects-within.ts';
import { failureReasonsIn } from '../../suite/answers/removed-reasons.ts';
import { sameId } from '../../suite/same-id.ts';
import { isObject } from '../../schemas/json.ts';
import { paidByAgent } from './agents.ts';
import { expectSameTime } from './instants.ts';
import { shapeRules } from '../../schemas/openapi.ts';
import { ruleOf } from '../../schemas/rules.ts';

/** Shown by some quotes alone: the tests that make such a quote name them. */
const OF_FEW = ['QUOTE-INSTRUCTIONS-WITHHELD', 'QUOTE-COUNTERPARTY-INFORMATION-FORM'];
const OF_QUOTES = shapeRules('Quote').filter((id) => ruleOf(id).area === 'quotes' && !OF_FEW.includes(id));
/** Rules of fields that some variants of an account or wallet alone have. */
export const OF_VARIANTS = ['BankAccountInfo', 'WalletInfo', 'InvoiceWalletInfo'].flatMap(shapeRules);
const WHILE_WAITING = ['QUOTE-SCA-CHALLENGE', 'QUOTE-SCA-CHALLENGE-WHILE-PENDING'];

const FUNDED = OF_QUOTES.filter((id) => /^INSTRUCTIONS-|^QUOTE-PAYMENT-INSTRUCTIONS/.test(id));
/** Rules of the shape of a quote that the payer funds at its execution: every answer is held against them as it comes in. */
export const SHAPE_OF_FUNDED_QUOTE = FUNDED.filter((id) => !OF_VARIANTS.includes(id));
/** The same of any quote, and of one that waits for an authorization. */
export const SHAPE_OF_WAITING_QUOTE = OF_QUOTES.filter((id) => !FUNDED.includes(id));
export const SHAPE_OF_QUOTE = SHAPE_OF_WAITING_QUOTE.filter((id) => !WHILE_WAITING.includes(id));

/**
 * Whether the quotes of a customer are to be refused with this code: a state says so, or a plain quote shows it. Of whom no
 * consent was sent one may be on file all the same.
 */
export async function isBarred(customer: QuoteCustomer, code: string | undefined): Promise<boolean> {
  if (isPromised(customer.state)) return true;
  return (await customer.create({}, 'a plain quote of the same customer')).code === code;
}

/**
 * With public calls the body of POST /quotes is the usual one, as the interface shows none: a success shows its variant
 * alone. A state promises a legal body; where nothing of it is ever taken, the state may be wrong.
 */
export function bodyOf({ state }: QuoteCustomer, { exchange }: Answer): CheckContext {
  return { assumes: [isPromised(state) ? 'bodies.createQuote' : variantSent('createQuote', exchange)] };
}

/** A transaction as a read shows it. */
export interface SeenTransaction {
  readonly answer: Answer;
  readonly body: Readonly<Record<string, unknown>>;
  /** Why it failed, wherever it says so. */
  readonly reasons: readonly string[];
}

/** GET /transactions/{id}. The interface shows neither this operation nor a field: undefined where nothing is recognised. */
export async function readTransaction(
  customer: QuoteCustomer,
  transactionId: unknown,
  label = 'reading the transaction',
): Promise<SeenTransaction | undefined> {
  const answer = await customer.call('getTransaction', {
    label,
    path: { transactionId: String(transactionId) },
  });
  const body: unknown = succeeded(answer) ? answer.body : undefined;
  if (!isObject(body)) return undefined;
  const reasons = failureReasonsIn({ transaction: body }).map(({ value }) => value);
  return { answer, body, reasons };
}

/** Balance of a customer's source account, and the answer that shows it. */
interface Balance extends Shown {
  readonly answer: Answer;
}

/** The balance before anything is spent: money that was put in a moment ago may be shown late. */
export function openingBalanceOf(customer: QuoteCustomer, need = customer.need): Promise<Balance> {
  return eventually(
    () => balanceOf(customer, need),
    ({ amount }) => amount > 0,
    customer.patienceMs,
  );
}

/** Watches what leaves a customer's source account from now on. */
export async function watchedAccount(customer: QuoteCustomer) {
  const opening = await openingBalanceOf(customer);
  const taken = async (): Promise<Taken & Pick<Balance, 'answer'>> => {
    const now = await balanceOf(customer);
    return { ...takenBetween(opening, now), answer: now.answer };
  };
  // How long money that was due took to show, in milliseconds.
  let slowest = 0;
  return {
    taken,
    /** Looks until at least this much has left, or the time is up; what has, by then. */
    untilTaken: async (least: number) => {
      const start = performance.now();
      const isTaken = ({ amount }: Taken) => amount >= least;
      const seen = await eventually(taken, isTaken, customer.patienceMs);
      if (isTaken(seen)) slowest = Math.max(slowest, performance.now() - start);
      return seen;
    },
    /** What has left after so many milliseconds, or longer where what was due took longer to show. */
    takenAfter: (ms: number) => afterwards(taken, Math.max(ms, 2 * slowest)),
  };
}

/**
 * The interface shows no field of an account: where no balance is recognised, the test is not verified.
 *
 * @param accountId the source account where none is named
 */
export async function balanceOf(
  customer: QuoteCustomer,
  need = customer.need,
  accountId: unknown = customer.state.sourceAccountId,
): Promise<Balance> {
  const { answer, accounts } = await readAccounts(customer, need);
  const seen = balanceIn(accounts.find(({ id }) => sameId(id, accountId)));
  return need.offered(
    seen && { ...seen, answer },
    'the target shows no balance of the account that could be recognised',
  );
}

/** The customer's accounts that could be paid from its source account: they are of its own, and show a balance. */
export async function accountsBeside(customer: QuoteCustomer): Promise<readonly unknown[]> {
  const { accounts } = await readAccounts(customer, customer.need);
  const { sourceAccountId } = customer.state;
  return accounts
    .filter((account) => balanceIn(account) && !sameId(account['id'], sourceAccountId))
    .map(({ id }) => id);
}

async function readAccounts(customer: QuoteCustomer, need: Need) {
  const answer = await customer.call('listInternalAccounts', {
    label: "reading the customer's accounts",
    query: { customerId: customer.state.customerId },
  });
  need(answer).available();
  return { answer, accounts: objectsWithin(answer.body as unknown) };
}

/** Blames the rule where a quote is executed that must not be, given the answer to its execution. */
export async function expectNotExecuted(
  check: Check,
  rule: string,
  {
    customer,
    executed,
    quoteId,
  }: { readonly customer: QuoteCustomer; readonly executed: Answer; readonly quoteId: unknown },
): Promise<void> {
  const { outcome, answers, assumes = [] } = await customer.outcome(executed, quoteId);
  customer.need.that(outcome !== 'unknown', 'what the execution came to could not be seen');
  // What is refused may have been done all the same.
  const seen = executed.accepted ? undefined : customer.sighting(await customer.read(quoteId));
  const isDone = seen !== undefined && isExecuted(seen.quote.status);
  await check(rule, () => expect(isDone ? 'executed' : outcome, executed.label).toBe('not executed'), {
    evidence: seen ? [...answers, seen.answer] : answers,
    assumes,
  });
}

/** How long a quote lives, in seconds from its creation; both times are the target's own. */
export function lifetimeOf(quote: SeenQuote, need: Need): number {
  const seconds = (Date.parse(String(quote.expiresAt)) - Date.parse(String(quote.createdAt))) / 1_000;
  return need.that(seconds > 0 && seconds, 'the quote does not tell how long it lives');
}

/** The control of a limit: a payment that is far from it goes through, so that the way of paying is a right one. */
export function needPay(payment: Payment): void {
  payment.need(payment.quoted).accepted();
  needAsAsked(payment);
  needExecuted(payment);
}

function needExecuted({ need, executed, outcome }: Payment): void {
  // How a quote is executed is not shown.
  if (executed) need(executed).available();
  need.that(outcome === 'executed', 'the control was not executed, so what follows proves nothing');
}

/** How the body of POST /quotes names its amount is not shown: a quote of another one says nothing of the amount that was asked for. */
export function needAsAsked({ need, asked, totalSendingAmount }: Payment): void {
  need.offered(
    totalSendingAmount === undefined || totalSendingAmount >= asked,
    `a quote that locks ${asked} as lockedCurrencyAmount was made over ${totalSendingAmount}`,
  );
}

/** Changes of a body of POST /quotes: the amount is what the receiver gets. */
export const RECEIVED_IS_LOCKED = { lockedCurrencySide: 'RECEIVING' } as const;

/** That the amount received can be locked is not shown: where it cannot, a test of such a quote is not verified. */
export async function needSide(
  customer: QuoteCustomer,
  side: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (side !== RECEIVED_IS_LOCKED) return;
  customer.need(await customer.create(side, 'a quote that locks the amount received')).available();
}

/**
 * The control of a limit where the amount received is locked: such a payment goes through, and sends more than the limit.
 * What it sends hangs on a rate that is not known before.
 *
 * @param least in the smallest unit of the sending currency, with room for a rate that moves
 */
export function needSend(payment: Payment, least: number): void {
  payment.need(payment.quoted).available();
  needExecuted(payment);
  payment.need.offered(
    (payment.totalSendingAmount ?? 0) > least,
    `a quote over ${payment.asked} to be received sends ${payment.totalSendingAmount}, not more than ${least}`,
  );
}

/** A payment that nothing stands against is taken; it may still be under way. */
export function expectNotRefused(payment: Payment): void {
  for (const answer of new Set([payment.quoted, payment.last])) expect(answer).toBeAccepted();
  expect(payment.outcome, 'what the payment came to').not.toBe('not executed');
}

/**
 * What counts towards a limit is not shown: a fee on top of the amount may take a payment over it.
 *
 * @param payment a control, paid where the limit is not near
 */
export function needCount({ need, asked, totalSendingAmount }: Payment): void {
  need.offered(
    totalSendingAmount === asked,
    'fees come on top of the amount, so what counts towards the limit cannot be told',
  );
}

/** A quote that was created and executed as preparation, and the answer to its execution. */
interface ExecutedQuote {
  readonly quote: SeenQuote;
  readonly executed: Answer;
}

type Changes = Readonly<Record<string, unknown>>;

/** A quote that the platform creates and executes. */
export async function executedByPlatform(
  customer: QuoteCustomer,
  changes: Changes,
  label: string,
  _given: Given,
): Promise<ExecutedQuote> {
  const { quote } = await customer.needCreate(changes);
  return { quote, executed: await customer.needExecute(quote.id, label) };
}

/** The same by an agent of the customer, which is made for it. */
export async function executedByAgent(
  { state, need }: QuoteCustomer,
  changes: Changes,
  label: string,
  given: Given,
): Promise<ExecutedQuote> {
  const { created, last } = await paidByAgent(
    given,
    { ...state, body: { ...state.body, ...changes } },
    label,
  );
  need(last).available();
  const quote = need.offered(quoteIn(created), 'no quote could be recognised in the answer');
  return { quote, executed: last };
}

const LOCKED = ['exchangeRate', 'totalSendingAmount', 'totalReceivingAmount'] as const;
/** What a quote is from and to, and in which currencies. */
const PARTIES: readonly (readonly [rule: string, of: (quote: SeenQuote) => unknown])[] = [
  ['QUOTE-SENDING-CURRENCY', ({ sendingCurrency }) => sendingCurrency?.code],
  ['QUOTE-RECEIVING-CURRENCY', ({ receivingCurrency }) => receivingCurrency?.code],
  ['QUOTE-SOURCE-KIND', ({ source }) => source?.sourceType],
  ['QUOTE-DESTINATION-KIND', ({ destination }) => destination?.destinationType],
];

/** What `expectSameTerms` holds. */
export const SAME_TERMS = [
  'QUOTE-RATE-LOCKED',
  'QUOTE-FEES-LOCKED',
  'QUOTE-CREATED-AT',
  ...PARTIES.map(([rule]) => rule),
];

/** Wherever a quote is shown again, it shows what it was created with. What is not there has rules of its own. */
export async function expectSameTerms(
  check: Check,
  created: SeenQuote,
  { quote, answer }: QuoteSighting,
): Promise<void> {
  const termsOf = (one: SeenQuote) => LOCKED.map((name) => [name, one[name]]);
  await check('QUOTE-RATE-LOCKED', () => expect(termsOf(quote)).toEqual(termsOf(created)), [answer]);
  for (const name of ['feesIncluded', 'platformFeesIncluded'] as const)
    if (name in created && name in quote)
      await check('QUOTE-FEES-LOCKED', () => expect(quote[name], name).toEqual(created[name]), [answer]);
  await expectSameTime(check, 'QUOTE-CREATED-AT', [created.createdAt, quote.createdAt], [answer]);
  for (const [rule, of] of PARTIES)
    if (of(created) !== undefined && of(quote) !== undefined)
      await check(rule, () => expect(of(quote), 'as at creation').toBe(of(created)), [answer]);
}
