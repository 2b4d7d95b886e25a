import type { StateValues } from '../target/providers/state-provider.ts';
import type { StateRow } from '../target/states/catalogue.ts';

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const RECORD = /^[A-Z]/;
/** Params that a value of another name shows. */
const SHOWN_AS: Readonly<Record<string, string>> = { rails: 'supportedRails' };

/** What is wrong with the values of a state, each in one sentence; the first is the worst. */
export function wrongValues(
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
