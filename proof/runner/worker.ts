import { loadSpecs } from './load-specs.ts';

// The specs first: what they import must find the stand-in for Playwright.
const tests = await loadSpecs(process.argv[2]);
const { serveTasks } = await import('./serve-tasks.ts');
await serveTasks(tests, process.argv[3]);
