import { readFileSync } from 'node:fs';

/**
 * Imported before anything else, for its effect: packages may not even load on an old Node, and their stack traces would
 * be all that is seen.
 */
const sentence = whyNotNode(process.versions.node);
if (sentence !== undefined) {
  console.error(sentence);
  process.exit(2);
}

/**
 * Why Assay does not run on a version of Node, in one sentence, or undefined where it does.
 *
 * @param version such as 20.19.0
 * @param engines the range of package.json: `^` and `>=`, joined by `||`
 */
export function whyNotNode(version: string, engines: string = ownEngines()): string | undefined {
  if (engines.split('||').some((range) => isWithin(version, range.trim()))) return undefined;
  return `Node ${version} is not supported: install Node ${engines.replaceAll('||', 'or')}.`;
}

function isWithin(version: string, range: string): boolean {
  const [, operator, least] = /^(\^|>=)(\d+\.\d+\.\d+)$/.exec(range) ?? [];
  if (least === undefined)
    throw new Error(`package.json: engines.node holds ${range}, which is not understood`);
  const found = numbers(version);
  const wanted = numbers(least);
  if (operator === '^' && found[0] !== wanted[0]) return false;
  const differing = wanted.findIndex((number, index) => number !== found[index]);
  return differing === -1 || found[differing]! > wanted[differing]!;
}

function numbers(version: string): readonly number[] {
  return version.split(/[.-]/, 3).map(Number);
}

function ownEngines(): string {
  const file = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { engines: { node: string } }).engines.node;
}
