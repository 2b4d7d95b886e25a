import type { Contract } from '../../schemas/contract.ts';
import { operationIds, unshownPaths } from '../../schemas/openapi.ts';
import { UsageError, nearest } from '../usage-error.ts';
import { DIALECT, DIVIDED, type Dialect, type DialectKey, GUESSED_READS } from './keys.ts';

/** The dialect as a profile writes it: one word for "the defaults hold", or what differs from them. */
export type DialectInFile = 'default' | { readonly [K in DialectKey]?: unknown };

/** How a target speaks, and how much of that is known. */
interface SpokenDialect {
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
  const [mistake] = dialectMistakes(written);
  if (mistake)
    throw new UsageError(`The profile's dialect.${mistake.place.slice(1).join('.')} ${mistake.text}`);
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

/** A mistake that no form shows, with where in the profile it stands; its text follows on the place, or on the line. */
export interface DialectMistake {
  readonly place: readonly string[];
  readonly text: string;
}

/** Operations that do not exist, and paths that the interface gives or that cannot be filled in. */
export function dialectMistakes(written: Exclude<DialectInFile, 'default'>): readonly DialectMistake[] {
  const { bodies = {}, paths = {} } = written as Readonly<Record<string, Readonly<Record<string, string>>>>;
  const readable = [...operationIds(), ...Object.keys(GUESSED_READS)];
  return [
    ...Object.keys(bodies).map((operation) => unknownOperation('bodies', operation, operationIds())),
    ...Object.entries(paths).map(
      ([operation, path]) => unknownOperation('paths', operation, readable) ?? wrongPath(operation, path),
    ),
  ].filter((mistake) => mistake !== undefined);
}

function wrongPath(operation: string, path: string): DialectMistake | undefined {
  const place = ['dialect', 'paths', operation];
  const unshown = new Map([...unshownPaths(), ...Object.entries(GUESSED_READS)]);
  const usual = unshown.get(operation);
  if (usual === undefined)
    return {
      place,
      text: `is a path that the interface gives: remove it, a target that serves ${operation} elsewhere breaks the interface.`,
    };
  const names = namesIn(usual);
  const strange = namesIn(path).find((name) => !names.includes(name));
  if (strange === undefined) return undefined;
  const right = names.map((name) => `{${name}}`).join(' and ') || 'no name in braces';
  return { place, text: `holds {${strange}}, which Assay cannot fill in: write it with ${right}.` };
}

function unknownOperation(
  key: 'bodies' | 'paths',
  operation: string,
  known: readonly string[],
): DialectMistake | undefined {
  if (known.includes(operation)) return undefined;
  const guess = nearest(operation, known);
  return {
    place: ['dialect', key, operation],
    text: `is no operation that there is${guess ? `; did you mean ${guess}?` : '; schemas/openapi.yaml lists them.'}`,
  };
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * The contract with the paths of one target, where the interface does not give them.
 *
 * @param paths by operation id: a path template, or a method and a path template
 */
export function withPaths(contract: Contract, paths: Readonly<Record<string, string>>): Contract {
  if (Object.keys(paths).length === 0) return contract;
  const operations = new Map(contract.operations);
  for (const [id, told] of Object.entries(paths)) {
    if (id in GUESSED_READS) continue;
    const operation = operations.get(id);
    if (!operation) throw new Error(`openapi.yaml has no operation ${id}`);
    const [path = told, method = operation.method] = told.split(' ').reverse();
    operations.set(id, { ...operation, path, method });
  }
  return { ...contract, operations };
}
