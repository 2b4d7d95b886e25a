import type { Answer, Need, ScaCustomer, SeenChallenge } from '../../suite/index.ts';

export type LoginChallenge = SeenChallenge & { readonly challengeId?: unknown };

/** A login that was started. */
export interface StartedLogin {
  readonly challenge: LoginChallenge;
  readonly answer: Answer;
  /** Whether a passkey's login is told in the fields of a ScaChallenge. */
  readonly isScaChallenge: boolean;
}

/** Starts a login, whose operation the interface does not show. */
export async function mustStartLogin(
  need: Need,
  customer: ScaCustomer,
  factor: string,
): Promise<StartedLogin> {
  const answer = await customer.startLogin(factor);
  need(answer).available();
  const body = answer.body as Readonly<Record<string, unknown>> | undefined;
  const parts = [body, ...Object.values(body ?? {})].filter((one) => typeof one === 'object' && one !== null);
  const named = (parts as LoginChallenge[]).find((one) => 'challengeId' in one || 'factor' in one);
  const found = need.offered(named, 'no challenge could be recognised in the start of the login');
  const isScaChallenge = 'passkeyAssertionOptions' in found || 'passkeyAllowedOrigins' in found;
  // Where the answer does not repeat the factor that was asked for, it is that one.
  const more = {
    ...(found.factor === undefined ? { factor } : {}),
    ...(isScaChallenge ? {} : otherNames(found)),
  };
  const challenge = Object.keys(more).length === 0 ? found : { ...found, ...more };
  return { challenge, answer, isScaChallenge };
}

/** Logs a customer in as preparation. */
export async function mustLogIn(need: Need, customer: ScaCustomer, factor = 'SMS_OTP'): Promise<Answer> {
  const { challenge } = await mustStartLogin(need, customer, factor);
  const proof = need.offered(customer.proof(challenge), `a login by ${factor} cannot be proved here`);
  const answer = await customer.completeLogin(challenge, proof);
  need(answer).available();
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

/** How long the session of an SCA customer lasts (Authentication, 10; Limits, SCA session). */
export const SESSION_DAYS = 180;

const DAY_SECONDS = 86_400;

export const SESSION_SECONDS = SESSION_DAYS * DAY_SECONDS;

/** @param milliseconds a span of time */
export function inDays(milliseconds: number): number {
  return milliseconds / 1_000 / DAY_SECONDS;
}
