import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { applyBrand } from '../../schemas/brand.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { loadRules } from '../../schemas/rules.ts';
import { MEASURED } from '../../target/states/measured.ts';
import { UsageError } from '../../target/usage-error.ts';
import { openYamlFile, type YamlFile } from '../../target/yaml-file.ts';

/** One difference between the contract and a service's own document. */
interface Difference {
  /** Operation of the contract, or method and path of one that it does not have. */
  readonly operation: string;
  /** Where in it, from its own level on; empty for the operation as a whole. */
  readonly field: string;
  readonly message: string;
  /** True where a client of the contract, or a check, would notice. */
  readonly isBreaking: boolean;
  readonly rules: readonly string[];
  /** Line of their document. */
  readonly line?: number;
}

type Json = Readonly<Record<string, unknown>>;

/** Name of their document as the differ gets it. */
const THEIRS = 'theirs.json';

type Location = NonNullable<Change['verdicts'][number]['location']>;

interface Change {
  readonly path: string;
  readonly impact: 'major' | 'minor' | 'patch';
  readonly base?: { readonly pointer: string };
  readonly verdicts: readonly {
    readonly message: string;
    readonly location?: { readonly file: string; readonly pointer?: string; readonly line?: number };
  }[];
}

/**
 * Compares a document with the contract by the differ of Redocly.
 *
 * @param file path of their OpenAPI document
 * @throws UsageError where it cannot be read or compared
 */
export async function drift(file: string, brand: string): Promise<readonly Difference[]> {
  const document = openYamlFile('The document', file, 'the command');
  const theirs = document.value as Json | null;
  if (typeof theirs?.['openapi'] !== 'string' || typeof theirs['paths'] !== 'object')
    throw new UsageError(`The document ${file} is no OpenAPI document: it needs openapi and paths.`);
  const contract = applyBrand(readYaml('openapi.yaml'), brand) as Json;
  const folder = mkdtempSync(join(tmpdir(), 'assay-drift-'));
  try {
    const base = join(folder, 'contract.json');
    writeFileSync(base, JSON.stringify(sameVersion(contract, theirs)));
    // The differ loses what a YAML alias repeats.
    const plain = join(folder, THEIRS);
    writeFileSync(plain, elsewhere(theirs, dirname(resolve(file))));
    const changes = await differ(base, plain, join(folder, 'changes.json'));
    return changes.flatMap((change) => differencesOf(change, contract, document));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same document as JSON for another folder: references to files beside it are made absolute. */
function elsewhere(document: Json, folder: string): string {
  return JSON.stringify(document, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && !/^(#|\w+:)/.test(value) ? resolve(folder, value) : value,
  );
}

/** A comparison of 3.1 with 3.0 is refused, though the differences that matter here are the same. */
function sameVersion(contract: Json, theirs: Json): Json {
  return {
    ...contract,
    openapi: /^3\.[12]/.test(String(theirs['openapi'])) ? theirs['openapi'] : contract['openapi'],
  };
}

async function differ(base: string, theirs: string, output: string): Promise<readonly Change[]> {
  const require = createRequire(import.meta.url);
  const cli = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js');
  const options = ['--format', 'json', '--output', output, '--fail-on', 'none', '--lint-config', 'off'];
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  let told = '';
  try {
    await promisify(execFile)(process.execPath, [cli, 'diff', base, theirs, ...options], {
      cwd: dirname(base),
      env: { ...process.env, ...quiet },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    told = String((error as { stderr?: unknown }).stderr ?? error);
  }
  if (!existsSync(output)) {
    const line = told.split('\n').find((one) => /error|unsupported|cannot|failed/i.test(one)) ?? told.trim();
    throw new UsageError(
      `The documents cannot be compared: ${line.trim().slice(0, 300) || 'the differ said nothing'}.`,
    );
  }
  return (JSON.parse(readFileSync(output, 'utf8')) as { changes: readonly Change[] }).changes;
}

function differencesOf(change: Change, contract: Json, theirs: YamlFile): readonly Difference[] {
  const pointer = change.base?.pointer ?? change.path;
  const place = pointer.includes('/paths/') ? placeOf(pointer, contract) : placeOf(change.path, contract);
  // What their document tells of itself, its servers or its tags is no drift.
  if (place === undefined) return [];
  return change.verdicts.map(({ message, location }) => ({
    ...place,
    message: asOfTheirs(message),
    isBreaking: change.impact === 'major',
    rules: rulesAt(contract, pointer, place),
    ...lineIn(theirs, location),
  }));
}

/** The differ speaks of two versions of one document; theirs is no later version of the contract. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/ was removed\b/, ' is missing in their document'],
  [/ were removed\b/, ' are missing in their document'],
  [/ was added\b/, ' is in their document alone'],
  [/ were added\b/, ' are in their document alone'],
  [/^(Properties.*) became required\b/, '$1 are required in their document'],
  [/ became required\b/, ' is required in their document'],
  [/ are no longer required\b/, ' are not required in their document'],
  [/ is no longer accepted\b/, ' is not accepted by their document'],
  [/ now requires\b/, ' requires in their document'],
  [/ changed from ('.*?') to ('.*')/, ' is $1 in the contract and $2 in their document'],
  [/ was set to ('.*')/, ' is $1 in their document alone'],
  [/ (narrowed|widened) (?:from )?(.*?) to (.*?)\.$/, ' is $2 in the contract and $3 in their document.'],
];

function asOfTheirs(message: string): string {
  return WORDS.reduce((said, [pattern, words]) => said.replace(pattern, words), message);
}

/** The line of their document, which the differ has read in another form. */
function lineIn(theirs: YamlFile, location: Location | undefined): { readonly line?: number } {
  if (!location?.file.endsWith(THEIRS) || location.pointer === undefined) return {};
  const line = theirs.lineOf(stepsOf(location.pointer));
  return line === undefined ? {} : { line };
}

/** Operation and field of a JSON pointer into either document. */
function placeOf(pointer: string, contract: Json): { operation: string; field: string } | undefined {
  const steps = stepsOf(pointer);
  if (steps[0] === 'components')
    return { operation: `${steps.slice(1, 3).join(' ')}`, field: fieldOf(steps.slice(3)) };
  if (steps[0] !== 'paths' || steps[1] === undefined) return undefined;
  const [, path, method, ...rest] = steps;
  const paths = contract['paths'] as Readonly<Record<string, Readonly<Record<string, Json>>>>;
  const known = paths[path]?.[method ?? '']?.['operationId'];
  const operation =
    typeof known === 'string' ? known : [method?.toUpperCase(), path].filter(Boolean).join(' ');
  return { operation, field: fieldOf(rest) };
}

/** The way to a field as people say it. */
function fieldOf(steps: readonly string[]): string {
  const dull = new Set(['content', 'application/json', 'schema', 'properties', 'responses', 'requestBody']);
  const place = steps.includes('requestBody') ? ['request'] : [];
  return [...place, ...steps.filter((step) => !dull.has(step))].join('.');
}

/** More rules than a line is read for. */
const MOST_RULES = 8;

/** The differences in words, by operation; what breaks comes first. */
export function driftLines(differences: readonly Difference[]): string {
  if (differences.length === 0) return 'Nothing that the contract states is different.';
  const breaking = differences.filter((one) => one.isBreaking);
  return [
    ...section('A client of the contract would notice:', breaking),
    ...section(
      'Beside it, or beyond it:',
      differences.filter((one) => !one.isBreaking),
    ),
    `${breaking.length} differences that a client would notice, ${differences.length - breaking.length} others.`,
  ].join('\n');
}

function section(title: string, differences: readonly Difference[]): readonly string[] {
  if (differences.length === 0) return [];
  const operations = [...new Set(differences.map((one) => one.operation))];
  return [
    title,
    ...operations.flatMap((operation) => [
      `  ${operation}`,
      ...differences.filter((one) => one.operation === operation).flatMap(lines),
    ]),
    '',
  ];
}

function lines({ field, message, rules, line }: Difference): readonly string[] {
  const where = line === undefined ? '' : ` (line ${line})`;
  const shown = rules.slice(0, MOST_RULES).join(', ');
  const more = rules.length > MOST_RULES ? ` and ${rules.length - MOST_RULES} more` : '';
  return [
    `    ${field === '' ? '' : `${field}: `}${message}${where}`,
    ...(rules.length > 0 ? [`      touches ${shown}${more}`] : []),
  ];
}

/**
 * Rules that a difference touches: the one that is blamed for a breach at this place of the contract; else those of the
 * operation that speak of the field; else, where an operation as a whole differs, those that cannot do without it.
 *
 * @param pointer into the contract
 */
function rulesAt(
  contract: Json,
  pointer: string,
  { operation, field }: { readonly operation: string; readonly field: string },
): readonly string[] {
  const blamed = blamedAt(contract, pointer);
  if (blamed !== undefined) return [blamed];
  const own = Object.keys(MEASURED.operations).filter((rule) =>
    MEASURED.operations[rule]?.includes(operationIn(contract, pointer) ?? operation),
  );
  const name = field.split('.').findLast((step) => /^[a-z][A-Za-z]+$/.test(step) && step !== 'request');
  if (name === undefined) return own;
  return loadRules()
    .filter(({ id }) => own.includes(id) || own.length === 0)
    .filter(({ id, statement }) => statement.includes(name) || id.split('-').includes(firstWordOf(name)))
    .map(({ id }) => id);
}

/** `REMITTANCE` of `remittanceInformation`, as the ids of rules have it. */
function firstWordOf(name: string): string {
  return (/^[a-z]+/.exec(name)?.[0] ?? name).toUpperCase();
}

/** The deepest x-rule on the way, references followed. */
function blamedAt(contract: Json, pointer: string): string | undefined {
  let node: unknown = contract;
  let rule: string | undefined;
  for (const step of stepsOf(pointer)) {
    node = (resolved(contract, node) as Json | undefined)?.[step];
    const own = (resolved(contract, node) as Json | undefined)?.['x-rule'];
    if (typeof own === 'string') rule = own;
  }
  return rule;
}

/** The operation that a path of the contract belongs to, where it has but one. */
function operationIn(contract: Json, pointer: string): string | undefined {
  const [root, path = '', method] = stepsOf(pointer);
  if (root !== 'paths') return undefined;
  const item = (contract['paths'] as Readonly<Record<string, Json>>)[path] ?? {};
  const operations = Object.entries(item)
    .filter(([name]) => method === undefined || name === method)
    .map(([, one]) => (one as Json | null)?.['operationId'])
    .filter((id): id is string => typeof id === 'string');
  return operations.length === 1 ? operations[0] : undefined;
}

function resolved(contract: Json, node: unknown): unknown {
  const reference = (node as { $ref?: unknown } | null | undefined)?.$ref;
  if (typeof reference !== 'string') return node;
  return stepsOf(reference).reduce<unknown>((at, step) => (at as Json | undefined)?.[step], contract);
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .replace(/^#?\//, '')
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}
