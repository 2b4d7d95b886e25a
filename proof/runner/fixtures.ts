import type { Sheet } from './sheet.ts';

/** What `test(title, details, body)` takes beside the body, as far as the suite uses it. */
export interface Details {
  readonly tag?: string | readonly string[];
  readonly annotation?: Annotation | readonly Annotation[];
}

export interface Annotation {
  readonly type: string;
  readonly description?: string;
}

export type Values = Readonly<Record<string, unknown>>;
export type TestBody = (fixtures: Values, sheet: Sheet) => unknown;
export type Fixture = (
  fixtures: Values,
  use: (value: unknown) => Promise<void>,
  sheet: Sheet,
) => Promise<unknown>;
/** As `test.extend` takes them: a function, a value, or either with its options. */
export type FixtureTable = Readonly<Record<string, unknown>>;

/** The function of a fixture; undefined for one that is a mere value. */
export function fixtureOf(entry: unknown): Fixture | undefined {
  const value: unknown = Array.isArray(entry) ? entry[0] : entry;
  return typeof value === 'function' ? (value as Fixture) : undefined;
}

/** Whether every test gets the fixture, asked for or not. */
export function isAutomatic(entry: unknown): boolean {
  return Array.isArray(entry) && (entry[1] as { readonly auto?: boolean } | undefined)?.auto === true;
}

const named = new WeakMap<object, readonly string[]>();

/**
 * Names of the fixtures that a function asks for: the properties that its first parameter takes apart.
 *
 * @throws Error where the parameter is anything else
 */
export function askedBy(run: TestBody | Fixture): readonly string[] {
  let names = named.get(run);
  if (!names) named.set(run, (names = parse(run.toString())));
  return names;
}

function parse(source: string): readonly string[] {
  const open = source.indexOf('(');
  const [, inner] = /^\s*\{([^{}]*)\}/.exec(source.slice(open + 1)) ?? [];
  if (inner !== undefined)
    return inner
      .split(',')
      .map((part) => part.split(/[:=]/)[0]!.trim())
      .filter((name) => name !== '');
  if (/^\s*\)/.test(source.slice(open + 1))) return [];
  throw new Error(`A test must take its fixtures apart in its first parameter: ${source.slice(0, 80)}`);
}
