/** `npm run rules -- words`: the rules that speak of something: checks, faults, and what they cost the last run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDetection } from '../reports/detection.ts';
import { reportDir } from '../reports/folder/folder.ts';
import { eachFaults } from '../sandbox/faults/each.ts';
import { faults } from '../sandbox/faults/index.ts';
import { loadRules, type Rule } from '../schemas/rules.ts';
import { readArguments, stop } from './command.ts';

const USAGE = `Finds the rules in whose id, section or statement all of these words stand, with the specs that check them and the
faults that are planted against them.
Usage: npm run rules -- words
  npm run rules -- remittance
  npm run rules -- "Limits" quote
  npm run rules -- --cost
  npm run rules -- --each
  --cost   what each rule cost the last run, dearest first: a test's exchanges are shared by the rules that it shows
  --each   the faults that break a rule for one operation, type or member at a time, and how each fared (npm run matrix)
  --help   this text`;
const ROOT = join(import.meta.dirname, '..');
const LATENCY_SECONDS = 0.15;

const { values, positionals } = readArguments(
  { cost: { type: 'boolean' }, each: { type: 'boolean' } },
  USAGE,
);
const words = positionals.flatMap((text) => text.toLowerCase().split(/\s+/));
if (words.join('') === '' && !values['cost'] && !values['each'])
  stop('Say what the rules are to speak of: npm run rules -- remittance');
const found = loadRules().filter(({ id, section, statement }) => {
  const text = `${id} ${section} ${statement}`.toLowerCase();
  return words.every((word) => text.includes(word));
});
const specs = readdirSync(join(ROOT, 'specs'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({
    path: `specs/${path.replaceAll('\\', '/')}`,
    text: readFileSync(join(ROOT, 'specs', path), 'utf8'),
  }))
  .sort((a, b) => (a.path < b.path ? -1 : 1));
if (values['cost']) printCosts(new Set(found.map(({ id }) => id)));
else if (values['each']) printEach(new Set(found.map(({ id }) => id)));
else for (const rule of found) console.log(`${entryOf(rule)}\n`);
console.log(`${found.length} of ${loadRules().length} rules.`);

/** Exchanges as they were, and the time that they take one after the other at 150 ms. */
function printCosts(wanted: ReadonlySet<string>): void {
  const exchanges = new Map<string, number>();
  for (const line of readReport('exchanges.ndjson').trim().split('\n')) {
    const { test } = JSON.parse(line) as { test: string };
    exchanges.set(test, (exchanges.get(test) ?? 0) + 1);
  }
  const { rules } = JSON.parse(readReport('conformance.json')) as {
    rules: readonly { id: string; checks: { tests?: readonly string[] } }[];
  };
  const shown = new Map<string, number>();
  for (const test of rules.flatMap(({ checks }) => checks.tests ?? []))
    shown.set(test, (shown.get(test) ?? 0) + 1);
  const costs = rules
    .filter(({ id }) => wanted.has(id))
    .map(({ id, checks: { tests = [] } }) => ({
      id,
      tests: tests.length,
      cost: tests.reduce((sum, test) => sum + (exchanges.get(test) ?? 0) / (shown.get(test) ?? 1), 0),
    }))
    .sort((a, b) => b.cost - a.cost);
  const lines = costs.map(({ id, tests, cost }) =>
    [
      id.padEnd(48),
      `${cost.toFixed(1).padStart(6)} exchanges in ${String(tests).padStart(3)} tests`,
      `${(cost * LATENCY_SECONDS).toFixed(1).padStart(6)} s at 150 ms`,
    ].join(' '),
  );
  console.log(lines.join('\n'));
}

/** Rule by rule what stands for all: each operation, credential type, kind of action, status or bound has a fault of its own. */
function printEach(wanted: ReadonlySet<string>): void {
  const fates = new Map((readDetection()?.faults ?? []).map(({ fault, fate }) => [fault, fate]));
  for (const rule of [...new Set(eachFaults.map(({ breaks }) => breaks))].sort()) {
    const planted = eachFaults.filter(({ breaks }) => breaks === rule && wanted.has(rule));
    const rows = planted.map(({ name }) => `  ${(fates.get(name) ?? 'not tried').padEnd(10)} ${name}`);
    if (rows.length > 0) console.log([rule, ...rows].join('\n'));
  }
}

function readReport(name: string): string {
  const path = join(reportDir(), name);
  if (!existsSync(path)) return stop(`There is no ${path}: run npx playwright test first.`);
  return readFileSync(path, 'utf8');
}

function entryOf({ id, level, section, statement, excluded }: Rule): string {
  const named = new RegExp(`\\b${id}\\b(?!-)`);
  const checks = specs.filter(({ text }) => named.test(text)).map(({ path }) => path);
  const planted = faults.filter(({ breaks, also }) => breaks === id || also?.includes(id));
  const title = `${id} (${level}) ${section}\n  ${statement}`;
  if (excluded !== undefined) return `${title}\n  excluded: ${excluded}`;
  return [
    title,
    `  checked in ${checks.join(', ') || 'no spec by its name: answers are held against schemas/openapi.yaml'}`,
    `  faults: ${planted.map(({ name }) => name).join(', ') || 'none'}`,
  ].join('\n');
}
