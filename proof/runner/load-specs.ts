import { readdirSync } from 'node:fs';
import { register } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declaredTests, declaring, type DeclaredTest } from './declared.ts';

const SPECS = join(import.meta.dirname, '../../specs');

/**
 * Loads specs with the stand-in for Playwright's test. Once in a process, before anything of suite/ is loaded.
 *
 * @param only those whose path below specs/ begins like this
 * @throws Error where a spec declares what the stand-in does not have
 */
export async function loadSpecs(only = ''): Promise<readonly DeclaredTest[]> {
  register('./no-playwright.js', import.meta.url);
  for (const path of specFiles(SPECS)) {
    const name = relative(SPECS, path).replaceAll('\\', '/');
    if (!name.startsWith(only)) continue;
    declaring(name);
    await import(pathToFileURL(path).href);
  }
  return declaredTests();
}

function specFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return specFiles(path);
      return entry.name.endsWith('.spec.ts') ? [path] : [];
    });
}
