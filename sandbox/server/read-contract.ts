import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const CONTRACT = new URL('../../schemas/openapi.yaml', import.meta.url);
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/assay-sandbox/', import.meta.url));

/**
 * What openapi.yaml says, anew for each caller. Parsing it takes longer than all else at the start, so what it gave is kept
 * under the digest of its text.
 */
export function readContract(): unknown {
  const text = readFileSync(CONTRACT, 'utf8');
  const file = `${CACHE}${createHash('sha256').update(text).digest('hex')}.json`;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    const document: unknown = parse(text);
    keep(file, JSON.stringify(document));
    return document;
  }
}

/** Several sandboxes may start at once, and an installation may be read-only: then it costs time and nothing else. */
function keep(file: string, text: string): void {
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // The next start parses again.
  }
}
