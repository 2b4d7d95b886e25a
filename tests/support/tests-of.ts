/** Tests with configurations of their own: they start browsers or whole runs, and are no part of the unit tests. */
const APART = /^tests\/(?:browser|dialect|hostile|ci)\//;

/** A rule is a row, a check and a fault, and pages tell of it: what holds these together is in other places than they. */
const HELD_BY: readonly (readonly [what: RegExp, tests: readonly string[]])[] = [
  [/^(?:schemas\/rules\/|specs\/|sandbox\/faults\/)/, ['tests/schemas/rules.test.ts']],
  [/^(?:schemas\/rules\/|specs\/)/, ['tests/target/states/measured.test.ts', 'tests/docs/guides.test.ts']],
];

/**
 * The unit tests that belong to changed files: themselves, and those in the same place below tests/. Where a file has none
 * of its name, those in its place or above that import it.
 *
 * @param changed paths below the project's folder
 * @param exists whether there is a file or folder of that name
 * @param importing the unit tests that import a file
 */
export function testsOf(
  changed: readonly string[],
  exists: (path: string) => boolean,
  importing: (path: string) => readonly string[],
): readonly string[] {
  const found = changed.flatMap((path) => {
    if (path.startsWith('tests/')) return path.endsWith('.test.ts') ? [path] : [];
    const holding = HELD_BY.flatMap(([what, tests]) => (what.test(path) ? tests : []));
    const twin = `tests/${path.replace(/\.\w+$/, '')}`;
    const twins = [`${twin}.test.ts`, `${twin}/`].filter(exists);
    if (twins.length > 0) return [...holding, ...twins];
    const beside = importing(path).filter(
      (test) => test.split('/').length > 2 && twin.startsWith(folderOf(test)),
    );
    return [...holding, ...beside];
  });
  return [...new Set(found)].filter((path) => !APART.test(path)).sort();
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
