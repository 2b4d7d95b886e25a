import { UsageError } from '../usage-error.ts';
import { readYamlFile } from '../yaml-file.ts';
import { CannotPrepare, type StateParams, type StateProvider, type StateValues } from './state-provider.ts';

interface PreparedState {
  readonly params?: StateParams;
  readonly values: StateValues;
}

/**
 * Serves prepared ids from a file: `{states: {agent: [{params: {…}, values: {…}}]}}`. A state fits when its params are
 * exactly those that a test asks for.
 */
export class FixturesFile implements StateProvider {
  readonly name = 'fixtures';
  readonly #states: Readonly<Record<string, readonly PreparedState[]>>;

  /** @throws UsageError when the file cannot be read or has another form */
  constructor(path: string) {
    this.#states = readStates(path);
  }

  async setUp(state: string, params: StateParams): Promise<StateValues> {
    const wanted = canonical(params);
    const fit = this.#states[state]?.find((prepared) => canonical(prepared.params ?? {}) === wanted);
    if (fit) return fit.values;
    throw new CannotPrepare(`the fixtures file has no state "${state}" with params ${wanted}`);
  }

  async tearDown(): Promise<void> {}
}

function canonical(params: StateParams): string {
  return JSON.stringify(Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))));
}

function readStates(path: string): Readonly<Record<string, readonly PreparedState[]>> {
  const value = readYamlFile('The fixtures file', path, 'FIXTURES');
  const states = (value as { states?: unknown } | null)?.states;
  const wellFormed =
    typeof states === 'object' &&
    states !== null &&
    !Array.isArray(states) &&
    Object.values(states).every(
      (list) => Array.isArray(list) && list.every((row) => isObject((row as PreparedState | null)?.values)),
    );
  if (!wellFormed)
    throw new UsageError(
      `The fixtures file ${path} must hold states: {name: [{params: {…}, values: {…}}]}; see docs/provider-states.md.`,
    );
  return states as Readonly<Record<string, readonly PreparedState[]>>;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
