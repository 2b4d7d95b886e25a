/** Tests with configurations of their own: they start browsers or whole runs, and are no part of the unit tests. */
const APART = /^tests\/(?:browser|dialect|hostile|reproduce|ci)\//;

/**
 * The unit tests that belong to changed files: themselves, and those in the same place below tests/.
 *
 * @param changed paths below the project's folder
 * @param exists whether there is a file or folder of that name
 */
export function testsOf(changed: readonly string[], exists: (path: string) => boolean): readonly string[] {
  const found = changed.flatMap((path) => {
    if (path.startsWith('tests/')) return path.endsWith('.test.ts') ? [path] : [];
    const twin = `tests/${path.replace(/\.\w+$/, '')}`;
    return [`${twin}.test.ts`, `${twin}/`].filter(exists);
  });
  return [...new Set(found)].filter((path) => !APART.test(path)).sort();
}
