import type { CeremonyOptions } from '../../../client/crypto/index.ts';
import type { ScaCustomerState } from '../../../target/states/types.ts';
import { type Answer, succeeded } from '../../answers/answer.ts';
import type { ActorParts, CallParts } from '../platform.ts';
import { PROOF_FORMS, Prover, type Proof, type ProofForm, type SeenChallenge } from './proofs.ts';
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
/** Answers to a proof that may only be written in the wrong form. */
const MAYBE_FORM = new Set([400, 422]);
/** Any address of the documentation range. */
const USER_IP = '203.0.113.7';

/** A customer in a region with strong customer authentication, and the means to prove its challenges. */
export class ScaCustomer extends QuoteCustomer<ScaCustomerState> {
  readonly prover: Prover;
  readonly #learned: Map<unknown, ProofForm>;

  constructor(parts: ActorParts, state: ScaCustomerState) {
    super(parts, state);
    this.prover = new Prover(state, parts.recorder.dialect);
    this.#learned = learnedOf(parts.recorder.contract);
  }

  /** A right proof in the form that this target takes; `tamper` makes it wrong. Undefined where the factor cannot be proved. */
  proof(challenge: SeenChallenge, tamper: CeremonyOptions = {}): Proof | undefined {
    return this.prover.proof(challenge, this.#learned.get(challenge.factor), tamper);
  }

  /** The same as preparation; not verified where the factor cannot be proved here. */
  mustProve(challenge: SeenChallenge, tamper?: CeremonyOptions): Proof {
    return this.need.offered(this.proof(challenge, tamper), 'the challenge cannot be proved here');
  }

  /** What is submitted when a proof is sent with the id of its challenge. */
  proofWithId(challenge: SeenChallenge): Proof | undefined {
    const { assertion } = this.#learned.get(challenge.factor) ?? (PROOF_FORMS[0] as ProofForm);
    return this.prover.proof(challenge, { assertion, withId: true });
  }

  /**
   * Proves one challenge. Where the interface leaves the form of a proof open, further forms are tried as long as none
   * was ever accepted.
   *
   * @returns the accepted answer, else the one to the most usual form; undefined where the factor cannot be proved
   */
  async prove(
    quoteId: unknown,
    challenge: SeenChallenge,
    parts: CallParts = {},
  ): Promise<Answer | undefined> {
    let first: Answer | undefined;
    const known = this.#learned.get(challenge.factor);
    for (const form of known ? [known] : formsFor(challenge)) {
      const proof = this.prover.proof(challenge, form);
      if (!proof) return first;
      const answer = await this.authorize(quoteId, proof, parts);
      first ??= answer;
      if (!answer.exchange.response) return first;
      if (answer.accepted) {
        this.#learned.set(challenge.factor, form);
        if (challenge.factor === 'SMS_OTP') this.recorder.speaks(['scaProof']);
        return answer;
      }
      if (!MAYBE_FORM.has(answer.status)) return first;
    }
    return first;
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
      const answer = await this.prove(quoteId, challenge, { label });
      if (!answer)
        return ended('stuck', `a challenge of factor ${String(challenge.factor)} cannot be proved here`);
      const after =
        answer.exchange.response && answer.accepted ? await this.look(answer, quoteId) : undefined;
      steps.push({ challenge, shownBy: last.answer, answer, after });
      if (!answer.exchange.response || !answer.accepted)
        return ended('stuck', `"${label}" was answered ${answer.outcome}`);
      if (!after) return ended('stuck', `no quote could be seen after "${label}"`);
      last = after;
    }
    return ended('left', `the quote left ${WAITING} after ${steps.length} authorizations`);
  }

  /** POST /sca/login/start. The path is not shown in the interface. */
  startLogin(factor: string, parts: CallParts = {}): Promise<Answer> {
    const { customerId } = this.state;
    return this.call('startScaLogin', {
      label: 'starting an SCA login',
      query: { customerId },
      body: this.told('startScaLogin', { factor }),
      ...parts,
    });
  }

  /** POST /sca/login/complete. Its body is not shown in the interface. */
  async completeLogin(
    challenge: SeenChallenge & { challengeId?: unknown },
    proof: Proof,
    parts: CallParts = {},
  ): Promise<Answer> {
    const { customerId } = this.state;
    const { factor } = challenge;
    const challengeId = challenge.challengeId ?? challenge.id;
    const usual = { factor, challengeId, ...proof, endUserIpAddress: USER_IP };
    const body = this.told('completeScaLogin', usual);
    const answer = await this.call('completeScaLogin', {
      label: 'completing the SCA login',
      query: { customerId },
      body,
      ...parts,
    });
    if (factor === 'SMS_OTP' && succeeded(answer)) this.recorder.speaks(['scaProof']);
    return answer;
  }
}

/** Forms of proofs that a target has accepted, by factor: what one customer has learned serves the next. */
const learned = new WeakMap<object, Map<unknown, ProofForm>>();

function learnedOf(target: object): Map<unknown, ProofForm> {
  let forms = learned.get(target);
  if (!forms) learned.set(target, (forms = new Map()));
  return forms;
}

/** A code is written in one way only. */
function formsFor(challenge: SeenChallenge): readonly ProofForm[] {
  return challenge.factor === 'PASSKEY'
    ? PROOF_FORMS
    : PROOF_FORMS.filter(({ assertion }) => assertion === 'interface');
}
