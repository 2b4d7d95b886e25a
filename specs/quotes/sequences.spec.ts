import { chosen, sequences, type Step } from '../../generators/steps.ts';
import {
  eventually,
  expect,
  succeeded,
  survey,
  test,
  verifies,
  WAITING,
  type Answer,
  type QuoteCustomer,
  type QuoteSighting,
  type ScaCustomer,
  type SeenQuote,
  type Walk,
  takenBetween,
} from '../../suite/index.ts';
import { sameId } from '../../suite/same-id.ts';
import { balanceOf, openingBalanceOf } from '../support/quotes.ts';

/** What may be done to the quotes of a customer, legal and illegal. */
const STEPS = ['create', 'create', 'read', 'read', 'execute', 'execute', 'execute'] as const;
const SCA_STEPS = [...STEPS, 'authorize', 'authorize', 'authorize', 'authorize'] as const;
type QuoteStep = (typeof SCA_STEPS)[number];

const LOCKED = ['QUOTE-ID-STABLE', 'QUOTE-TRANSACTION-ID-STABLE', 'QUOTE-RATE-LOCKED', 'QUOTE-FEES-LOCKED'];
const RUNS = 4;

/** One quote as the model knows it: the terms of its creation, and how far it has come. */
interface KnownQuote {
  readonly terms: SeenQuote;
  /** Ids of those that were authorized. */
  readonly challenges: Set<unknown>;
  state: 'OPEN' | 'WAITING' | 'EXECUTED' | 'UNKNOWN';
}

/** The quotes of one customer, one step after another: what is known of them, and what must hold after each. */
class QuoteModel {
  readonly #customer: QuoteCustomer | ScaCustomer;
  readonly #on: Walk;
  readonly #known: KnownQuote[] = [];

  constructor(customer: QuoteCustomer | ScaCustomer, on: Walk) {
    this.#customer = customer;
    this.#on = on;
  }

  /** What must have left the account; undefined where one quote may have been executed or not. */
  get spent(): number | undefined {
    if (this.#known.some(({ state }) => state === 'UNKNOWN')) return undefined;
    return this.#known
      .filter(({ state }) => state === 'EXECUTED')
      .reduce((sum, { terms }) => sum + (terms.totalSendingAmount ?? Number.NaN), 0);
  }

  async take({ do: name, which }: Step<QuoteStep>): Promise<void> {
    if (name === 'create' || this.#known.length === 0) await this.#create();
    const one = chosen(this.#known, which) as KnownQuote;
    if (name === 'read') await this.#look(one, await this.#read(one, ''));
    if (name === 'execute') await this.#execute(one);
    if (name === 'authorize' && one.state === 'WAITING') await this.#authorize(one);
  }

  async #create(): Promise<void> {
    const seen = this.#sighting(await this.#customer.create());
    const terms = JSON.parse(JSON.stringify(seen.quote)) as SeenQuote;
    const state = seen.quote.status === WAITING ? 'WAITING' : 'OPEN';
    this.#known.push({ terms, challenges: new Set(), state });
  }

  /** What each sight of a quote must show. */
  async #look({ terms, state }: KnownQuote, { quote, answer }: QuoteSighting): Promise<void> {
    await this.#on.hold('QUOTE-ID-STABLE', () => expect(sameId(quote.id, terms.id)).toBe(true), [answer]);
    await this.#on.hold('QUOTE-TRANSACTION-ID-STABLE', () =>
      expect(sameId(quote.transactionId, terms.transactionId)).toBe(true),
    );
    // The terms are locked while the quote lives; what is shown of it later is open.
    if (state !== 'OPEN' && state !== 'WAITING') return;
    await this.#on.hold('QUOTE-RATE-LOCKED', () => {
      for (const field of ['exchangeRate', 'totalSendingAmount', 'totalReceivingAmount'] as const)
        expect(quote[field], field).toBe(terms[field]);
    });
    await this.#on.hold('QUOTE-FEES-LOCKED', () => expect(quote.feesIncluded).toBe(terms.feesIncluded));
  }

  async #execute(one: KnownQuote): Promise<void> {
    const label = `executing ${this.#name(one)}`;
    const answer = this.#on.told(await this.#customer.execute(one.terms.id, label));
    const { outcome, answers, assumes = [] } = await this.#customer.outcome(answer, one.terms.id);
    if (one.state === 'WAITING' && assumes.length === 0)
      return this.#on.hold(
        one.challenges.size > 0 ? 'SCA-STATUS-KEPT-BETWEEN' : 'QUOTE-AUTHORIZATION-BEFORE-EXECUTION',
        () => expect(outcome).not.toBe('executed'),
        answers,
      );
    // One that is not executed may have come to wait, or have failed: the transitions of a quote are not shown.
    if (one.state === 'OPEN')
      one.state = outcome === 'executed' && assumes.length === 0 ? 'EXECUTED' : 'UNKNOWN';
  }

  async #authorize(one: KnownQuote): Promise<void> {
    const customer = this.#customer as ScaCustomer;
    const { quote } = await this.#read(one, ' for its challenge');
    const challenge = this.#on.need.that(quote.scaChallenge, 'the quote shows no challenge');
    const label = `authorizing ${this.#name(one)}`;
    const proved = await customer.prove(one.terms.id, challenge, { label });
    const answer = this.#on.told(this.#on.need.that(proved, 'it cannot be proved here'));
    this.#on.need.that(succeeded(answer), 'the proof was refused');
    const after = this.#on.need.that(
      await customer.look(answer, one.terms.id),
      'the quote could not be seen again',
    );
    one.challenges.add(challenge.id);
    const next = after.quote.status === WAITING ? after.quote.scaChallenge : undefined;
    if (next)
      await this.#on.hold(
        'SCA-NEXT-CHALLENGE-NEW-ID',
        () => expect([...one.challenges], 'challenges that were authorized').not.toContain(next.id),
        [after.answer],
      );
    else one.state = after.quote.status === 'PENDING' ? 'OPEN' : 'UNKNOWN';
    await this.#look(one, after);
  }

  async #read(one: KnownQuote, why: string): Promise<QuoteSighting> {
    const label = `reading ${this.#name(one)}${why}`;
    return this.#sighting(await this.#customer.read(one.terms.id, label));
  }

  #sighting(answer: Answer): QuoteSighting {
    this.#on.told(answer);
    return this.#on.need.that(this.#customer.sighting(answer), 'no quote could be recognised');
  }

  #name(one: KnownQuote): string {
    return `quote ${this.#known.indexOf(one) + 1} (${one.state.toLowerCase()})`;
  }
}

test(
  'whatever is done in whatever order, quotes keep their terms and are paid once',
  verifies(...LOCKED, 'QUOTE-DEBIT-IS-TOTAL'),
  async ({ given, need, check }) => {
    given.unshared('prepared accounts are shared between tests');
    await survey(
      check,
      sequences(STEPS),
      async (steps, on) => {
        const customer = await given.customer();
        const opening = await openingBalanceOf(customer);
        const model = new QuoteModel(customer, on);
        for (const step of steps) {
          await model.take(step);
          on.need.that(model.spent !== undefined, 'a quote may have been executed or not');
          const spent = model.spent as number;
          const seen = await eventually(
            () => balanceOf(customer, need),
            ({ amount }) => opening.amount - amount >= spent,
            customer.patienceMs,
          );
          // Money that has not left may be on its way; the text names no time.
          on.need.that(opening.amount - seen.amount >= spent, 'the money did not leave in time');
          await on.hold(
            'QUOTE-DEBIT-IS-TOTAL',
            () => expect(takenBetween(opening, seen)).toHaveTaken({ exactly: spent }),
            [seen.answer],
          );
        }
      },
      { runs: RUNS },
    );
  },
);

test(
  'whatever is done in whatever order, no quote is executed before it is authorized',
  verifies(
    ...LOCKED,
    'QUOTE-AUTHORIZATION-BEFORE-EXECUTION',
    'SCA-STATUS-KEPT-BETWEEN',
    'SCA-NEXT-CHALLENGE-NEW-ID',
  ),
  async ({ given, check }) => {
    given.unshared('prepared customers are shared between tests');
    await survey(
      check,
      sequences(SCA_STEPS),
      async (steps, on) => {
        const model = new QuoteModel(await given.scaCustomer({ challenges: 2 }), on);
        for (const step of steps) await model.take(step);
      },
      { runs: RUNS },
    );
  },
);
