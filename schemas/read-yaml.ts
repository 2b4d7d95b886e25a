import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as Yaml from 'yaml';
import { recall, remember } from './cache.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const parsed = new Map<string, unknown>();

/**
 * Reads a YAML file that lies beside this module, once per process. What it returns is shared: copy before you change it.
 *
 * @param name file name within schemas/
 * @throws Error when the file is missing or not YAML: a defect of Assay, never of a target
 */
export function readYaml(name: string): unknown {
  if (!parsed.has(name)) parsed.set(name, parseOrRecall(readFileSync(join(FOLDER, name), 'utf8')));
  return parsed.get(name);
}

/** Each worker would spend half a second on parsing them again. */
function parseOrRecall(text: string): unknown {
  const name = `${createHash('sha256').update(text).digest('hex')}.json`;
  try {
    return JSON.parse(String(recall(name))) as unknown;
  } catch {
    const { parse } = createRequire(import.meta.url)('yaml') as typeof Yaml;
    const document: unknown = parse(text);
    remember(name, JSON.stringify(document));
    return document;
  }
}
