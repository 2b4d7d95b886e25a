/**
 * What may be asked for: states.yaml has every state with its params and values, measured.json which rules need which of
 * them, as a run on the sandbox has shown (measure.ts).
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

/** What a value of a state is: a type of record for its id, or one of these words. */
type ValueKind = string;

/** A param that takes its value from another state: `customer.customerId`. */
export interface FromState {
  readonly from: string;
  /** Params of that other state. */
  readonly with?: Readonly<Record<string, unknown>>;
}

export interface StateParam {
  readonly name: string;
  readonly means: string;
  readonly default: string;
  /** Values to try, one at a time. */
  readonly try?: readonly unknown[];
}

export interface StateValue {
  readonly name: string;
  readonly kind: ValueKind;
  readonly optional?: true;
  readonly means?: string;
}

/** One row of states.yaml, with what it inherits. */
export interface StateRow {
  readonly name: string;
  readonly area: string;
  readonly means: string;
  /** The state whose params and values it has too. */
  readonly like?: string;
  /** It has nothing to give before something has been done: a 422 shows that it is known. */
  readonly mayRefuse?: true;
  /** Params without which it means nothing, as states:check sends them. */
  readonly basis: Readonly<Record<string, unknown>>;
  readonly params: readonly StateParam[];
  readonly values: readonly StateValue[];
  /** Its own alone, without those of `like`. */
  readonly own: { readonly params: readonly StateParam[]; readonly values: readonly StateValue[] };
}

interface WrittenRow extends Omit<StateRow, 'params' | 'values' | 'own' | 'basis'> {
  readonly basis?: StateRow['basis'];
  readonly params?: readonly StateParam[];
  readonly values?: readonly StateValue[];
}

let rows: readonly StateRow[] | undefined;

/** Every state that a check may ask for, in the order of the guide. */
export function loadStates(): readonly StateRow[] {
  return (rows ??= readRows());
}

function readRows(): readonly StateRow[] {
  const { parse } = createRequire(import.meta.url)('yaml') as typeof Yaml;
  const written = parse(readFileSync(new URL('states.yaml', import.meta.url), 'utf8')) as WrittenRow[];
  return written.map((row) => {
    const base = written.find(({ name }) => name === row.like);
    const own = { params: row.params ?? [], values: row.values ?? [] };
    return {
      ...row,
      basis: row.basis ?? {},
      own,
      params: merged(base?.params ?? [], own.params),
      values: merged(base?.values ?? [], own.values),
    };
  });
}

/** Of two rows with one name the later counts. */
function merged<T extends { readonly name: string }>(base: readonly T[], own: readonly T[]): readonly T[] {
  return [...new Map([...base, ...own].map((one) => [one.name, one])).values()];
}

/** Every state that a check may ask for (docs/provider-states.md). */
export const STATE_NAMES = [
  'agent',
  'agent-quote',
  'card',
  'card-transaction',
  'clock',
  'customer',
  'due-diligence',
  'exchange-rate',
  'execution-failure',
  'foreign-accounts',
  'incoming-refund',
  'liveness',
  'new-wallet',
  'other-platform',
  'otp-code',
  'outgoing-refund',
  'platform-config',
  'purpose-required',
  'quote-expiry',
  'quote-source',
  'sca-customer',
  'stablecoin',
  'terms',
  'verification',
  'wallet-account',
  'wallet-payment',
  'webhook',
] as const;

/** Texts that stand for one of a few things; ids, addresses and numbers are any. */
const CHOICE = /^[A-Z][A-Z0-9_]*$/;

/**
 * What a request for a state asks of who serves it: the state, and each param, with its value where that is one of few:
 * `customer`, `customer.balance`, `customer.ownership=PENDING`.
 */
export function partsOf(state: string, params: Readonly<Record<string, unknown>>): readonly string[] {
  return [
    state,
    ...Object.entries(params).flatMap(([name, value]) => partsOfParam(`${state}.${name}`, value)),
  ];
}

function partsOfParam(name: string, value: unknown): readonly string[] {
  if (typeof value === 'boolean') return [`${name}=${value}`];
  if (typeof value === 'string' && CHOICE.test(value)) return [`${name}=${value}`];
  if (Array.isArray(value)) {
    const choices = value.filter((one): one is string => typeof one === 'string' && CHOICE.test(one));
    return [choices.length === value.length ? `${name}=${choices.join('+') || 'none'}` : name];
  }
  if (typeof value === 'object' && value !== null) return Object.keys(value).map((key) => `${name}.${key}`);
  return [name];
}
