import type { Profile } from '../target/profile.ts';
import type { Plan } from './plan.ts';

/** What a run will take. */
export interface Cost {
  readonly requests: number;
  /** Set up by states or public calls. */
  readonly customers: number;
  readonly challenges: number;
  /** One-time codes that the target sends by mail or text. */
  readonly messages: number;
  readonly minutes: number;
}

/** Requests of public calls for one state, on the average of the recipes. */
const CALLS_OF_A_RECIPE = 5;
/** Processor time of Assay for one exchange, and for one test, in milliseconds (measured on two cores). */
const EXCHANGE_MS = 4;
const TEST_MS = 25;
/** Starting, loading and writing the reports, in milliseconds. */
const AROUND_MS = 8_000;
const MESSAGES = ['challengeCredential', 'verifyEmail', 'verifyPhone', 'startScaLogin'];

/**
 * What a run costs, from what the same tests cost on the sandbox.
 *
 * @param latencyMs of one request
 */
export function costOf({ tests }: Plan, profile: Profile, workers: number, latencyMs: number): Cost {
  const sum = (of: (one: Plan['tests'][number]) => number) => tests.reduce((all, one) => all + of(one), 0);
  const calls = (...names: readonly string[]) =>
    sum((one) => names.reduce((all, name) => all + (one.calls[name] ?? 0), 0));
  const perState = { 'provider-states': 2, 'public-calls': CALLS_OF_A_RECIPE, fixtures: 0 }[
    profile.preparation
  ];
  const setups = sum((one) => one.setups);
  const requests = sum((one) => Object.values(one.calls).reduce((a, b) => a + b, 0)) + setups * perState;
  const count = sum((one) => one.tests);
  const work = requests * (latencyMs + EXCHANGE_MS) + count * TEST_MS;
  const chain = Math.max(0, ...tests.map((one) => one.longest)) * (latencyMs + EXCHANGE_MS);
  const paced = profile.manners?.pace === undefined ? 0 : (requests / profile.manners.pace) * 1_000;
  return {
    requests,
    customers:
      profile.preparation === 'fixtures' ? calls('createCustomer') : setups + calls('createCustomer'),
    challenges: calls('challengeCredential'),
    messages: calls(...MESSAGES),
    minutes: (AROUND_MS + Math.max(work / workers, chain, paced)) / 60_000,
  };
}
