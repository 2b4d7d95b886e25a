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
  const guess = typeof error.data === 'string' && allowed ? nearest(error.data, allowed) : undefined;
  if (guess !== undefined)
    return `is wrong at ${at}: there is no ${String(error.data)}; did you mean ${guess}?`;
  return `is wrong at ${at}: ${error.message ?? 'it has another form'}${allowed ? `: ${allowed.join(', ')}` : ''}.`;
}

function guessed(
  word: string,
  known: readonly string[],
  otherwise = `known keys are ${known.join(', ')}`,
): string {
  const guess = nearest(word, known);
  return guess === undefined ? `; ${otherwise}.` : `; did you mean ${guess}?`;
}
