import { isDeepStrictEqual } from 'node:util';
import { chosen, type Step } from '../../../generators/steps.ts';
import {
  eventually,
  expect,
  WAITING,
  type Answer,
  type Need,
  type QuoteCustomer,
  type QuoteSighting,
  type ScaCustomer,
  type SeenQuote,
  type Walk,
} from '../../../suite/index.ts';
import { sameId } from '../../../suite/same-id.ts';
import { balanceOf } from '../../support/quotes.ts';
import { whetherReleased, WRONG_CODES } from '../../support/sca.ts';

/** What may be done to the quotes of a customer, legal and illegal. */
export const QUOTE_STEPS = [
  'create',
  'create',
  'read',
  'read',
  'execute',
  'execute',
  'execute',
  'authorize',
  'authorize',
  'authorize',
  'authorize wrongly',
  'authorize wrongly',
] as const;
export type QuoteStep = (typeof QUOTE_STEPS)[number];

const LOCKED = ['QUOTE-ID-STABLE', 'QUOTE-TRANSACTION-ID-STABLE', 'QUOTE-RATE-LOCKED', 'QUOTE-FEES-LOCKED'];
/** Rules that a walk can hold for a customer outside SCA regions … */
export const QUOTE_RULES = [
  ...LOCKED,
  'QUOTE-DEBIT-IS-TOTAL',
  'SCA-NEVER-ELSEWHERE',
  'SCA-AUTHORIZE-NOT-APPLICABLE',
];
/** … and for one within. */
export const SCA_QUOTE_RULES = [
  ...LOCKED,
  'QUOTE-AUTHORIZATION-BEFORE-EXECUTION',
  'SCA-STATUS-KEPT-BETWEEN',
  'SCA-WRONG-PROOF',
  'SCA-NEXT-CHALLENGE-NEW-ID',
];

/** One quote as the model knows it: the terms of its creation, and how far it has come. */
interface Known {
  readonly terms: SeenQuote;
  /** Those that were authorized. */
  readonly challenges: Set<unknown>;
  state: 'OPEN' | 'WAITING' | 'EXECUTED' | 'UNKNOWN';
}

const isTaken = (answer: Answer) => answer.exchange.response !== undefined && answer.accepted;

/** The quotes and the money of one customer, one step after another. */
export class QuoteModel {
  readonly #customer: QuoteCustomer;
  /** Set for a customer within an SCA region. */
  readonly #sca: ScaCustomer | undefined;
  readonly #on: Walk;
  readonly #need: Need;
  readonly #opening: number | undefined;
  readonly #known: Known[] = [];
  #spent = 0;
  #isClear = true;

  /** @param opening balance of the source account at the start; undefined where its money is not watched */
  constructor(parts: { customer: QuoteCustomer; sca?: ScaCustomer; opening?: number; need: Need }, on: Walk) {
    this.#customer = parts.customer;
    this.#sca = parts.sca;
    this.#opening = parts.opening;
    this.#need = parts.need;
    this.#on = on;
  }

  async take({ do: name, which, what }: Step<QuoteStep>): Promise<void> {
    if (name === 'create' || this.#known.length === 0) await this.#create();
    const one = chosen(this.#known, which) as Known;
    switch (name) {
      case 'create':
        return;
      case 'read':
        return this.#read(one);
      case 'execute':
        return this.#execute(one);
      case 'authorize':
        return this.#authorize(one);
      case 'authorize wrongly':
        return this.#authorizeWrongly(one, what);
    }
  }

  async #create(): Promise<void> {
    const seen = this.#sighting(await this.#customer.create({}, { label: 'creating a quote' }));
    const state = seen.quote.status === WAITING ? 'WAITING' : 'OPEN';
    const terms = JSON.parse(JSON.stringify(seen.quote)) as SeenQuote;
    const one: Known = { terms, challenges: new Set(), state };
    this.#known.push(one);
    await this.#look(one, seen);
  }

  #name(one: Known): string {
    return `quote ${this.#known.indexOf(one) + 1} (${one.state.toLowerCase()})`;
  }

  #sighting(answer: Answer): QuoteSighting {
    this.#on.told(answer);
    return this.#on.must(this.#customer.sighting(answer), 'no quote could be recognised');
  }

  /** What each sight of a quote must show. */
  async #look(one: Known, { quote, answer }: QuoteSighting): Promise<void> {
    const { terms } = one;
    await this.#on.hold('QUOTE-ID-STABLE', () => expect(sameId(quote.id, terms.id)).toBe(true), [answer]);
    await this.#on.hold('QUOTE-TRANSACTION-ID-STABLE', () =>
      expect(sameId(quote.transactionId, terms.transactionId)).toBe(true),
    );
    // The terms are locked while the quote lives; what is shown of it later is open.
    if (one.state === 'OPEN' || one.state === 'WAITING') {
      await this.#on.hold('QUOTE-RATE-LOCKED', () => {
        expect(quote.exchangeRate).toBe(terms.exchangeRate);
        expect(quote.totalSendingAmount).toBe(terms.totalSendingAmount);
        expect(quote.totalReceivingAmount).toBe(terms.totalReceivingAmount);
      });
      await this.#on.hold('QUOTE-FEES-LOCKED', () => expect(quote.feesIncluded).toBe(terms.feesIncluded));
    }
    if (this.#sca) return;
    await this.#on.hold('SCA-NEVER-ELSEWHERE', () => {
      expect(quote.status).not.toBe(WAITING);
      expect(quote.scaChallenge ?? 'none').toBe('none');
    });
  }

  async #read(one: Known): Promise<void> {
    const label = `reading ${this.#name(one)}`;
    await this.#look(one, this.#sighting(await this.#customer.read(one.terms.id, { label })));
  }

  async #execute(one: Known): Promise<void> {
    const label = `executing ${this.#name(one)}`;
    const answer = this.#on.told(await this.#customer.execute(one.terms.id, { label }));
    const { outcome, answers, assumes = [] } = await this.#customer.outcome(answer, one.terms.id);
    if (assumes.length > 0) this.#isClear = false;
    if (one.state === 'WAITING' && assumes.length === 0)
      return this.#on.hold(
        one.challenges.size > 0 ? 'SCA-STATUS-KEPT-BETWEEN' : 'QUOTE-AUTHORIZATION-BEFORE-EXECUTION',
        () => expect(outcome).not.toBe('executed'),
        answers,
      );
    const wasOpen = one.state === 'OPEN';
    if (wasOpen && outcome === 'executed') {
      one.state = 'EXECUTED';
      this.#spent += this.#on.must(one.terms.totalSendingAmount, 'the quote tells no totalSendingAmount');
    } else if (wasOpen) {
      // It may come to wait, or fail: the transitions of a quote are not shown.
      one.state = 'UNKNOWN';
      this.#isClear = outcome === 'not executed' && this.#isClear;
    }
    await this.#money([answer, ...answers]);
  }

  /** Exactly the totals of what was executed have left. */
  async #money(answers: readonly Answer[]): Promise<void> {
    const opening = this.#opening;
    if (opening === undefined || !this.#isClear) return;
    const seen = await eventually(
      () => balanceOf(this.#customer, this.#need),
      ({ amount }) => opening - amount >= this.#spent,
      this.#customer.patienceMs,
    );
    // Money that has not left may be on its way; the text names no time.
    this.#on.must(opening - seen.amount >= this.#spent, 'the money did not leave in time');
    await this.#on.hold(
      'QUOTE-DEBIT-IS-TOTAL',
      () => expect(opening - seen.amount, 'what left the account').toBe(this.#spent),
      [...answers, seen.answer],
    );
  }

  async #authorize(one: Known): Promise<void> {
    const sca = this.#sca;
    if (!sca) {
      const label = `authorizing ${this.#name(one)}, which needs none`;
      const answer = this.#on.told(
        await this.#customer.authorize(one.terms.id, { code: '123456' }, { label }),
      );
      return this.#on.hold('SCA-AUTHORIZE-NOT-APPLICABLE', () => expect(answer).toBeRefused());
    }
    if (one.state !== 'WAITING') return;
    const challenge = await this.#challengeOf(one);
    const label = `authorizing ${this.#name(one)}`;
    const answer = this.#on.must(
      await sca.prove(one.terms.id, challenge, { label }),
      'it cannot be proved here',
    );
    this.#on.told(answer);
    this.#on.must(isTaken(answer), 'the proof was refused');
    const after = this.#on.must(await sca.look(answer, one.terms.id), 'the quote could not be seen again');
    one.challenges.add(challenge.id);
    if (after.quote.status === WAITING && after.quote.scaChallenge)
      await this.#on.hold(
        'SCA-NEXT-CHALLENGE-NEW-ID',
        () =>
          expect(one.challenges.has(after.quote.scaChallenge?.id), 'the challenge was there before').toBe(
            false,
          ),
        [after.answer],
      );
    else one.state = after.quote.status === 'PENDING' ? 'OPEN' : 'UNKNOWN';
    if (one.state === 'UNKNOWN') this.#isClear = false;
    await this.#look(one, after);
  }

  async #authorizeWrongly(one: Known, what: number): Promise<void> {
    const sca = this.#sca;
    if (!sca || one.state !== 'WAITING') return;
    const challenge = await this.#challengeOf(one);
    const proof = this.#on.must(sca.proof(challenge), 'the challenge cannot be proved here');
    this.#on.must(challenge.factor === 'SMS_OTP', 'the wrong proofs are wrong codes');
    const { says, make } = chosen(WRONG_CODES, what) as (typeof WRONG_CODES)[number];
    const label = `authorizing ${this.#name(one)} with ${says}`;
    const wrong = make(proof);
    this.#on.must(
      !isDeepStrictEqual(wrong, proof),
      'a code that is not only digits cannot be made wrong here',
    );
    const answer = this.#on.told(await sca.authorize(one.terms.id, wrong, { label }));
    const after = await sca.look(answer, one.terms.id);
    const seen = this.#on.must(after, 'the quote could not be seen again');
    // A quote that began to wait with its execution may be PENDING again, and wait anew with the next one.
    const { released, answers } = await whetherReleased(sca, seen, this.#on.need);
    await this.#on.hold('SCA-WRONG-PROOF', () => expect(released, 'the quote was released').toBe(false), [
      answer,
      ...answers,
    ]);
    // What else a wrong proof does to a quote is not shown.
    if (seen.quote.status !== WAITING) one.state = 'UNKNOWN';
    else await this.#look(one, seen);
  }

  async #challengeOf(one: Known) {
    const label = `reading ${this.#name(one)} for its challenge`;
    const { quote } = this.#sighting(await this.#customer.read(one.terms.id, { label }));
    return this.#on.must(quote.scaChallenge, 'the quote shows no challenge');
  }
}
