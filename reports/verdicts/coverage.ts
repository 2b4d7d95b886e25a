import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Coverage } from './mend.ts';

const RULE_ID = /\b[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+\b/g;
const SHAPE_RULE = /x-(?:status-)?rule['"]?:\s*['"]?([A-Z][A-Z0-9-]+)/g;

interface CoverageSources {
  /** Folders or files whose tests name rules. */
  readonly specs: readonly string[];
  /** The OpenAPI document whose `x-rule` annotations make shapes count. */
  readonly openapi: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

const DEFAULT_SOURCES: CoverageSources = {
  specs: [join(root, 'specs')],
  openapi: join(root, 'schemas/openapi.yaml'),
};

/**
 * Tells what could verify a rule in a complete run, by looking for its id in the sources. A run itself cannot
 * tell: tests that a filter or a shard left out are not in it, and "left out" is another answer than "no check
 * exists yet".
 */
export function coverageIn(sources: CoverageSources = DEFAULT_SOURCES): (rule: string) => Coverage {
  const named = new Set(sources.specs.flatMap(filesIn).flatMap((file) => textOf(file).match(RULE_ID) ?? []));
  const shapes = new Set([...textOf(sources.openapi).matchAll(SHAPE_RULE)].map((match) => match[1]));
  return (rule) => (named.has(rule) ? 'check' : shapes.has(rule) ? 'shape' : 'nothing');
}

function filesIn(path: string): string[] {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return [];
  if (status.isFile()) return /\.[cm]?[jt]s$/.test(path) ? [path] : [];
  return readdirSync(path).flatMap((name) => (name === 'node_modules' ? [] : filesIn(join(path, name))));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
