import type { DialectAssumption } from '../../target/dialect/keys.ts';
import { objectsWithin } from '../../suite/objects-within.ts';
import {
  expect,
  WAITING,
  type Answer,
  type Check,
  type Proof,
  type QuoteSighting,
  type ScaCustomer,
  type ScaLoop,
  type SeenChallenge,
} from '../../suite/index.ts';

/**
 * A quote as far as it goes without a proof. Where the waiting begins is not shown: a quote that does not wait when it is
 * created may come to wait when it is executed.
 *
 * @param created the answer to its creation, or what to call it
 */
export async function goneAsFarAsCan(
  customer: ScaCustomer,
  created: string | Answer = 'creating a quote',
): Promise<QuoteSighting> {
  const answer = typeof created === 'string' ? await customer.create({}, created) : created;
  const first = customer.needSee(answer);
  const { id, status } = first.quote;
  if (status !== 'PENDING') return first;
  customer.need.that(id, 'the quote shows no id to execute it by');
  const executed = await customer.execute(id, 'executing the quote, which may then wait for authorization');
  const seen = (await customer.look(executed, id)) ?? first;
  if (seen.quote.status !== 'PENDING') return seen;
  // It may come to wait a moment after it was asked for.
  return (await untilLeft(customer, id)) ?? seen;
}

/** A quote that waits for authorization, and its challenge. */
type Waiting = QuoteSighting & { readonly challenge: SeenChallenge };

/** A quote that waits for authorization, created as preparation. What fails here accuses nobody. */
export async function needAwait(customer: ScaCustomer, label = 'creating a quote'): Promise<Waiting> {
  const seen = await goneAsFarAsCan(customer, label);
  customer.need.that(seen.quote.status === WAITING, 'the quote does not wait for authorization');
  const challenge = customer.need.that(seen.quote.scaChallenge, 'the quote shows no challenge');
  return { ...seen, challenge };
}

/**
 * The same quote once its first challenge has been authorized, and waits for the next. Not verified where one was enough.
 *
 * @param proof of the first challenge; made here unless given
 */
export async function needWaitAgain(
  customer: ScaCustomer,
  waiting: Waiting,
  proof?: Proof,
): Promise<Waiting> {
  const { need } = customer;
  const between = await authorizedOnce(customer, waiting, proof);
  need.offered(between.quote.status === WAITING, 'one authorization was enough');
  return {
    ...between,
    challenge: need.that(between.quote.scaChallenge, 'the quote shows no second challenge'),
  };
}

/** The quote after its first authorization, which is taken as preparation. */
export async function authorizedOnce(
  customer: ScaCustomer,
  { quote, challenge }: Waiting,
  proof?: Proof,
): Promise<QuoteSighting> {
  const label = 'authorizing challenge 1';
  const first = proof
    ? await customer.authorize(quote.id, proof, label)
    : await customer.tryToProve(quote.id, challenge, label);
  customer.need(first).accepted();
  return customer.need.offered(await customer.look(first, quote.id), 'the quote could not be seen again');
}

/**
 * The control of every refused proof: a quote of the same customer, authorized to its end.
 *
 * @returns how many authorizations it took
 */
export async function needAuthorize(customer: ScaCustomer): Promise<number> {
  const waiting = await needAwait(customer, 'a quote to be authorized');
  return (await customer.needAuthorizeAll(waiting)).steps.length;
}

/** Statuses of a quote that runs, so that its last authorization was taken. */
const RUNS = new Set<unknown>(['PROCESSING', 'COMPLETED']);

/** Whether a quote was released, and the answers that show it. */
export interface Release {
  readonly released: boolean;
  readonly answers: readonly Answer[];
  readonly assumes?: readonly DialectAssumption[];
}

/** Executes a quote that was authorized. @returns the answer that tells, where its last authorization has set it going */
export async function needGoing(customer: ScaCustomer, { quote, answer }: QuoteSighting): Promise<Answer> {
  if (quote.status !== 'PENDING') return answer;
  const executed = await customer.execute(quote.id, 'executing the authorized quote');
  // It may run already, and be called PENDING until it is done; a read may be older than the authorization.
  const seen = executed.refused
    ? await customer.until(quote.id, ({ status }) => RUNS.has(status) || status === 'FAILED')
    : undefined;
  if (seen && RUNS.has(seen.quote.status)) return seen.answer;
  customer.need(executed).available();
  return executed;
}

function untilLeft(customer: ScaCustomer, quoteId: unknown): Promise<QuoteSighting | undefined> {
  return customer.until(quoteId, ({ status }) => status !== 'PENDING');
}

/**
 * Whether the last authorization of a quote was taken. What a wrong or late proof does to a quote is not shown: where the
 * waiting begins with the execution, it may be PENDING again and wait anew as soon as it is executed. So of a PENDING quote
 * its execution tells.
 */
export async function whetherReleased(
  customer: ScaCustomer,
  { quote, answer }: QuoteSighting,
  need = customer.need,
): Promise<Release> {
  if (quote.status !== 'PENDING') return { released: RUNS.has(quote.status), answers: [answer] };
  const label = 'executing the quote, for which no right proof was given';
  const executed = await customer.execute(quote.id, label);
  // It may run already, and be called PENDING until it is done.
  const ended = executed.refused ? await untilLeft(customer, quote.id) : undefined;
  if (ended && RUNS.has(ended.quote.status))
    return { released: true, answers: [answer, executed, ended.answer] };
  const { outcome, answers, assumes = [] } = await customer.outcome(executed, quote.id);
  need.that(outcome !== 'unknown', 'what the quote came to could not be seen');
  return { released: outcome === 'executed', answers: [answer, ...answers], assumes };
}

/**
 * Blames the rule where a quote is released that was not authorized. How the service says no is open: a refusal, the quote as
 * it was, or one that has failed.
 *
 * @param about.seen the quote afterwards
 * @param about.tried what was to authorize it
 */
export async function expectNotReleased(
  check: Check,
  rule: string,
  {
    customer,
    seen,
    tried,
  }: { readonly customer: ScaCustomer; readonly seen: QuoteSighting; readonly tried: readonly Answer[] },
): Promise<boolean> {
  const { released, answers, assumes = [] } = await whetherReleased(customer, seen);
  return check(rule, () => expect(released, 'the quote was released').toBe(false), {
    evidence: [...tried, ...answers],
    assumes,
  });
}

/** A right proof with a code that is not the right one, of the same form. */
export function withAnotherCode(proof: Proof): Proof {
  return tampered(proof, (code) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)));
}

/** Wrong proofs, made from the right one by a code. */
export const WRONG_CODES: readonly { readonly says: string; readonly make: (proof: Proof) => Proof }[] = [
  { says: 'another code', make: withAnotherCode },
  { says: 'a code one digit short', make: (proof) => tampered(proof, (code) => code.slice(0, -1)) },
  { says: 'a code with a digit too many', make: (proof) => tampered(proof, (code) => `${code}0`) },
  { says: 'an empty code', make: (proof) => tampered(proof, () => '') },
  { says: 'no proof at all', make: () => ({}) },
];

/** The field of a code is the target's to name; ids keep what they are. */
function tampered(proof: Proof, tamper: (code: string) => string): Proof {
  const isCode = (value: unknown) => typeof value === 'string' && /^\d+$/.test(value);
  return Object.fromEntries(
    Object.entries(proof).map(([name, value]) => [name, isCode(value) ? tamper(value as string) : value]),
  );
}

type LoginChallenge = SeenChallenge & {
  readonly challengeId?: unknown;
  /** Known services name the parts of a passkey login in a way of their own. */
  readonly passkeyOptions?: object;
  readonly allowedOrigins?: string[];
};

/** A login that was started. */
interface StartedLogin {
  readonly challenge: LoginChallenge;
  readonly answer: Answer;
  /** Whether a passkey's login is told in the fields of a ScaChallenge. */
  readonly isScaChallenge: boolean;
}

/** Starts a login, whose operation the interface does not show. */
export async function needStartLogin(customer: ScaCustomer, factor: string): Promise<StartedLogin> {
  const answer = await customer.startLogin(factor);
  customer.need(answer).available();
  const named = objectsWithin(answer.body as unknown).find((one) => 'challengeId' in one || 'factor' in one);
  const found = customer.need.offered(
    named as LoginChallenge | undefined,
    'no challenge could be recognised in the start of the login',
  );
  const isScaChallenge = 'passkeyAssertionOptions' in found || 'passkeyAllowedOrigins' in found;
  const { passkeyOptions, allowedOrigins } = found;
  const more = {
    // Where the answer does not repeat the factor that was asked for, it is that one.
    ...(found.factor === undefined && { factor }),
    ...(!isScaChallenge && passkeyOptions && { passkeyAssertionOptions: passkeyOptions }),
    ...(!isScaChallenge && allowedOrigins && { passkeyAllowedOrigins: allowedOrigins }),
  };
  // A copy no longer tells a check what it reads.
  const challenge = Object.keys(more).length === 0 ? found : { ...found, ...more };
  return { challenge, answer, isScaChallenge };
}

/** Logs a customer in with the right proof. */
export async function logIn(customer: ScaCustomer, factor = 'SMS_OTP'): Promise<Answer> {
  const { challenge } = await needStartLogin(customer, factor);
  const proof = customer.need.offered(
    customer.proof(challenge),
    `a login by ${factor} cannot be proved here`,
  );
  return customer.completeLogin(challenge, proof);
}

/** Logs a customer in as preparation. */
export async function needCompleteLogin(customer: ScaCustomer, factor?: string): Promise<Answer> {
  const answer = await logIn(customer, factor);
  customer.need(answer).available();
  return answer;
}

/** Holds that a quote has waited for as many authorizations as the state promises. */
export async function expectAsPromised(
  check: Check,
  { state }: ScaCustomer,
  { steps, last }: ScaLoop,
): Promise<void> {
  const promised = state.challenges;
  if (promised === undefined) return;
  const isPromised = () =>
    expect(steps.length, 'authorizations until the quote waits no more').toBeGreaterThanOrEqual(promised);
  await check('SCA-STATUS-KEPT-BETWEEN', isPromised, [last.answer]);
}
