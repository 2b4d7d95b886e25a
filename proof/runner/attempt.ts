import type { DeclaredTest } from './declared.ts';
import { askedBy, fixtureOf, isAutomatic, type Values } from './fixtures.ts';
import { Sheet } from './sheet.ts';
import { withSheet } from './stand-in.ts';

/** A fixture that has been set up. */
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
export async function attemptTest(test: DeclaredTest, given: Values, retry: number): Promise<Sheet> {
  const sheet = new Sheet(test, retry);
  const values = new Map(Object.entries(given));
  const standing: SetUp[] = [];
  await withSheet(sheet, async () => {
    const work = run(test, sheet, values, standing);
    const timedOut = await Promise.race([work.then(() => false), sheet.expires().then(() => true)]);
    if (timedOut) {
      sheet.status = 'timedOut';
      sheet.errors.push({ message: `Test timeout of ${sheet.timeout}ms exceeded.` });
    }
    for (const fixture of standing.reverse()) {
      fixture.release();
      await fixture.ended.catch((error: unknown) => sheet.threw(error));
    }
  });
  sheet.end();
  return sheet;
}

async function run(
  test: DeclaredTest,
  sheet: Sheet,
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
      const work = fixture(asked, use, sheet);
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
    await test.body(await valuesFor(askedBy(test.body)), sheet);
  } catch (error) {
    if (sheet.status !== 'timedOut') sheet.threw(error);
  }
}
