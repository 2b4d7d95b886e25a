import type { Answer, Need, ScaCustomer, SeenChallenge } from '../../../suite/index.ts';

export type LoginChallenge = SeenChallenge & { readonly challengeId?: unknown };

/** Starts a login, whose operation the interface does not show. */
export async function mustStartLogin(
  need: Need,
  customer: ScaCustomer,
  factor: string,
): Promise<{ readonly challenge: LoginChallenge; readonly answer: Answer }> {
  const answer = await customer.startLogin(factor);
  need(answer).available();
  const body = answer.body as Readonly<Record<string, unknown>> | undefined;
  const parts = [body, ...Object.values(body ?? {})].filter((one) => typeof one === 'object' && one !== null);
  const named = (parts as LoginChallenge[]).find((one) => 'challengeId' in one || 'factor' in one);
  const found = need.offered(named, 'no challenge could be recognised in the start of the login');
  // Where the answer does not repeat the factor that was asked for, it is that one.
  const challenge = found.factor === undefined ? { ...found, factor } : found;
  return { challenge, answer };
}

/** Logs a customer in as preparation. */
export async function mustLogIn(need: Need, customer: ScaCustomer, factor = 'SMS_OTP'): Promise<Answer> {
  const { challenge } = await mustStartLogin(need, customer, factor);
  const proof = need.offered(customer.proof(challenge), `a login by ${factor} cannot be proved here`);
  const answer = await customer.completeLogin(challenge, proof);
  need(answer).available();
  return answer;
}
