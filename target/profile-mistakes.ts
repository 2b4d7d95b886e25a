import type { ErrorObject } from 'ajv/dist/2020.js';
import { nearest } from './nearest.ts';

/** Errors that follow from another one, and would only repeat it. */
export function isFurther(error: ErrorObject): boolean {
  return error.keyword === 'if' || error.keyword === 'propertyNames';
}

/** Where in the file a mistake stands, step by step. */
export function placeOf(error: ErrorObject): readonly (string | number)[] {
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { additionalProperty } = error.params as { additionalProperty?: string };
  const own = additionalProperty ?? error.propertyName;
  return own === undefined ? steps : [...steps, own];
}

/** What is wrong, as the rest of a sentence that begins with the file and the line. */
export function explainMistake(error: ErrorObject): string {
  if (error.instancePath === '' && error.keyword === 'type')
    return 'must hold keys and values, such as "baseUrl: https://…".';
  const at = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'additionalProperties') {
    const key = (error.params as { additionalProperty: string }).additionalProperty;
    const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
    return `has an unknown key ${at === '' ? '' : `${at}: `}${key}${guessed(key, known)}`;
  }
  if (error.instancePath === '/dialect' && error.keyword === 'const')
    return 'is wrong at dialect: write the word default where all defaults hold, or the keys that differ (docs/dialect.md).';
  const allowed = (error.params as { allowedValues?: string[] }).allowedValues;
  if (error.propertyName !== undefined && allowed)
    return `names at ${at} an unknown operation ${error.propertyName}${guessed(error.propertyName, allowed, 'schemas/openapi.yaml lists them')}`;
  if (allowed) {
    const guess = typeof error.data === 'string' ? nearest(error.data, allowed) : undefined;
    const right = guess === undefined ? `it is one of ${allowed.join(', ')}.` : `did you mean ${guess}?`;
    return `is wrong at ${at}: there is no ${shown(error.data)}; ${right}`;
  }
  return `is wrong at ${at}: ${wanted(error)}${exampleOf(error)}.`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list, in brackets or with a dash before each line',
};

/** What a value must be. */
function wanted({ keyword, params, data, parentSchema, message }: ErrorObject): string {
  const { type, limit, comparison, missingProperty } = params as Readonly<Record<string, string | undefined>>;
  const known = Object.keys((parentSchema as { properties?: object }).properties ?? {}).join(', ');
  switch (keyword) {
    case 'type':
      if (type === 'object') return `it must hold keys and values${known === '' ? '' : `: ${known}`}`;
      if (type === 'string' && (typeof data === 'number' || typeof data === 'boolean'))
        return `it must be text: put it in quotes, '${String(data)}'`;
      return `it must be ${KINDS[type ?? ''] ?? type}, not ${shown(data)}`;
    case 'minLength':
      return 'it must not be empty';
    case 'minProperties':
      return `it must hold at least one of ${known}`;
    case 'required':
      return `it lacks ${missingProperty}`;
    case 'uniqueItems':
      return 'it names something twice';
    case 'pattern':
      return `${shown(data)} has another form than it must have`;
    default:
      if (comparison === undefined) return message ?? 'it has another form';
      return `it must be ${{ '>=': 'at least', '>': 'above', '<=': 'at most', '<': 'below' }[comparison]} ${limit}, not ${shown(data)}`;
  }
}

/** The schema's own example, where the form is not plain from what has been said. */
function exampleOf({ keyword, parentSchema }: ErrorObject): string {
  const [example] = (parentSchema as { examples?: readonly unknown[] }).examples ?? [];
  return keyword !== 'pattern' || example === undefined ? '' : `; write it like ${String(example)}`;
}

/** A value as somebody wrote it, as long as it is short. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text === '' ? 'an empty text' : text;
}

function guessed(
  word: string,
  known: readonly string[],
  otherwise = `known keys are ${known.join(', ')}`,
): string {
  const guess = nearest(word, known);
  return guess === undefined ? `; ${otherwise}.` : `; did you mean ${guess}?`;
}
