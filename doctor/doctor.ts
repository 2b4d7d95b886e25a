/**
 * Looks at a target before any test: is it there, which operations and states does it have (operations.ts, states-check.ts),
 * and what would a run bring (plan.ts) and cost (cost.ts)?
 */
import { HttpClient } from '../client/http/http-client.ts';
import { Manners } from '../client/http/manners.ts';
import { Secrets } from '../client/secrets/secrets.ts';
import { loadContract } from '../schemas/contract.ts';
import { withPaths } from '../target/dialect/read-dialect.ts';
import { preflight } from '../target/preflight.ts';
import type { Profile } from '../target/profile.ts';
import { ProviderStates } from '../target/providers/provider-states.ts';
import { chosenBaseline } from '../reports/folder/baseline.ts';
import { GUESSED, profileLines } from '../reports/verdicts/guesses.ts';
import { readSettings } from '../target/read-settings.ts';
import { allTests, willLeave } from '../target/states/will-leave.ts';
import { UsageError } from '../target/usage-error.ts';
import { workersFor } from '../target/workers.ts';
import { machineSpeed, type WorkTime } from '../target/machine-speed.ts';
import { costOf } from './cost.ts';
import { latencyOfStates, takePulse, tryAgentToken, tryEvent, tryEventLog } from './examine.ts';
import { findOperations, type FoundOperation } from './operations.ts';
import { planFor, planLines, seemLeftOut, servesAsTried, servesOf } from './plan.ts';
import { checkStates, servedParts, type Tried } from './states-check.ts';
import { tryGuesses } from './try-guesses.ts';

/** Clocks that differ by more spoil tokens and times. Seconds. */
const MUCH_AHEAD = 5;
/** So many times longer than its own processor time a piece of work takes where others use the machine. */
const BUSY = 1.5;
const NAME_WIDTH = 13;
const NOBODY = {
  baseUrl: 'http://127.0.0.1:0',
  statesUrl: 'http://127.0.0.1:0',
  clientId: '',
  clientSecret: '',
};

export interface Options {
  /** Lists the rules too. */
  readonly namesRules: boolean;
  /** Tries what the profile does not tell of the dialect; unless given, where states are served and nothing stays behind. */
  readonly tries?: boolean;
  /** How fast this machine is; measured unless given. */
  readonly speed?: WorkTime;
}

/**
 * Examines the target that the environment and its profile name.
 *
 * @param print gets one line, or several, at a time
 * @returns 0, or 1 where something is to be mended
 * @throws UsageError where no run could begin: one sentence with the fix
 */
export async function doctor(
  env: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
  options: Options,
): Promise<number> {
  const { profile } = readSettings(env, NOBODY);
  chosenBaseline(env);
  if (profile.embedded)
    throw new UsageError(
      'The doctor examines a service of yours: name it in BASE_URL or in a profile (PROFILE).',
    );
  const secrets = new Secrets();
  secrets.addPair(profile.clientId, profile.clientSecret);
  secrets.add(profile.providerStates?.token);
  const http = new HttpClient({
    timeoutMs: profile.requestTimeoutMs,
    manners: profile.manners && new Manners(profile.baseUrl, profile.manners),
  });
  try {
    const say: Say = (text, isOurs) => print(isOurs ? text : secrets.mask(text));
    return await examine(profile, http, env, say, options);
  } finally {
    await http.close();
  }
}

/** @param isOurs holds nothing that a target or a setting said, so that nothing of it is masked */
type Say = (text: string, isOurs?: boolean) => void;

async function examine(
  profile: Profile,
  http: HttpClient,
  env: Readonly<Record<string, string | undefined>>,
  print: Say,
  { namesRules, speed: given, tries }: Options,
): Promise<number> {
  const { warnings, healthRead } = await preflight(profile, http);
  const pulse = await takePulse(profile, http, healthRead.method === 'GET' ? healthRead.path : '/');
  print(`${profile.name} at ${profile.baseUrl}`);
  print(row('reachable', `yes, ${Math.round(pulse.latencyMs)} ms an answer`));
  print(row('version', warnings[0] ?? `${profile.baseUrl.split('/').at(-1)}, of the address`));
  const isOff = Math.abs(pulse.aheadSeconds ?? 0) > MUCH_AHEAD;
  print(row('clock', clockLine(pulse.aheadSeconds, isOff)));
  print(row('platform', 'CLIENT_ID and CLIENT_SECRET are taken'));
  const provider =
    profile.providerStates && profile.preparation === 'provider-states'
      ? new ProviderStates(http, profile.providerStates.url, profile.providerStates.token)
      : undefined;
  const dialect = await dialectLines(profile, env, tries ?? provider !== undefined);
  for (const line of dialect.lines) print(line, true);
  const contract = withPaths(await loadContract(profile.brand), profile.dialect.paths);
  const found = await findOperations(profile, http, contract.operations.values());
  for (const line of operationLines(found)) print(line);
  const wrong: string[] = isOff ? ['the clock'] : [];
  if (dialect.isWrong) wrong.push('the dialect');
  let tried: readonly Tried[] | undefined;
  if (provider) {
    tried = await checkStates(provider);
    for (const line of statesLines(tried)) print(line);
    const agent = await tryAgentToken(profile, http, provider);
    print(row('agent token', agent));
    if (tried.some((one) => one.outcome === 'wrong')) wrong.push('the states');
    if (!/^(taken|not tried)/.test(agent)) wrong.push("the agent's token");
  } else
    print(
      row(
        'agent token',
        'not tried: without a provider-states URL an agent, its customer and accounts would be left on the target',
      ),
    );
  const event = await eventLine(profile, http, provider);
  print(row('events', event));
  if (/^(no |the log at \S+ (?!can be read)|the request )/.test(event)) wrong.push('the events');
  const absent = new Set(found.filter((one) => one.found === 'not there').map(({ id }) => id));
  const atUrl = tried && servedParts(tried);
  const plan = planFor(profile, servesOf(profile, atUrl), absent);
  const { latencyMs } = pulse;
  const workers = workersFor(env, latencyMs);
  const speed = given ?? (await machineSpeed());
  if (speed.wallMs > BUSY * speed.cpuMs)
    print(
      row(
        'machine',
        'busy with something else, which the minutes below count on: they hold as long as it is',
      ),
    );
  const cost = costOf(plan, profile, {
    workers,
    latencyMs,
    statesMs: provider ? await latencyOfStates(provider) : latencyMs,
    ...(atUrl ? { atUrl: servesAsTried(atUrl) } : {}),
    speed,
  });
  print(planLines(plan, cost, workers, namesRules));
  if (profile.slow)
    print(
      'Where nobody can move the clock, waiting for real time comes on top: 45 minutes with the sandbox.',
    );
  for (const line of willLeave(allTests(), profile, env['DEPTH'] === 'quick')) print(line);
  const leftOut = seemLeftOut(profile, absent);
  if (leftOut.length > 0)
    print(
      `No operation of these seems to be there. Where you do not offer them, the profile says so, and no rule is missed:\n  without: [${leftOut.join(', ')}]`,
    );
  if (wrong.length > 0) print(`\nTo be mended before a run tells the truth: ${wrong.join(', ')}.`);
  return wrong.length > 0 ? 1 : 0;
}

/** What is not told of the dialect, and is refused as it is guessed, with the lines that would tell it. */
async function dialectLines(
  { vouchedFor }: Profile,
  env: Readonly<Record<string, string | undefined>>,
  tries: boolean,
): Promise<{ lines: readonly string[]; isWrong: boolean }> {
  const says = (text: string, ...more: string[]) => ({
    lines: [row('dialect', text), ...more.map((line) => row('', line))],
    isWrong: more.length > 0,
  });
  if (vouchedFor === 'all') return says('the profile tells all of it');
  if (!tries)
    return says(
      'not tried: without a provider-states URL it would leave customers on the target (--try tries it)',
    );
  const tried = await tryGuesses(env);
  if (!tried) return says('not tried: its tests could not run');
  if (tried.guesses.length > 0) return says(GUESSED, ...profileLines(tried.guesses));
  return says(
    tried.verified > 0
      ? 'what the profile does not tell of it is taken as Assay guesses it'
      : 'not shown: none of its tests came to an answer',
  );
}

async function eventLine(
  profile: Profile,
  http: HttpClient,
  provider: ProviderStates | undefined,
): Promise<string> {
  if (!profile.capabilities.includes('webhooks')) return 'the profile says that there are no webhooks';
  if (profile.eventLog) return tryEventLog(profile, http);
  return provider
    ? tryEvent(profile, http, provider)
    : 'not tried: without a provider-states URL nobody registers a receiver (or name the list of sent events in eventLog)';
}

function clockLine(ahead: number | undefined, isOff: boolean): string {
  if (ahead === undefined) return 'unknown: no answer carries a Date';
  if (!isOff) return 'agrees with this machine';
  const seconds = Math.round(Math.abs(ahead));
  return `${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine: set one of them right, or serve the state clock and set clock: target`;
}

function operationLines(found: readonly FoundOperation[]): readonly string[] {
  const of = (kind: FoundOperation['found']) => found.filter((one) => one.found === kind).map(({ id }) => id);
  const list = (kind: FoundOperation['found'], more = '') =>
    of(kind).length === 0 ? [] : [row('', `${kind}${more}: ${of(kind).join(', ')}`)];
  const accepted = found.filter((one) => one.accepted).map(({ id }) => id);
  return [
    row('operations', `${of('there').length} of ${found.length} asked are there`),
    ...list('not there', ' (another path? dialect.paths)'),
    ...list('unclear', ' (its 404 may be for the record or for the route)'),
    ...list('refused', ' (401 or 403 for these credentials)'),
    ...list('broken', ' (no answer, or 5xx)'),
    ...(accepted.length === 0
      ? []
      : [row('', `took a list for a body, and may have made something: ${accepted.join(', ')}`)]),
  ];
}

function statesLines(tried: readonly Tried[]): readonly string[] {
  const names = (outcome: Tried['outcome']) => [
    ...new Set(
      tried
        .filter((one) => one.outcome === outcome && Object.keys(one.params).length === 0)
        .map((one) => one.state),
    ),
  ];
  const wrong = tried.filter((one) => one.outcome === 'wrong');
  const missing = names('not served');
  return [
    row('states', `${names('served').length} served`),
    ...(missing.length > 0 ? [row('', `not served, so public calls are tried: ${missing.join(', ')}`)] : []),
    ...wrong.map(({ state, params, text }) =>
      row('', `WRONG ${state}${Object.keys(params).length > 0 ? ` ${JSON.stringify(params)}` : ''}: ${text}`),
    ),
  ];
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(NAME_WIDTH)}${text}`;
}
