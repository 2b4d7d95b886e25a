import { readdirSync } from 'node:fs';
import { register } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declaredTests, declaring, type DeclaredTest } from './stand-in.ts';

const SPECS = join(import.meta.dirname, '../../specs');

// A fault meets hundreds of tests: what is generated tries as much as a quick run does, unless more is asked for.
process.env['DEPTH'] ||= 'quick';
const [, , part, mutatedSandbox] = process.argv;
if (mutatedSandbox !== undefined)
  // What a mutant breaks behind the answers ends no process: nobody waits for it, and nothing comes of it.
  for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, () => undefined);
// The specs first: what they import must find the stand-in for Playwright.
const tests = await loadSpecs(part);
const { serveTasks } = await import('./serve-tasks.ts');
await serveTasks(tests, mutatedSandbox);

/**
 * Loads specs with the stand-in for Playwright's test. Once in a process, before anything of suite/ is loaded.
 *
 * @param only those whose path below specs/ begins like this
 * @throws Error where a spec declares what the stand-in does not have
 */
async function loadSpecs(only = ''): Promise<readonly DeclaredTest[]> {
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
