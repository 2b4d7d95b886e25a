import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/assay-sandbox/', import.meta.url));

/** What openapi.yaml says, anew for each caller. */
export const readContract = (): unknown => readYaml('../../schemas/openapi.yaml');

/**
 * What a YAML file says, anew for each caller. Parsing takes longer than all else at the start, so what it gave is kept under
 * the digest of its text.
 *
 * @param path seen from here
 */
export function readYaml(path: string): unknown {
  const text = readFileSync(new URL(path, import.meta.url), 'utf8');
  const file = `${CACHE}${createHash('sha256').update(text).digest('hex')}.json`;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    const document: unknown = parse(text, { merge: true });
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

interface Union {
  readonly oneOf: readonly { readonly $ref: string }[];
  readonly discriminator: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
}

/**
 * The document with each union that has a discriminator as conditions, so that a wrong body is held against the one member that it says
 * it is, and not against all of them.
 */
export function discriminated(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(discriminated);
  if (typeof node !== 'object' || node === null) return node;
  if (isUnion(node)) {
    const { oneOf, discriminator, ...beside } = node;
    return { ...(discriminated(beside) as object), allOf: conditions({ oneOf, discriminator }) };
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, discriminated(value)]));
}

function isUnion(node: object): node is Union {
  const { oneOf, discriminator } = node as Partial<Union>;
  return Array.isArray(oneOf) && typeof discriminator?.propertyName === 'string';
}

function conditions({ oneOf, discriminator: { propertyName, mapping } }: Union): object[] {
  return oneOf.map(({ $ref }) => {
    const values = Object.keys(mapping).filter((value) => mapping[value] === $ref);
    return {
      if: { type: 'object', required: [propertyName], properties: { [propertyName]: { enum: values } } },
      then: { $ref },
    };
  });
}
