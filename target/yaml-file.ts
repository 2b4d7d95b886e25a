import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { UsageError } from './usage-error.ts';

/** Every worker loads this module, and few runs have a file to read. */
const yaml = () => createRequire(import.meta.url)('yaml') as typeof Yaml;

/** What a file of YAML holds, and where. */
export interface YamlFile {
  /** Null for an empty file. */
  readonly value: unknown;
  /** Line of what stands at a path, counted from 1; of the key itself where the last step is one. */
  lineOf(path: readonly (string | number)[]): number | undefined;
}

/**
 * Reads a file of YAML (or JSON), with the lines of what it holds.
 *
 * @param what how the file is called, such as "The profile"
 * @param setting the variable that names it
 * @throws UsageError when it cannot be read, or is not YAML: then with its line
 */
export function openYamlFile(what: string, path: string, setting: string): YamlFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`${what} ${path} cannot be read: check the path in ${setting}.`);
  }
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const told = document.errors[0]?.message ?? whyNoValue(document);
  if (told !== undefined)
    throw new UsageError(`${what} ${path} is not YAML: ${told.split('\n')[0]!.replace(/[:.\s]+$/, '')}.`);
  return {
    value: document.toJS() as unknown,
    lineOf(steps) {
      const at = startOf(document, steps);
      return at === undefined ? undefined : lines.linePos(at).line;
    },
  };
}

/** An alias that leads nowhere shows only when the values are made. */
function whyNoValue(document: Yaml.Document): string | undefined {
  try {
    document.toJS();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function startOf(document: Yaml.Document, steps: readonly (string | number)[]): number | undefined {
  const { isMap, isScalar, isSeq } = yaml();
  let node: unknown = document.contents;
  let start = (node as Yaml.Node | null)?.range?.[0];
  for (const step of steps) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      start = (pair?.key as Yaml.Node | undefined)?.range?.[0] ?? start;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      start = (node as Yaml.Node | undefined)?.range?.[0] ?? start;
    } else break;
  }
  return start;
}
