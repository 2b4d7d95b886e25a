import type { Operation } from '../../../schemas/contract.ts';
import type { DialectAssumption } from '../../../target/dialect/keys.ts';
import type { CustomerState } from '../../../target/states/types.ts';
import { succeeded, type Answer, type Loose } from '../../answers/answer.ts';
import { eventually } from '../../eventually.ts';
import { recognise } from '../../answers/recognise.ts';
import type { Recorder } from '../../answers/recorder.ts';
import { LateReads } from '../../late-reads.ts';
import type { Need } from '../../need.ts';
import { partsOf, Platform, type ActorParts, type Told } from '../platform.ts';
import type { ScaChallenge } from './proofs.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a Quote that specs read. */
interface Quote {
  id: string;
  status: string;
  createdAt: string;
  expiresAt: string;
  source: { sourceType: string };
  destination: { destinationType: string };
  sendingCurrency: { code: string; decimals: number };
  receivingCurrency: { code: string; decimals: number };
  totalSendingAmount: number;
  totalReceivingAmount: number;
  exchangeRate: number;
  feesIncluded: number;
  platformFeesIncluded: number;
  paymentInstructions: { accountOrWalletInfo: { accountType: string } }[];
  transactionId: string;
  counterpartyInformation: object;
  /** Their names carry the brand. */
  rateDetails: Readonly<Record<string, unknown>>;
  scaChallenge: ScaChallenge;
}

/** A quote as an answer shows it. Reading it inside a check counts as reading the answer. */
export type SeenQuote = Loose<Quote>;

/** A quote, and the answer that showed it. */
export interface QuoteSighting {
  readonly quote: SeenQuote;
  readonly answer: Answer;
}

/** What the execution of a quote came to, with the answers that show it. */
export interface Execution {
  readonly outcome: 'executed' | 'not executed' | 'unknown';
  readonly answers: readonly Answer[];
  /** What a check on it stands on: of a quote that is on its way for long it is not seen whether it gets there. */
  readonly assumes?: readonly DialectAssumption[];
}

/** Of a quote on its way: what it comes to is not decided yet. */
export function isUndecided(status: unknown): boolean {
  return status === 'PENDING' || status === 'PROCESSING';
}

/** Of a quote that is executed, or on its way there when all patience is used up. */
export function isExecuted(status: unknown): boolean {
  return status === 'PROCESSING' || status === 'COMPLETED';
}

/** A customer that a state has prepared, whose quotes the platform creates, reads, authorizes and executes. */
export class QuoteCustomer<S extends CustomerState = CustomerState> {
  readonly state: S;
  readonly need: Need;
  protected readonly recorder: Recorder;
  readonly #platform: Platform;

  constructor({ need, recorder, platform }: ActorParts, state: S) {
    this.state = state;
    this.need = need;
    this.recorder = recorder;
    const { clientId, clientSecret } = state;
    const isOfAnother = clientId !== undefined && clientSecret !== undefined;
    this.#platform = isOfAnother ? new Platform(recorder, clientId, clientSecret) : platform;
  }

  /** A legal body of POST /quotes for this customer, with changes. */
  body(changes: Fields = {}): Fields {
    return this.#platform.filled('createQuote', { ...this.state.body, ...changes });
  }

  /** A body that the interface does not show, as this target wants it. */
  told(operation: string, usual: Fields): Fields {
    return { ...usual, ...this.recorder.dialect.bodies[operation] };
  }

  /** How late reads show what was written. */
  get lateReads(): LateReads {
    return LateReads.of(this.#platform);
  }

  /** How long an effect of a call may take to be seen, in milliseconds. */
  get patienceMs(): number {
    return this.#platform.patienceMs;
  }

  /** Any call as the customer's platform. */
  call(operation: Parameters<Platform['call']>[0], told: Told = {}): Promise<Answer> {
    return this.#platform.call(operation, partsOf(told));
  }

  /** POST /quotes */
  create(changes: Fields = {}, told: Told = {}): Promise<Answer> {
    return this.call('createQuote', {
      label: 'creating a quote',
      body: this.body(changes),
      ...partsOf(told),
    });
  }

  /** A quote that is created as preparation, or as a control. Ends the test where none is, or none can be recognised. */
  async needCreate(changes?: Fields, told?: Told): Promise<QuoteSighting> {
    return this.needSee(await this.create(changes, told));
  }

  /** The quote in the answer to its creation. Ends the test where none is created, or none can be recognised. */
  needSee(created: Answer): QuoteSighting {
    this.need(created).accepted();
    return this.need.offered(
      this.sighting(created),
      'no quote could be recognised in the answer to its creation',
    );
  }

  /** A read of the quote as preparation; not verified where it is not offered. */
  async needRead(quoteId: unknown): Promise<QuoteSighting> {
    const answer = await this.read(quoteId);
    this.need(answer).available();
    return this.need.offered(this.sighting(answer), 'no quote could be recognised in the read');
  }

  /** GET /quotes/{quoteId}. The path is not shown in the interface. */
  read(quoteId: unknown, told?: Told): Promise<Answer> {
    return this.#callOf('getQuote', 'reading the quote', quoteId, told);
  }

  /** POST /quotes/{quoteId}/execute. The path is not shown in the interface. */
  execute(quoteId: unknown, told?: Told): Promise<Answer> {
    return this.#callOf('executeQuote', 'executing the quote', quoteId, told);
  }

  /** An execution as preparation, or as a control; not verified where it is not offered. */
  async needExecute(quoteId: unknown, told?: Told): Promise<Answer> {
    const answer = await this.execute(quoteId, told);
    this.need(answer).available();
    return answer;
  }

  /** POST /quotes/{quoteId}/authorize */
  authorize(quoteId: unknown, proof: unknown, told: Told = {}): Promise<Answer> {
    const parts = { body: proof, ...partsOf(told) };
    return this.#callOf('authorizeQuote', 'authorizing the quote', quoteId, parts);
  }

  #callOf(operation: string, label: string, quoteId: unknown, told: Told = {}): Promise<Answer> {
    const path: Readonly<Record<string, string>> = typeof quoteId === 'string' ? { quoteId } : {};
    return this.call(operation, { label, path, ...this.#platform.bodyTold(operation), ...partsOf(told) });
  }

  /**
   * The quote in an accepted answer: the body itself or one property of it. Undefined where none can be recognised, as these
   * answers have no shape of their own. Call it outside of checks: it looks at everything.
   */
  sighting(answer: Answer): QuoteSighting | undefined {
    if (!succeeded(answer)) return undefined;
    const { contract } = this.recorder;
    const body = answer.body as Fields;
    const [found] = recognise(contract, contract.operations.get('getQuote') as Operation, body);
    if (!found) return undefined;
    const key = found.pointer.slice(1);
    return { answer, quote: (key === '' ? body : body[key]) as SeenQuote };
  }

  /** The quote in an answer, else in a read of it. */
  async look(answer: Answer, quoteId: unknown): Promise<QuoteSighting | undefined> {
    return this.sighting(answer) ?? this.sighting(await this.read(quoteId));
  }

  /** Reads until the quote has a status that is wanted; the last look, whether or not it has. */
  until(quoteId: unknown, wanted: (quote: SeenQuote) => boolean): Promise<QuoteSighting | undefined> {
    return eventually(
      async () => this.sighting(await this.read(quoteId)),
      (seen) => seen === undefined || wanted(seen.quote),
      this.patienceMs,
    );
  }

  /**
   * Whether a quote was executed, given the answer to its execution. An accepted request proves nothing by itself: what
   * cannot be executed may still be taken and fail afterwards.
   */
  async outcome(answer: Answer, quoteId: unknown): Promise<Execution> {
    if (!answer.exchange.response) return { outcome: 'unknown', answers: [answer] };
    if (!answer.accepted) return { outcome: 'not executed', answers: [answer] };
    const last = await this.until(quoteId, ({ status }) => !isUndecided(status));
    const seen = last ?? this.sighting(answer);
    const status = seen?.quote.status;
    if (!seen || status === undefined || status === 'PENDING')
      return { outcome: 'unknown', answers: [answer] };
    return {
      outcome: isExecuted(status) ? 'executed' : 'not executed',
      answers: [answer, seen.answer],
      assumes: status === 'PROCESSING' ? ['effectSeconds'] : [],
    };
  }
}

/** A payment: a quote and its execution. */
export interface Payment {
  /** Ends the test where a payment that is a control has failed. */
  readonly need: Need;
  /** What was asked for, in the smallest unit of the sending currency, or of the receiving one where that side is locked. */
  readonly asked: number;
  readonly quoted: Answer;
  /** Absent where the quote was refused already. */
  readonly executed?: Answer;
  /** The last answer: the refusal, where there is one. */
  readonly last: Answer;
  readonly outcome: Execution['outcome'];
  /** Smallest unit of the sending currency; undefined where no quote can be recognised. */
  readonly totalSendingAmount: number | undefined;
}

/**
 * Pays an amount, in the smallest unit of the sending currency. A limit may refuse the quote or its execution.
 *
 * @param changes of the body of POST /quotes: another side that is locked, or another destination
 */
export async function pay(
  customer: QuoteCustomer,
  amount: number,
  what: string,
  changes: Fields = {},
): Promise<Payment> {
  const quoted = await customer.create(
    { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: amount, ...changes },
    `a quote for ${what}`,
  );
  const quote = customer.sighting(quoted)?.quote;
  const total = quote?.totalSendingAmount;
  const totalSendingAmount = typeof total === 'number' ? total : undefined;
  const payment = { need: customer.need, asked: amount, quoted, totalSendingAmount };
  if (quote === undefined) {
    const outcome = quoted.exchange.response && quoted.refused ? 'not executed' : 'unknown';
    return { ...payment, last: quoted, outcome };
  }
  const executed = await customer.execute(quote.id, `executing ${what}`);
  const { outcome } = await customer.outcome(executed, quote.id);
  return { ...payment, executed, last: executed, outcome };
}
