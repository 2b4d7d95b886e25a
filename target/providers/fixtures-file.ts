import { STATE_NAMES, loadStates } from '../states/catalogue.ts';
import { UsageError, nearest } from '../usage-error.ts';
import { openYamlFile } from '../yaml-file.ts';
import { CannotPrepare, type StateParams, type StateProvider, type StateValues } from './state-provider.ts';
import { isObject } from '../../schemas/json.ts';

interface PreparedState extends RowLeave {
  readonly params?: StateParams;
  readonly values: StateValues;
}

/**
 * Serves prepared ids from a file: `{states: {agent: [{params: {…}, values: {…}}]}}`. A state fits when its params are
 * exactly those that a test asks for; of several that fit, each test takes the next one.
 */
export class FixturesFile implements StateProvider {
  readonly name = 'fixtures';
  /** The rows that this test stands on. */
  readonly #used: { readonly state: string; readonly row: RowLeave }[] = [];
  readonly #states: Readonly<Record<string, readonly PreparedState[]>>;

  /** @throws UsageError when the file cannot be read or has another form */
  constructor(path: string) {
    this.#states = readStates(path);
  }

  async setUp(state: string, params: StateParams): Promise<StateValues> {
    const wanted = canonical(params);
    const rows = this.#states[state] ?? [];
    const fitting = rows.filter((prepared) => canonical(prepared.params ?? {}) === wanted);
    const fit = fitting[turnOf(`${state} ${wanted}`) % fitting.length];
    if (!fit)
      throw new CannotPrepare(
        `the fixtures file has no state "${state}" with params ${wanted}${hint(wanted, rows)}`,
      );
    this.#used.push({ state, row: fit });
    return fit.values;
  }

  /** What stands in the file. */
  rows(): readonly { readonly state: string; readonly params: StateParams }[] {
    return Object.entries(this.#states).flatMap(([state, rows]) =>
      rows.map(({ params = {} }) => ({ state, params })),
    );
  }

  forbids(operation: string): string | undefined {
    return this.#used
      .map(({ state, row }) => whyNotUse(operation, state, row))
      .find((why) => why !== undefined);
  }

  async tearDown(): Promise<void> {}
}

/** How often each state has been asked for by this worker, counted from a number of its own. */
const turns = new Map<string, number>();

/** Limits hold for each account: tests take the rows that fit in turn, and workers begin at different ones. */
function turnOf(wanted: string): number {
  const turn = turns.get(wanted) ?? Number(process.env['TEST_WORKER_INDEX'] ?? 0);
  turns.set(wanted, turn + 1);
  return turn;
}

function canonical(params: StateParams): string {
  return JSON.stringify(Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Params that somebody probably meant to be these. */
function hint(wanted: string, rows: readonly PreparedState[]): string {
  const guess = nearest(
    wanted,
    rows.map((row) => canonical(row.params ?? {})),
  );
  return guess === undefined ? '' : `; did you mean ${guess} to be it?`;
}

const ROW_KEYS = ['params', 'values', 'spendable', 'changeable'];

function readStates(path: string): Readonly<Record<string, readonly PreparedState[]>> {
  const file = openYamlFile('The fixtures file', path, 'FIXTURES');
  const states = (file.value as { states?: unknown } | null)?.states;
  const wellFormed =
    isObject(states) &&
    Object.values(states as object).every(
      (list) => Array.isArray(list) && list.every((row) => isObject((row as PreparedState | null)?.values)),
    );
  if (!wellFormed)
    throw new UsageError(
      `The fixtures file ${path} must hold states: {name: [{params: {…}, values: {…}}]}; see docs/provider-states.md.`,
    );
  const [mistake] = mistakesIn(states as Readonly<Record<string, readonly PreparedState[]>>);
  if (mistake)
    throw new UsageError(
      `The fixtures file ${path}, line ${file.lineOf(['states', ...mistake.place]) ?? '?'}, ${mistake.text}`,
    );
  return states as Readonly<Record<string, readonly PreparedState[]>>;
}

interface Mistake {
  /** Below `states`. */
  readonly place: readonly (string | number)[];
  readonly text: string;
}

/** What would go unnoticed otherwise: states and params that no check asks for, keys that nobody reads. */
function mistakesIn(states: Readonly<Record<string, readonly PreparedState[]>>): readonly Mistake[] {
  const known = new Map(loadStates().map(({ name, params }) => [name, params.map((param) => param.name)]));
  return Object.entries(states).flatMap(([state, rows]) => {
    const params = known.get(state);
    if (!params) return [unknown([state], `an unknown state ${state}`, state, STATE_NAMES)];
    return rows.flatMap((row, index) => [
      ...Object.keys(row)
        .filter((key) => !ROW_KEYS.includes(key))
        .map((key) => unknown([state, index, key], `an unknown key ${key}`, key, ROW_KEYS)),
      ...Object.keys(row.params ?? {})
        .filter((key) => !params.includes(key))
        .map((key) =>
          unknown([state, index, 'params', key], `an unknown param ${key} of ${state}`, key, params),
        ),
    ]);
  });
}

function unknown(place: Mistake['place'], what: string, word: string, known: readonly string[]): Mistake {
  const guess = nearest(word, known);
  const right = guess ? `did you mean ${guess}?` : `known ones are ${known.join(', ') || 'none'}.`;
  return { place, text: `has ${what}; ${right}` };
}

/** What a user allows to be done with prepared records. */
interface RowLeave {
  /** Its money may be moved. */
  readonly spendable?: boolean;
  /** Its records may be changed, added to and removed. */
  readonly changeable?: boolean;
}

const SPENDING = new Set([
  'transferOut',
  'transferIn',
  'executeQuote',
  'executeAgentQuote',
  'mintStablecoin',
  'burnStablecoin',
]);
const CHANGING = new Set([
  'createAgent',
  'updateAgent',
  'updateAgentPolicy',
  'deleteAgent',
  'createCredential',
  'revokeCredential',
  'refreshSession',
  'revokeSession',
  'updateInternalAccount',
  'updateCustomer',
  'updateConfig',
  'verifyExternalAccount',
]);

/** Why an operation must not be called for a row of this state, or undefined where the row allows it. */
function whyNotUse(operation: string, state: string, row: RowLeave): string | undefined {
  const needed: keyof RowLeave | undefined = SPENDING.has(operation)
    ? 'spendable'
    : CHANGING.has(operation)
      ? 'changeable'
      : undefined;
  if (needed === undefined || row[needed] === true) return undefined;
  const what = needed === 'spendable' ? 'moves its money' : 'changes its records';
  return `the check calls ${operation}, which ${what}, and the fixtures file's row of "${state}" does not say ${needed}: true`;
}
