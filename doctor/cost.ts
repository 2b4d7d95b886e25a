import { availableParallelism } from 'node:os';
import type { Profile } from '../target/profile.ts';
import { isLoopback } from '../target/safety.ts';
import { MEASURED } from '../target/states/measured.ts';
import type { WorkTime } from '../target/machine-speed.ts';
import type { Plan, Serves } from './plan.ts';

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

/** What the time of a run depends on, beside its tests. */
interface Circumstances {
  readonly workers: number;
  /** Of one request to the target, in milliseconds. */
  readonly latencyMs: number;
  /** Of one request to who prepares states, in milliseconds. */
  readonly statesMs: number;
  /** What a provider-states URL serves; public calls prepare the rest. */
  readonly atUrl?: Serves;
  /** How fast this machine is now. */
  readonly speed: WorkTime;
}

/** Requests of public calls for one state, on the average of the recipes. */
const CALLS_OF_A_RECIPE = 5;
/**
 * Processor time outside the tests, in milliseconds, as measured beside target/states/measured.json: of the runner for a
 * test, of each worker beyond those that measured (its code is compiled anew), of loading and the reports, and of a target
 * on this machine for a request.
 */
const OUTSIDE = { test: 12, worker: 6_000, around: 8_000, ownTarget: 1.5 };
const MEASURED_WITH = 2;
/** Processes of a run that want a core at the same time, on the average: workers wait for answers most of their time. */
const AT_ONCE = 3;
const MESSAGES = ['challengeCredential', 'verifyEmail', 'verifyPhone', 'startScaLogin'];

/** What a run costs, from what the same tests cost on the sandbox. */
export function costOf(plan: Plan, profile: Profile, circumstances: Circumstances): Cost {
  const { tests } = plan;
  const sum = (of: (one: Plan['tests'][number]) => number) => tests.reduce((all, one) => all + of(one), 0);
  const calls = (...names: readonly string[]) =>
    sum((one) => names.reduce((all, name) => all + (one.calls[name] ?? 0), 0));
  const setups = sum((one) => one.setups);
  const requests =
    sum((one) => Object.values(one.calls).reduce((a, b) => a + b, 0)) +
    sum((one) => one.setups * requestsOfSetup(one, profile, circumstances));
  return {
    requests,
    customers:
      profile.preparation === 'fixtures' ? calls('createCustomer') : setups + calls('createCustomer'),
    challenges: calls('challengeCredential'),
    messages: calls(...MESSAGES),
    minutes: millisecondsOf(plan, profile, requests, circumstances) / 60_000,
  };
}

/**
 * How long: what the cores have to do, what the workers have to wait for and the longest single test go on at once, so that
 * the longest of the three counts most. A pace holds all of it back.
 */
function millisecondsOf(
  { tests }: Plan,
  profile: Profile,
  requests: number,
  circumstances: Circumstances,
): number {
  const { workers, latencyMs, statesMs, speed } = circumstances;
  const sum = (of: (one: Plan['tests'][number]) => number) => tests.reduce((all, one) => all + of(one), 0);
  // A slower processor than the one that measured, and others who use it at the same time.
  const slower = speed.cpuMs / MEASURED.workMs;
  const ownTarget = isLoopback(profile.baseUrl) ? requests * OUTSIDE.ownTarget : 0;
  const inTests = sum((one) => one.busyMs) * slower;
  const further = Math.max(0, workers - MEASURED_WITH);
  const outside = (sum((one) => one.tests) * OUTSIDE.test + further * OUTSIDE.worker + ownTarget) * slower;
  const cores = (inTests + outside) / coresLeft(speed);
  const setUpMs = (one: Plan['tests'][number]) =>
    requestsOfSetup(one, profile, circumstances) * (isAtUrl(one, circumstances) ? statesMs : latencyMs);
  const answers = sum((one) => one.rounds * latencyMs + one.setups * setUpMs(one));
  const waiting = (answers + inTests) / workers;
  const longest = Math.max(0, ...tests.map((one) => one.longest)) * latencyMs;
  const paced = profile.manners?.pace === undefined ? 0 : (requests / profile.manners.pace) * 1_000;
  const around = OUTSIDE.around * slower * Math.max(1, speed.wallMs / speed.cpuMs);
  return around + Math.max(Math.hypot(cores, waiting), longest, paced);
}

/** Cores that a run gets beside whatever else this machine does now. */
function coresLeft({ wallMs, cpuMs }: WorkTime): number {
  const cores = availableParallelism();
  const others = cores * Math.max(0, wallMs / cpuMs - 1);
  return Math.min(cores, (cores * AT_ONCE) / (AT_ONCE + others));
}

function requestsOfSetup(
  tests: Plan['tests'][number],
  { preparation }: Profile,
  circumstances: Circumstances,
): number {
  if (preparation === 'fixtures') return 0;
  return isAtUrl(tests, circumstances) ? 2 : CALLS_OF_A_RECIPE;
}

function isAtUrl({ parts }: Plan['tests'][number], { atUrl }: Circumstances): boolean {
  return atUrl !== undefined && parts.every(atUrl);
}
