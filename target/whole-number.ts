import { UsageError } from './usage-error.ts';

/**
 * A whole number from an environment variable; unset and empty give the default.
 *
 * @throws UsageError when it is anything else, or less than `least`
 */
export function wholeNumber(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  otherwise: number,
  least: number,
): number {
  const text = env[name];
  if (text === undefined || text === '') return otherwise;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  const bound = Number.isFinite(least) ? `, ${least} or more` : '';
  throw new UsageError(`${name} must be a whole number${bound}, not "${text}".`);
}
