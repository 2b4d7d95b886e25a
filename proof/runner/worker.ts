import { loadSpecs } from './load-specs.ts';

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
