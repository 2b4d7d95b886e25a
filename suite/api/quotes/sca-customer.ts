import type { CeremonyOptions } from '../../../client/crypto/index.ts';
import type { ScaCustomerState } from '../../../target/states/types.ts';
import { type Answer, succeeded } from '../../answers/answer.ts';
import { partsOf, type ActorParts, type Told } from '../platform.ts';
import { Prover, type Proof, type SeenChallenge } from './proofs.ts';
import { QuoteCustomer, type QuoteSighting } from './quote-customer.ts';

/** One authorization of the loop. */
interface ScaStep {
  readonly challenge: SeenChallenge;
  /** The answer that showed the challenge. */
  readonly shownBy: Answer;
  readonly answer: Answer;
  /** The quote afterwards, where one could be seen. */
  readonly after: QuoteSighting | undefined;
}

/** The whole loop, to its end. */
export interface ScaLoop {
  readonly steps: readonly ScaStep[];
  /** The quote as it was seen last. */
  readonly last: QuoteSighting;
  readonly end: 'left' | 'endless' | 'stuck';
  /** How it ended, in words. */
  readonly says: string;
}

/** What a quote waits in. */
export const WAITING = 'PENDING_AUTHORIZATION';

/** Today two are usual, and a state may ask for ten. */
const MOST_STEPS = 12;
const NO_PROOF = 'the challenge cannot be proved here';
/** Any address of the documentation range. */
const USER_IP = '203.0.113.7';

/** A customer in a region with strong customer authentication, and the means to prove its challenges. */
export class ScaCustomer extends QuoteCustomer<ScaCustomerState> {
  readonly prover: Prover;

  constructor(parts: ActorParts, state: ScaCustomerState) {
    super(parts, state);
    this.prover = new Prover(state, parts.recorder);
  }

  /** A right proof in the form that this target takes; `tamper` makes it wrong. Undefined where the factor cannot be proved. */
  proof(challenge: SeenChallenge, tamper?: CeremonyOptions): Proof | undefined {
    return this.prover.proof(challenge, {}, tamper);
  }

  /** The same as preparation; not verified where the factor cannot be proved here. */
  needProve(challenge: SeenChallenge, tamper?: CeremonyOptions): Proof {
    return this.need.offered(this.proof(challenge, tamper), NO_PROOF);
  }

  /** Proves one challenge of a quote: {@link Prover.submit}. */
  async prove(quoteId: unknown, challenge: SeenChallenge, told: Told = {}): Promise<Answer | undefined> {
    const answer = await this.prover.submit(challenge, (proof) => this.authorize(quoteId, proof, told));
    if (answer && challenge.factor === 'SMS_OTP' && succeeded(answer)) this.recorder.speaks(['scaProof']);
    return answer;
  }

  /** The same; not verified where the factor cannot be proved here. Whether the proof is taken is the test's to say. */
  async tryToProve(quoteId: unknown, challenge: SeenChallenge, told?: Told): Promise<Answer> {
    return this.need.offered(await this.prove(quoteId, challenge, told), NO_PROOF);
  }

  /**
   * Authorizes each challenge in turn until the status leaves PENDING_AUTHORIZATION, however many there are and whatever
   * their purpose. Gives up after a dozen.
   */
  async authorizeAll(start: QuoteSighting): Promise<ScaLoop> {
    const steps: ScaStep[] = [];
    const quoteId = start.quote.id;
    let last = start;
    const ended = (end: ScaLoop['end'], says: string): ScaLoop => ({ steps, last, end, says });
    while (last.quote.status === WAITING) {
      if (steps.length === MOST_STEPS)
        return ended('endless', `after ${MOST_STEPS} accepted authorizations the quote is still ${WAITING}`);
      const challenge = last.quote.scaChallenge;
      if (!challenge) return ended('stuck', `the quote is ${WAITING} and shows no challenge`);
      const label = `authorizing challenge ${steps.length + 1}`;
      const answer = await this.prove(quoteId, challenge, label);
      if (!answer)
        return ended('stuck', `a challenge of factor ${String(challenge.factor)} cannot be proved here`);
      const after = succeeded(answer) ? await this.look(answer, quoteId) : undefined;
      steps.push({ challenge, shownBy: last.answer, answer, after });
      if (!succeeded(answer)) return ended('stuck', `"${label}" was answered ${answer.outcome}`);
      if (!after) return ended('stuck', `no quote could be seen after "${label}"`);
      last = after;
    }
    return ended('left', `the quote left ${WAITING} after ${steps.length} authorizations`);
  }

  /** The same as preparation. @returns the quote that waits no more */
  async needAuthorizeAll(start: QuoteSighting): Promise<ScaLoop> {
    const loop = await this.authorizeAll(start);
    this.need.that(loop.end === 'left', loop.says);
    return loop;
  }

  /** POST /sca/login/start. The path is not shown in the interface. */
  startLogin(factor: string, told: Told = {}): Promise<Answer> {
    return this.call('startScaLogin', {
      label: 'starting an SCA login',
      query: { customerId: this.state.customerId },
      body: this.told('startScaLogin', { factor }),
      ...partsOf(told),
    });
  }

  /** POST /sca/login/complete. Its body is not shown in the interface. */
  async completeLogin(
    challenge: SeenChallenge & { challengeId?: unknown },
    proof: Proof,
    told: Told = {},
  ): Promise<Answer> {
    const { factor, id, challengeId = id } = challenge;
    const usual = { factor, challengeId, ...proof, endUserIpAddress: USER_IP };
    const answer = await this.call('completeScaLogin', {
      label: 'completing the SCA login',
      query: { customerId: this.state.customerId },
      body: this.told('completeScaLogin', usual),
      ...partsOf(told),
    });
    if (factor === 'SMS_OTP' && succeeded(answer)) this.recorder.speaks(['scaProof']);
    return answer;
  }
}
