import type { DialectAssumption } from '../../target/dialect/keys.ts';
import {
  WAITING,
  type Answer,
  type Proof,
  type QuoteSighting,
  type ScaCustomer,
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
  const answer = typeof created === 'string' ? await customer.create({}, { label: created }) : created;
  customer.need(answer).accepted();
  const first = customer.need.offered(
    customer.sighting(answer),
    'no quote could be recognised in the answer to its creation',
  );
  if (first.quote.status !== 'PENDING') return first;
  const executed = await customer.execute(
    first.quote.id,
    'executing the quote, which may then wait for authorization',
  );
  const seen = (await customer.look(executed, first.quote.id)) ?? first;
  if (seen.quote.status !== 'PENDING') return seen;
  // It may come to wait a moment after it was asked for.
  return (await customer.until(first.quote.id, ({ status }) => status !== 'PENDING')) ?? seen;
}

/** A quote that waits for authorization, and its challenge. */
type Waiting = QuoteSighting & { readonly challenge: SeenChallenge };

/** A quote that waits for authorization, created as preparation. What fails here accuses nobody. */
export async function mustAwait(customer: ScaCustomer, label = 'creating a quote'): Promise<Waiting> {
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
export async function mustWaitAgain(
  customer: ScaCustomer,
  { quote, challenge }: Waiting,
  proof?: Proof,
): Promise<Waiting> {
  const label = 'authorizing challenge 1';
  const first = customer.need.offered(
    proof
      ? await customer.authorize(quote.id, proof, label)
      : await customer.prove(quote.id, challenge, { label }),
    'the challenge cannot be proved here',
  );
  customer.need(first).accepted();
  const between = customer.need.offered(
    await customer.look(first, quote.id),
    'the quote could not be seen again',
  );
  customer.need.offered(between.quote.status === WAITING, 'one authorization was enough');
  return {
    ...between,
    challenge: customer.need.that(between.quote.scaChallenge, 'the quote shows no second challenge'),
  };
}

/** The control of every refused proof: a quote of the same customer, authorized to its end. */
export async function mustAuthorize(customer: ScaCustomer): Promise<QuoteSighting> {
  const { end, says, last } = await customer.authorizeAll(
    await mustAwait(customer, 'a quote to be authorized'),
  );
  customer.need.that(end === 'left', says);
  return last;
}

/** Statuses of a quote that runs, so that its last authorization was taken. */
const RUNS = new Set<unknown>(['PROCESSING', 'COMPLETED']);

/** Whether a quote was released, and the answers that show it. */
export interface Release {
  readonly released: boolean;
  readonly answers: readonly Answer[];
  readonly assumes?: readonly DialectAssumption[];
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
  const executed = await customer.execute(
    quote.id,
    'executing the quote, for which no right proof was given',
  );
  const { outcome, answers, assumes = [] } = await customer.outcome(executed, quote.id);
  need.that(outcome !== 'unknown', 'what the quote came to could not be seen');
  return { released: outcome === 'executed', answers: [answer, ...answers], assumes };
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
  return Object.fromEntries(
    Object.entries(proof).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\d+$/.test(value) ? tamper(value) : value,
    ]),
  );
}

export type LoginChallenge = SeenChallenge & { readonly challengeId?: unknown };

/** A login that was started. */
export interface StartedLogin {
  readonly challenge: LoginChallenge;
  readonly answer: Answer;
  /** Whether a passkey's login is told in the fields of a ScaChallenge. */
  readonly isScaChallenge: boolean;
}

/** Starts a login, whose operation the interface does not show. */
export async function mustStartLogin(customer: ScaCustomer, factor: string): Promise<StartedLogin> {
  const answer = await customer.startLogin(factor);
  customer.need(answer).available();
  const body = answer.body as Readonly<Record<string, unknown>> | undefined;
  const parts = [body, ...Object.values(body ?? {})].filter((one) => typeof one === 'object' && one !== null);
  const named = (parts as LoginChallenge[]).find((one) => 'challengeId' in one || 'factor' in one);
  const found = customer.need.offered(named, 'no challenge could be recognised in the start of the login');
  const isScaChallenge = 'passkeyAssertionOptions' in found || 'passkeyAllowedOrigins' in found;
  // Where the answer does not repeat the factor that was asked for, it is that one.
  const more = {
    ...(found.factor === undefined ? { factor } : {}),
    ...(isScaChallenge ? {} : otherNames(found)),
  };
  const challenge = Object.keys(more).length === 0 ? found : { ...found, ...more };
  return { challenge, answer, isScaChallenge };
}

/** Logs a customer in with the right proof. */
export async function logIn(customer: ScaCustomer, factor = 'SMS_OTP'): Promise<Answer> {
  const { challenge } = await mustStartLogin(customer, factor);
  const proof = customer.need.offered(
    customer.proof(challenge),
    `a login by ${factor} cannot be proved here`,
  );
  return customer.completeLogin(challenge, proof);
}

/** Logs a customer in as preparation. */
export async function mustLogIn(customer: ScaCustomer, factor?: string): Promise<Answer> {
  const answer = await logIn(customer, factor);
  customer.need(answer).available();
  return answer;
}

/** Known services name the parts of a passkey login in a way of their own. */
function otherNames(found: object): LoginChallenge {
  const { passkeyOptions, allowedOrigins } = found as {
    passkeyOptions?: LoginChallenge['passkeyAssertionOptions'];
    allowedOrigins?: LoginChallenge['passkeyAllowedOrigins'];
  };
  return {
    ...(passkeyOptions === undefined ? {} : { passkeyAssertionOptions: passkeyOptions }),
    ...(allowedOrigins === undefined ? {} : { passkeyAllowedOrigins: allowedOrigins }),
  };
}
