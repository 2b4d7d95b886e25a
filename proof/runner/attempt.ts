import { type DeclaredTest, Execution, withExecution } from './stand-in.ts';

interface SetUp {
  readonly release: () => void;
  readonly ended: Promise<unknown>;
}

/**
 * Runs a test once: its fixtures in the order in which they need each other, the body, and the fixtures' ends in reverse.
 * Never rejects.
 *
 * @param given values in place of fixtures that outlive a test
 */
export async function attemptTest(test: DeclaredTest, given: Values, retry: number): Promise<Execution> {
  const execution = new Execution(test, retry);
  const values = new Map(Object.entries(given));
  const standing: SetUp[] = [];
  await withExecution(execution, async () => {
    const work = run(test, execution, values, standing);
    const timedOut = await Promise.race([work.then(() => false), execution.expires().then(() => true)]);
    if (timedOut) {
      execution.status = 'timedOut';
      execution.errors.push({ message: `Test timeout of ${execution.timeout}ms exceeded.` });
    }
    for (const fixture of standing.reverse()) {
      fixture.release();
      await fixture.ended.catch((error: unknown) => execution.threw(error));
    }
  });
  execution.end();
  return execution;
}

async function run(
  test: DeclaredTest,
  execution: Execution,
  values: Map<string, unknown>,
  standing: SetUp[],
): Promise<void> {
  const valuesFor = async (names: readonly string[]): Promise<Values> => {
    const asked: Record<string, unknown> = {};
    for (const name of names) {
      if (!values.has(name)) values.set(name, await setUp(name));
      asked[name] = values.get(name);
    }
    return asked;
  };
  const setUp = async (name: string): Promise<unknown> => {
    const entry = test.fixtures[name];
    const fixture = fixtureOf(entry);
    if (!fixture) throw new Error(`The suite has no fixture ${name}`);
    const asked = await valuesFor(askedBy(fixture));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    return new Promise<unknown>((resolve, reject) => {
      let isUp = false;
      const use = (value: unknown): Promise<void> => {
        isUp = true;
        resolve(value);
        return released;
      };
      const work = fixture(asked, use, execution);
      // Before its value is there, the end of a fixture is the end of the test.
      work.then(() => reject(new Error(`The fixture ${name} gave no value`)), reject);
      const ended = work.catch((error: unknown) => {
        if (isUp) throw error;
      });
      standing.push({ release, ended });
    });
  };
  try {
    const automatic = Object.keys(test.fixtures).filter((name) => isAutomatic(test.fixtures[name]));
    await valuesFor(automatic);
    await test.body(await valuesFor(askedBy(test.body)), execution);
  } catch (error) {
    if (execution.status !== 'timedOut') execution.threw(error);
  }
}

/** What `test(title, details, body)` takes beside the body, as far as the suite uses it. */
export interface Details {
  readonly tag?: string | readonly string[];
  readonly annotation?: Annotation | readonly Annotation[];
}

export interface Annotation {
  readonly type: string;
  readonly description?: string;
}

type Values = Readonly<Record<string, unknown>>;
export type TestBody = (fixtures: Values, execution: Execution) => unknown;
type Fixture = (
  fixtures: Values,
  use: (value: unknown) => Promise<void>,
  execution: Execution,
) => Promise<unknown>;
/** As `test.extend` takes them: a function, a value, or either with its options. */
export type FixtureTable = Readonly<Record<string, unknown>>;

/** The function of a fixture; undefined for one that is a mere value. */
function fixtureOf(entry: unknown): Fixture | undefined {
  const value: unknown = Array.isArray(entry) ? entry[0] : entry;
  return typeof value === 'function' ? (value as Fixture) : undefined;
}

/** Whether every test gets the fixture, asked for or not. */
function isAutomatic(entry: unknown): boolean {
  return Array.isArray(entry) && (entry[1] as { readonly auto?: boolean } | undefined)?.auto === true;
}

const named = new WeakMap<object, readonly string[]>();

/**
 * Names of the fixtures that a function asks for: the properties that its first parameter takes apart.
 *
 * @throws Error where the parameter is anything else
 */
function askedBy(run: TestBody | Fixture): readonly string[] {
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
