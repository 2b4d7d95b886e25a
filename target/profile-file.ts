import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { DialectInFile } from './dialect/read-dialect.ts';
import { nearest } from './nearest.ts';
import schema from './profile-file.schema.json' with { type: 'json' };
import { UsageError } from './usage-error.ts';
import { readYamlFile } from './yaml-file.ts';

/** A profile as somebody writes it: every key optional, the environment variables win over it. */
export interface ProfileFile {
  readonly name?: string;
  /** `embedded` for the sandbox that Assay ships. */
  readonly baseUrl?: string;
  readonly brand?: string;
  readonly environment?: 'sandbox' | 'production';
  readonly capabilities?: readonly string[];
  readonly without?: readonly string[];
  readonly preparation?: 'provider-states' | 'public-calls' | 'fixtures';
  readonly providerStatesUrl?: string;
  readonly fixtures?: string;
  readonly knownFailures?: string;
  readonly accepted?: string;
  readonly clock?: 'customer' | 'target' | 'none';
  readonly slow?: boolean;
  readonly requestTimeoutMs?: number;
  readonly currency?: string;
  readonly gate?: { readonly should?: 'allow' | 'fail' };
  readonly dialect?: DialectInFile;
}

const validate = new Ajv2020({ verbose: true }).compile(schema);

/**
 * Reads and validates a profile.
 *
 * @param path YAML or JSON file
 * @throws UsageError naming the file, the key and the fix
 */
export function readProfileFile(path: string): ProfileFile {
  const value = readYamlFile('The profile', path, 'PROFILE') ?? {};
  refuseMoved(path, value);
  if (validate(value)) return value as ProfileFile;
  throw new UsageError(
    `The profile ${path} ${explain((validate.errors as ErrorObject[])[0] as ErrorObject)}`,
  );
}

/** Where the texts under `facts` went. */
const FACTS: Readonly<Record<string, string>> = {
  oidcIssuer: 'oidcToken.issuer',
  oidcAudience: 'oidcToken.audience',
  passkeyRpId: 'passkey.rpId',
  passkeyOrigin: 'passkey.origin',
};

/** Keys that earlier profiles had. */
function refuseMoved(path: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('publicCalls' in value)
    throw new UsageError(
      `The profile ${path} has publicCalls, which is now dialect.bodies: move the bodies there, under the same operations.`,
    );
  if (!('facts' in value)) return;
  const moved = Object.keys((value.facts as object | null) ?? {})
    .filter((name) => FACTS[name] !== undefined)
    .map((name) => `${name} to dialect.${FACTS[name]}`);
  throw new UsageError(
    `The profile ${path} has facts, which are part of dialect now (docs/dialect.md): ${moved.length > 0 ? `move ${moved.join(', ')}` : 'remove the key'}.`,
  );
}

function explain(error: ErrorObject): string {
  if (error.instancePath === '' && error.keyword === 'type')
    return 'must hold keys and values, such as "baseUrl: https://…".';
  const where = error.instancePath === '' ? '' : `${error.instancePath.slice(1).replaceAll('/', '.')}: `;
  if (error.keyword === 'additionalProperties') {
    const key = (error.params as { additionalProperty: string }).additionalProperty;
    const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
    const guess = nearest(key, known);
    return `has an unknown key ${where}${key}${guess ? `; did you mean ${guess}?` : `; known keys are ${known.join(', ')}.`}`;
  }
  if (error.instancePath === '/dialect' && error.keyword === 'const')
    return 'is wrong at dialect: write the word default where all defaults hold, or the keys that differ (docs/dialect.md).';
  const allowed = (error.params as { allowedValues?: unknown[] }).allowedValues;
  return `is wrong at ${where}${error.message ?? ''}${allowed ? `: ${allowed.join(', ')}` : ''}.`;
}
