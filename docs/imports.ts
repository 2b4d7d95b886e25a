import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseOptions, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Folders whose imports have a direction, and what each is for. */
const FOLDERS: Readonly<Record<string, string>> = {
  specs: 'what is checked',
  suite: 'the words of the specs',
  generators: 'made inputs',
  target: 'the service under test',
  client: 'the caller’s side',
  schemas: 'the contract as data',
  doubt: 'when an answer accuses',
  journal: 'what a test leaves behind',
  reports: 'verdicts and pages',
  doctor: 'looks before a run',
  proof: 'measures the suite',
  sandbox: 'the reference service',
};

/** What the code imports, as dependency-cruiser read it. */
interface Imports {
  /** `<rule>: <module> imports <module>`, one for each arrow that points the wrong way. */
  readonly violations: readonly string[];
  /** How many modules were read that import others. */
  readonly modules: number;
  /** The folders that each folder imports from, itself left out. */
  readonly byFolder: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads the imports of all code but tests, and holds them against `.dependency-cruiser.json`. */
export async function readImports(): Promise<Imports> {
  const { forbidden, options } = JSON.parse(readFileSync(`${ROOT}.dependency-cruiser.json`, 'utf8')) as {
    forbidden: NonNullable<IFlattenedRuleSet['forbidden']>;
    options: ICruiseOptions;
  };
  const { output } = await cruise(
    Object.keys(FOLDERS),
    { ...options, baseDir: ROOT, validate: true, ruleSet: { forbidden } },
    {},
    { tsConfig: extractTSConfig(`${ROOT}tsconfig.json`) },
  );
  const { modules, summary } = output as ICruiseResult;
  const byFolder = new Map(Object.keys(FOLDERS).map((folder) => [folder, new Set<string>()]));
  for (const { source, dependencies } of modules)
    for (const { resolved } of dependencies) {
      const [from, to] = [folderOf(source), folderOf(resolved)];
      if (from !== to && byFolder.has(to)) byFolder.get(from)?.add(to);
    }
  return {
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} imports ${to}`),
    modules: modules.filter(({ dependencies }) => dependencies.length > 0).length,
    byFolder,
  };
}

/** The picture of docs/architecture.md in mermaid. An arrow that a longer way shows already is left out. */
export async function importsPicture(): Promise<string> {
  const { byFolder } = await readImports();
  const lines = Object.entries(FOLDERS).map(([folder, what]) => `  ${folder}["<b>${folder}</b><br>${what}"]`);
  for (const [from, targets] of byFolder)
    for (const to of targets)
      if (![...targets].some((between) => between !== to && leads(byFolder, between, to)))
        lines.push(`  ${from} --> ${to}`);
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n');
}

function leads(byFolder: Imports['byFolder'], from: string, to: string, visited = new Set([from])): boolean {
  return [...(byFolder.get(from) ?? [])].some((next) => {
    if (next === to) return true;
    if (visited.has(next)) return false;
    visited.add(next);
    return leads(byFolder, next, to, visited);
  });
}

function folderOf(path: string): string {
  return path.split('/')[0] ?? '';
}
