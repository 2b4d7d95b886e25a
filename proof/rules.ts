/** `npm run rules -- words`: the rules that speak of something, the specs that check them and the faults planted against them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from '../sandbox/faults/index.ts';
import { loadRules, type Rule } from '../schemas/rules.ts';
import { readArguments, stop } from './command.ts';

const USAGE = `Finds the rules in whose id, section or statement all of these words stand, with the specs that check them and the
faults that are planted against them.
Usage: npm run rules -- words
  npm run rules -- remittance
  npm run rules -- "Limits" quote
  --help   this text`;
const ROOT = join(import.meta.dirname, '..');

const words = readArguments({}, USAGE).positionals.flatMap((text) => text.toLowerCase().split(/\s+/));
if (words.join('') === '') stop('Say what the rules are to speak of: npm run rules -- remittance');
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
for (const rule of found) console.log(`${entryOf(rule)}\n`);
console.log(`${found.length} of ${loadRules().length} rules.`);

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
