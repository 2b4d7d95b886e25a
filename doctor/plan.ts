import { loadRules, needsLacking, type Rule } from '../schemas/rules.ts';
import { type Preparation, type Profile, preparations } from '../target/profile.ts';
import { FixturesFile } from '../target/providers/fixtures-file.ts';
import { servesByPublicCalls } from '../target/providers/public-calls/public-calls.ts';
import { partsOf } from '../target/states/catalogue.ts';
import { isWithin, MEASURED, type MeasuredRun, type MeasuredTests } from '../target/states/measured.ts';
import type { Cost } from './cost.ts';

/** One thing to do, and the rules that it would add. */
interface Addition {
  readonly order: string;
  readonly rules: readonly string[];
}

/** What a run on a target will bring. */
export interface Plan {
  /** Rules that apply to what the profile declares. */
  readonly applicable: number;
  readonly verified: readonly string[];
  /** Most rules first. */
  readonly additions: readonly Addition[];
  /** Rules that nothing can add: no measured test has verified them. */
  readonly beyond: readonly string[];
  /** Tests that will run to their end. */
  readonly tests: readonly MeasuredTests[];
}

/**
 * @param serves what can be prepared
 * @param absent operations that the target does not have
 */
export function planFor(
  profile: Profile,
  serves: Serves,
  absent: ReadonlySet<string>,
  run: MeasuredRun = MEASURED,
): Plan {
  const rules = loadRules().filter((rule) => rule.excluded === undefined && isDeclared(rule, profile));
  const verified: string[] = [];
  const beyond: string[] = [];
  const additions = new Map<string, string[]>();
  for (const { id } of rules) {
    const order = orderFor(id, serves, absent, run, profile);
    if (order === undefined) verified.push(id);
    else if (order === '') beyond.push(id);
    else additions.set(order, [...(additions.get(order) ?? []), id]);
  }
  return {
    applicable: rules.length,
    verified,
    beyond,
    additions: [...additions]
      .map(([order, added]) => ({ order, rules: added }))
      .sort((a, b) => b.rules.length - a.rules.length),
    tests: testsOf(verified, serves, absent, run),
  };
}

/** Tests of which something is expected: who declares no credentials is asked for none, though wallets could be had. */
function testsOf(
  verified: readonly string[],
  serves: Serves,
  absent: ReadonlySet<string>,
  run: MeasuredRun,
): readonly MeasuredTests[] {
  const states = new Set(run.tests.flatMap(({ parts }) => parts.map(stateOf)));
  const isOfUse = (state: string) =>
    verified.some((rule) => !isWithin(rule, (part) => stateOf(part) !== state, run));
  const idle = new Set([...states].filter((state) => !isOfUse(state)));
  return run.tests
    .filter(({ parts }) => parts.every((part) => serves(part) && !idle.has(stateOf(part))))
    .map((tests) => ({
      ...tests,
      calls: Object.fromEntries(Object.entries(tests.calls).filter(([operation]) => !absent.has(operation))),
    }));
}

/** No operation shows whether they are offered. */
const OF_NO_OPERATION = new Set([
  'clock',
  'sandbox',
  'webhooks',
  'limits',
  'execution-failure',
  'agent-limits',
]);
/** So many of a capability's rules stand on an operation that is not there, where it seems not to be offered. */
const MOST_OF_THEM = 0.8;

/** Capabilities whose operations are not there: perhaps they are not offered. */
export function seemLeftOut(
  profile: Profile,
  absent: ReadonlySet<string>,
  run: MeasuredRun = MEASURED,
): readonly string[] {
  const rules = loadRules().filter((rule) => rule.excluded === undefined);
  return profile.capabilities.filter((capability) => {
    if (OF_NO_OPERATION.has(capability)) return false;
    const operations = rules
      .filter(({ id, needs }) => needs.includes(capability) && (run.operations[id] ?? []).length > 0)
      .map(({ id }) => run.operations[id] as readonly string[]);
    const without = operations.filter((ids) => ids.some((id) => absent.has(id)));
    return operations.length > 0 && without.length >= MOST_OF_THEM * operations.length;
  });
}

function isDeclared(rule: Rule, { capabilities }: Profile): boolean {
  return needsLacking(rule, new Set(capabilities)).length === 0;
}

/** What would add a rule: undefined where nothing is missing, empty where nothing is known to. */
function orderFor(
  rule: string,
  serves: Serves,
  absent: ReadonlySet<string>,
  run: MeasuredRun,
  profile: Profile,
): string | undefined {
  const ways = run.rules[rule] ?? [];
  if (ways.length === 0) return '';
  const operation = (run.operations[rule] ?? []).find((id) => absent.has(id));
  if (operation !== undefined) return `offer the operation ${operation}`;
  const lacks = ways.map((parts) => parts.filter((part) => !serves(part)));
  const [least = []] = [...lacks].sort((a, b) => a.length - b.length);
  // Public calls give less than a state promises here, and more there: what they have shown is known.
  const isAlone = preparations(profile).join() === 'public-calls';
  if (isAlone ? run.byPublicCalls.includes(rule) : least.length === 0) return undefined;
  if (least.length === 0) return orderOfPart(stateOf(ways[0]?.[0] ?? ''), () => false, profile);
  const orders = [...new Set(least.map((part) => orderOfPart(part, serves, profile)))].sort();
  return orders.join(', and ');
}

function orderOfPart(part: string, serves: Serves, { preparation, slow }: Profile): string {
  const [state = '', ...rest] = part.split('.');
  if (preparation === 'fixtures') return `give the fixtures file a row of ${part}`;
  const param = rest.join('.');
  const where = preparation === 'public-calls' ? ' at a provider-states URL' : '';
  if (state === 'clock') return `serve the state clock${where}${slow ? '' : ', or say slow: true'}`;
  if (param === '' || !serves(state)) return `serve the state ${state}${where}`;
  return `serve the state ${state} with ${param.replace('=', ': ')}${where}`;
}

/** More orders than anybody follows at once. */
const SHOWN = 15;

/** The plan in words. @param namesRules lists the rules too */
export function planLines(plan: Plan, cost: Cost, workers: number, namesRules: boolean): string {
  const { additions, verified, applicable, beyond } = plan;
  const rules = (list: readonly string[]) => (namesRules ? [`          ${list.join(', ')}`] : []);
  return [
    '',
    `A run can verify ${verified.length} of the ${applicable} rules that apply.`,
    ...rules(verified),
    ...(additions.length > 0 ? ['What would add more:'] : []),
    ...additions
      .slice(0, SHOWN)
      .flatMap(({ order, rules: added }) => [
        `  ${`+${added.length}`.padStart(5)}  ${order}`,
        ...rules(added),
      ]),
    ...(additions.length > SHOWN
      ? [`         and ${additions.length - SHOWN} more, of ${count(additions.slice(SHOWN))} rules`]
      : []),
    ...(beyond.length > 0
      ? [`  ${beyond.length} rules depend on what the target chooses to do.`, ...rules(beyond)]
      : []),
    `It takes about ${cost.requests} requests, ${cost.customers} customers, ${cost.challenges} challenges of credentials and ${cost.messages} one-time codes;`,
    `with ${workers} workers about ${minutes(cost.minutes)}.`,
  ].join('\n');
}

function count(additions: Plan['additions']): number {
  return additions.reduce((sum, { rules }) => sum + rules.length, 0);
}

function minutes(value: number): string {
  if (value < 1.5) return `${Math.round(value * 60)} seconds`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} minutes`;
}

/** Tells whether who prepares serves a part of a state (target/states/catalogue.ts). */
export type Serves = (part: string) => boolean;

/**
 * What a target's preparation serves.
 *
 * @param tried parts that a provider-states URL has served; undefined where there is none
 */
export function servesOf(profile: Profile, tried: ReadonlySet<string> | undefined): Serves {
  const asked = preparations(profile).map((name) => byWhom(name, profile, tried));
  return (part) =>
    (stateOf(part) !== 'clock' || profile.clock !== 'none') && asked.some((serves) => serves(part));
}

/** A value that was not tried is served as others of the same param are. */
export function servesAsTried(tried: ReadonlySet<string>): Serves {
  const names = new Set([...tried].map((part) => part.replace(/[=].*$/, '')));
  const params = new Set([...names].map((name) => name.split('.').slice(0, 2).join('.')));
  return (part) => {
    const name = part.replace(/[=].*$/, '');
    // What needs records of a test cannot be tried beforehand.
    return (
      tried.has(part) || names.has(name) || params.has(name) || (isOfTest(name) && tried.has(stateOf(part)))
    );
  };
}

function isOfTest(name: string): boolean {
  return /Id$|\.(url|outcome|expiresInSeconds)$/.test(name);
}

function byWhom(name: Preparation, profile: Profile, tried: ReadonlySet<string> | undefined): Serves {
  if (name === 'provider-states') return servesAsTried(tried ?? new Set());
  if (name === 'public-calls') return servesByPublicCalls;
  const rows = new FixturesFile(profile.fixtures as string).rows();
  const parts = new Set(rows.flatMap(({ state, params }) => partsOf(state, params)));
  return (part) => parts.has(part);
}

function stateOf(part: string): string {
  return part.split('.')[0] as string;
}
