import { operationIds, unshownPaths } from '../../schemas/operation-ids.ts';
import { nearest } from '../nearest.ts';
import { UsageError } from '../usage-error.ts';
import { GUESSED_READS } from './guessed-reads.ts';
import { DIALECT, DIVIDED, type Dialect, type DialectKey } from './keys.ts';

/** The dialect as a profile writes it: one word for "the defaults hold", or what differs from them. */
export type DialectInFile = 'default' | { readonly [K in DialectKey]?: unknown };

/** How a target speaks, and how much of that is known. */
export interface SpokenDialect {
  readonly dialect: Dialect;
  /** Keys that the profile vouches for; a refusal of what stands on any other may be a misunderstanding. */
  readonly vouchedFor: 'all' | readonly string[];
}

/**
 * The defaults with what a profile says over them, entry by entry.
 *
 * @param written of the profile, its form checked; undefined where it says nothing
 * @throws UsageError for an operation that does not exist, or a path that the interface gives
 */
export function readDialect(written: DialectInFile | undefined): SpokenDialect {
  if (written === undefined || written === 'default')
    return { dialect: merged({}), vouchedFor: written === undefined ? [] : 'all' };
  checkOperations('bodies', Object.keys((written.bodies as object | undefined) ?? {}), operationIds());
  checkPaths((written.paths as Readonly<Record<string, string>> | undefined) ?? {});
  return { dialect: merged(written), vouchedFor: Object.entries(written).flatMap(vouchedKeys) };
}

function merged(written: Readonly<Record<string, unknown>>): Dialect {
  const entries = Object.entries(DIALECT).map(([key, { default: byDefault }]) => [
    key,
    isObject(byDefault)
      ? { ...byDefault, ...(written[key] as object | undefined) }
      : (written[key] ?? byDefault),
  ]);
  return Object.fromEntries(entries) as Dialect;
}

function vouchedKeys([key, value]: [string, unknown]): readonly string[] {
  return (DIVIDED as readonly string[]).includes(key)
    ? Object.keys(value as object).map((part) => `${key}.${part}`)
    : [key];
}

function checkPaths(paths: Readonly<Record<string, string>>): void {
  const unshown = new Map([...unshownPaths(), ...Object.entries(GUESSED_READS)]);
  for (const [operation, path] of Object.entries(paths)) {
    checkOperations('paths', [operation], [...operationIds(), ...Object.keys(GUESSED_READS)]);
    const usual = unshown.get(operation);
    if (usual === undefined)
      throw new UsageError(
        `The profile's dialect.paths name ${operation}, whose path the interface gives: remove it, a target that serves it elsewhere breaks the interface.`,
      );
    const strange = namesIn(path).find((name) => !namesIn(usual).includes(name));
    if (strange !== undefined)
      throw new UsageError(
        `The profile's dialect.paths.${operation} holds {${strange}}, which Assay cannot fill in: write it with ${
          namesIn(usual)
            .map((name) => `{${name}}`)
            .join(' and ') || 'no name in braces'
        }.`,
      );
  }
}

function checkOperations(key: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const guess = nearest(unknown, known);
  throw new UsageError(
    `The profile's dialect.${key} name an unknown operation ${unknown}${guess ? `; did you mean ${guess}?` : '; schemas/openapi.yaml lists them.'}`,
  );
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
