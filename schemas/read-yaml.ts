import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** Parsed documents, by the digest of their text: each worker would spend half a second on parsing them again. */
const CACHE = join(FOLDER, '../node_modules/.cache/assay');
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

function parseOrRecall(text: string): unknown {
  const file = join(CACHE, `${createHash('sha256').update(text).digest('hex')}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    const document: unknown = parse(text);
    remember(file, document);
    return document;
  }
}

/** Atomic, since several workers may write at once; a cache that cannot be written costs time and nothing else. */
function remember(file: string, document: unknown): void {
  try {
    mkdirSync(CACHE, { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(document));
    renameSync(draft, file);
  } catch {
    // read-only installation
  }
}
