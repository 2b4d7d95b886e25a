import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What decides whether a planted fault is found: the checks, what they stand on, and the sandbox with its faults. */
const FOLDERS = ['specs', 'suite', 'client', 'generators', 'schemas', 'target', 'sandbox'];
const ROOT = join(import.meta.dirname, '..');

/** A digest of the files on which detection power stands: another digest, and what was measured is of another suite. */
export function proofDigest(root = ROOT): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS)
    for (const path of filesIn(root, folder))
      hash.update(`${path}\n${readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')}\n`);
  return hash.digest('hex').slice(0, 16);
}

function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesIn(root, path);
      return /\.(?:ts|js|ya?ml|json)$/.test(entry.name) ? [path] : [];
    });
}
