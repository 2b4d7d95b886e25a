import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What is made from the files of this folder and costs each worker too long to make again. A name carries the digest of all
 * that the content depends on, so that nothing is ever stale.
 */
const FOLDER = fileURLToPath(new URL('../node_modules/.cache/assay/', import.meta.url));
/** What decides how the contract is read and compiled, beside Node itself. Paths from this folder. */
const SOURCES = ['openapi.yaml', 'contract.ts', 'brand.ts', 'compiled.ts', '../package.json'];

const digests = new Map<string, string>();

/** A digest of everything that decides how the contract of a brand is read and compiled. */
export function contractDigest(brand: string): string {
  let digest = digests.get(brand);
  if (digest === undefined) {
    const hash = createHash('sha256').update(`${process.version}\0${brand}`);
    for (const source of SOURCES)
      hash.update('\0').update(readFileSync(fileURLToPath(new URL(source, import.meta.url))));
    digests.set(brand, (digest = hash.digest('hex')));
  }
  return digest;
}

/** Path of a file of the cache, whether or not it is there. */
export function cacheFile(name: string): string {
  return join(FOLDER, name);
}

/** @returns undefined where there is no such file */
export function recall(name: string): Buffer | undefined {
  try {
    return readFileSync(cacheFile(name));
  } catch {
    return undefined;
  }
}

/** Atomic, since several workers may write at once; a cache that cannot be written costs time and nothing else. */
export function remember(name: string, content: string | Buffer): void {
  try {
    mkdirSync(FOLDER, { recursive: true });
    const draft = cacheFile(`${name}.${process.pid}`);
    writeFileSync(draft, content);
    renameSync(draft, cacheFile(name));
  } catch {
    // A read-only installation.
  }
}
