import { loadSpecs } from './load-specs.ts';

// A fault meets hundreds of tests: what is generated tries as much as a quick run does, unless more is asked for.
process.env['DEPTH'] ||= 'quick';
// The specs first: what they import must find the stand-in for Playwright.
const tests = await loadSpecs(process.argv[2]);
const { serveTasks } = await import('./serve-tasks.ts');
await serveTasks(tests, process.argv[3]);
