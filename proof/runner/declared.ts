import { createHash } from 'node:crypto';
import type { Annotation, Details, FixtureTable, TestBody } from './fixtures.ts';

/** One test of the specs. */
export interface DeclaredTest {
  /** Made of file and title: the same in every process. */
  readonly id: string;
  /** As the reports write it: file and title. */
  readonly label: string;
  readonly tags: readonly string[];
  readonly annotations: readonly Annotation[];
  readonly fixtures: FixtureTable;
  readonly body: TestBody;
}

const tests = new Map<string, DeclaredTest>();
let file = '';

/** Notes which spec declares from now on; specs are loaded one after the other. @param path below specs/ */
export function declaring(path: string): void {
  file = path;
}

/** Takes down a test. @throws Error for a second one of the same title in a file */
export function declare(
  fixtures: FixtureTable,
  title: string,
  details: Details | TestBody,
  body?: TestBody,
): void {
  const { tag = [], annotation = [] } = typeof details === 'function' ? {} : details;
  const run = typeof details === 'function' ? details : body;
  if (!run) throw new Error(`${file}: "${title}" has no body`);
  const label = `${file} › ${title}`;
  const id = createHash('sha256').update(label).digest('hex').slice(0, 16);
  if (tests.has(id)) throw new Error(`${file} has two tests called "${title}"`);
  const list = <T>(one: T | readonly T[]): readonly T[] => [one].flat() as T[];
  tests.set(id, {
    id,
    label,
    tags: list(tag),
    annotations: list(annotation),
    fixtures,
    body: run,
  });
}

/** All tests that have been declared, in order. */
export function declaredTests(): readonly DeclaredTest[] {
  return [...tests.values()];
}
