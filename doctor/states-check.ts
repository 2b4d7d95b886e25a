import { randomUUID } from 'node:crypto';
import type { ProviderStates } from '../target/providers/provider-states.ts';
import { CannotPrepare, type StateValues } from '../target/providers/state-provider.ts';
import { type FromState, type StateRow, loadStates, partsOf } from '../target/states/catalogue.ts';
import { isObject } from '../schemas/json.ts';

/** What came of one thing that was asked of a provider-states URL. */
export interface Tried {
  readonly state: string;
  /** What was asked for, beside the state's own basis. */
  readonly params: Readonly<Record<string, unknown>>;
  /** `served`; `not served`, as the target says so itself; or `wrong`: mend it. */
  readonly outcome: 'served' | 'not served' | 'wrong';
  /** Why, unless it is served. */
  readonly text?: string;
}

/** States that are tried at once: a distant service takes its time for each. */
const AT_ONCE = 4;
/** Records of a setup of its own: two that share one would meet in each other's tests. */
const OWN = new Set(['Customer', 'Agent', 'InternalAccount']);

/**
 * Tries every state with its defaults, with each of its params, with a param that nobody knows, and twice; takes
 * everything down again.
 *
 * @param tell hears of each result as it comes
 */
export async function checkStates(
  provider: ProviderStates,
  tell: (tried: Tried) => void = () => undefined,
): Promise<readonly Tried[]> {
  const waiting = [...loadStates()];
  const found = new Map<string, readonly Tried[]>();
  const work = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const own: Tried[] = [];
      const check = new StateCheck(provider, row, (tried) => void own.push(tried));
      await check.run().finally(() => check.giveBack());
      found.set(row.name, own);
      own.forEach(tell);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return loadStates().flatMap(({ name }) => found.get(name) ?? []);
}

/** What is served, in the words of target/states/catalogue.ts. */
export function servedParts(tried: readonly Tried[]): ReadonlySet<string> {
  const served = tried.filter((one) => one.outcome === 'served');
  return new Set(served.flatMap(({ state, params }) => partsOf(state, params)));
}

class StateCheck {
  readonly #provider: ProviderStates;
  readonly #row: StateRow;
  readonly #note: (tried: Tried) => void;
  readonly #borrowed: { readonly state: string; readonly values: StateValues }[] = [];

  constructor(provider: ProviderStates, row: StateRow, note: (tried: Tried) => void) {
    this.#provider = provider;
    this.#row = row;
    this.#note = note;
  }

  /** Takes down what was lent by other states. */
  async giveBack(): Promise<void> {
    for (const { state, values } of this.#borrowed.reverse()) await this.#provider.tearDown(state, values);
  }

  async run(): Promise<void> {
    const { name, basis } = this.#row;
    const first = await this.#try({});
    if (first === undefined) return;
    const second = await this.#setUp(await this.#resolved(basis));
    if (!(second instanceof Error)) {
      const shared = this.#sharedBy(first, second);
      if (shared !== undefined)
        this.#note({
          state: name,
          params: {},
          outcome: 'wrong',
          text: `two setups share ${shared}: make new records each time`,
        });
    }
    await this.#refusesUnknown();
    for (const param of this.#row.params)
      for (const value of param.try ?? []) await this.#try({ [param.name]: value });
  }

  /** One setup with its teardown. @returns the values where it is served */
  async #try(params: Readonly<Record<string, unknown>>): Promise<StateValues | undefined> {
    const { name, basis } = this.#row;
    let sent: Readonly<Record<string, unknown>>;
    try {
      sent = await this.#resolved({ ...basis, ...params });
    } catch (error) {
      this.#note({ state: name, params, outcome: 'not served', text: (error as Error).message });
      return undefined;
    }
    const values = await this.#setUp(sent);
    if (values instanceof CannotPrepare) {
      if (this.#row.mayRefuse && values.status === 422)
        this.#note({ state: name, params, outcome: 'served' });
      else this.#note({ state: name, params, outcome: 'not served', text: values.message });
      return undefined;
    }
    if (values instanceof Error) {
      this.#note({ state: name, params, outcome: 'wrong', text: values.message });
      return undefined;
    }
    const [wrong] = wrongValues(this.#row, sent, values);
    if (wrong === undefined) this.#note({ state: name, params, outcome: 'served' });
    else this.#note({ state: name, params, outcome: 'wrong', text: wrong });
    return values;
  }

  /** An ignored param would make a check accuse the service of what it was never told. */
  async #refusesUnknown(): Promise<void> {
    const values = await this.#setUp({
      ...(await this.#resolved(this.#row.basis)),
      assayNoSuchParam: randomUUID(),
    });
    if (!(values instanceof Error))
      this.#note({
        state: this.#row.name,
        params: {},
        outcome: 'wrong',
        text: 'a param that nobody knows is ignored: answer 422 to what you do not understand',
      });
  }

  /** Sets up and takes down; the values stay true to the letter, if no longer in fact. */
  async #setUp(params: Readonly<Record<string, unknown>>): Promise<StateValues | Error> {
    try {
      const values = await this.#provider.setUp(this.#row.name, params);
      await this.#provider.tearDown(this.#row.name, values);
      return values;
    } catch (error) {
      return error as Error;
    }
  }

  #sharedBy(first: StateValues, second: StateValues): string | undefined {
    const given = new Set(Object.keys(this.#row.basis));
    return this.#row.values.find(
      ({ name, kind }) =>
        OWN.has(kind) && !given.has(name) && first[name] !== undefined && first[name] === second[name],
    )?.name;
  }

  /** Params with those that other states give. @throws CannotPrepare where they do not */
  async #resolved(params: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    const entries = Object.entries(params).map(async ([name, value]) => [
      name,
      isFrom(value) ? await this.#taken(value) : value,
    ]);
    return Object.fromEntries((await Promise.all(entries)) as [string, unknown][]);
  }

  async #taken({ from, with: params = {} }: FromState): Promise<unknown> {
    const [state = '', value = ''] = from.split('.');
    const wanted = state === 'wallet-account' ? { credentials: ['EMAIL_OTP'] } : params;
    const basis = loadStates().find((row) => row.name === state)?.basis ?? {};
    const values = await this.#provider.setUp(state, { ...basis, ...wanted });
    this.#borrowed.push({ state, values });
    const [credential] = (values['credentials'] ?? []) as readonly { readonly id?: unknown }[];
    const taken = value === 'credentialId' ? credential?.id : values[value];
    if (taken === undefined) throw new CannotPrepare(`the state "${state}" gives no ${value} to try it with`);
    return taken;
  }
}

function isFrom(value: unknown): value is FromState {
  return typeof value === 'object' && value !== null && 'from' in value;
}

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const RECORD = /^[A-Z]/;
/** Params that a value of another name shows. */
const SHOWN_AS: Readonly<Record<string, string>> = { rails: 'supportedRails' };

/** What is wrong with the values of a state, each in one sentence; the first is the worst. */
function wrongValues(
  row: StateRow,
  params: Readonly<Record<string, unknown>>,
  values: StateValues,
): readonly string[] {
  const missing = row.values.filter((one) => one.optional !== true && isAbsent(values[one.name]));
  const wrong = row.values.flatMap(({ name, kind }) => {
    const value = values[name];
    const form = isAbsent(value) ? undefined : whyNotKind(kind, value);
    return form === undefined ? [] : [`its value ${name} ${form}`];
  });
  return [
    ...(missing.length > 0 ? [`its values lack ${missing.map(({ name }) => name).join(', ')}`] : []),
    ...wrong,
    ...Object.entries(params).flatMap(([name, asked]) => ignored(name, asked, values)),
  ];
}

/** A value that repeats a param has to say what was asked for. */
function ignored(name: string, asked: unknown, values: StateValues): readonly string[] {
  const shown = values[SHOWN_AS[name] ?? name];
  if (isAbsent(shown) || isAbsent(asked)) return [];
  if (Array.isArray(shown)) {
    if (typeof asked === 'number')
      return shown.length === asked ? [] : [`${asked} ${name} were asked for, and ${shown.length} came`];
    if (!Array.isArray(asked)) return [];
    const types = shown.map((one: unknown) => (one as { type?: unknown } | null)?.type ?? one);
    const lacks = asked.filter((one) => !types.includes(one));
    const exact = name !== 'credentials' || shown.length === asked.length;
    return lacks.length === 0 && exact
      ? []
      : [`${name} ${JSON.stringify(asked)} was asked for, and ${JSON.stringify(types)} came`];
  }
  if (typeof asked === 'object' || typeof shown === 'object') return [];
  return String(shown) === String(asked)
    ? []
    : [`${name} ${String(asked)} was asked for, and ${String(shown)} came`];
}

function whyNotKind(kind: string, value: unknown): string | undefined {
  if (RECORD.test(kind))
    return typeof value === 'string' && new RegExp(`^${kind}:${UUID}$`).test(value)
      ? undefined
      : `is no id of the form ${kind}:<uuid>`;
  return KINDS[kind]?.(value);
}

const KINDS: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  text: (value) => (typeof value === 'string' && value !== '' ? undefined : 'is no text'),
  amount: (value) => (Number.isInteger(value) ? undefined : 'is no whole number'),
  list: (value) => (Array.isArray(value) ? undefined : 'is no list'),
  object: (value) => (isObject(value) ? undefined : 'is no object'),
  body: (value) => (isObject(value) ? undefined : 'is no JSON object, which the body of a request is'),
  time: (value) =>
    typeof value === 'string' && !Number.isNaN(Date.parse(value)) && /\d{4}-\d\d-\d\dT/.test(value)
      ? undefined
      : 'is no ISO 8601 time',
  key: (value) =>
    typeof value === 'string' && value.includes('BEGIN PUBLIC KEY') ? undefined : 'is no public key in PEM',
  request: (value) =>
    isObject(value) && typeof value['method'] === 'string' && String(value['path']).startsWith('/')
      ? undefined
      : 'is no request {method, path, body?} with a path below the base URL',
};

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
