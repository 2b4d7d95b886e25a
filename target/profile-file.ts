import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { DialectInFile } from './dialect/read-dialect.ts';
import { explainMistake, isFurther, placeOf } from './profile-mistakes.ts';
import type { Profile } from './profile.ts';
import schema from './profile-file.schema.json' with { type: 'json' };
import { UsageError } from './usage-error.ts';
import { openYamlFile } from './yaml-file.ts';

/** A profile as somebody writes it: every key optional, the environment variables win over it. */
export interface ProfileFile {
  readonly name?: string;
  /** `embedded` for the sandbox that Assay ships. */
  readonly baseUrl?: string;
  readonly brand?: string;
  readonly environment?: 'sandbox' | 'production';
  readonly sandboxHost?: string;
  readonly denyHosts?: readonly string[];
  readonly caps?: { readonly amount?: number; readonly requests?: number };
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
  readonly pace?: number;
  readonly concurrency?: number;
  readonly sparing?: boolean;
  readonly rateLimit?: { readonly longestSeconds?: number; readonly budgetSeconds?: number };
  readonly webhookListen?: string;
  readonly webhookUrl?: string;
  readonly eventLog?: NonNullable<Profile['eventLog']>;
  readonly cleanUp?: Readonly<Record<string, string>>;
  readonly gate?: { readonly should?: 'allow' | 'fail' };
  readonly dialect?: DialectInFile;
}

const ajv = new Ajv2020({ verbose: true, allErrors: true });
// For the page that is made of the schema.
ajv.addVocabulary(['x-variable', 'x-value', 'x-default']);
const validate = ajv.compile(schema);

/**
 * Reads and validates a profile.
 *
 * @param path YAML or JSON file
 * @throws UsageError naming the file and, for each mistake, the line, the key and the fix
 */
export function readProfileFile(path: string): ProfileFile {
  const file = openYamlFile('The profile', path, 'PROFILE');
  const value = file.value ?? {};
  refuseMoved(path, value);
  if (validate(value)) return value as ProfileFile;
  const errors = (validate.errors as ErrorObject[]).filter((error) => !isFurther(error));
  const [first, ...others] = errors.map((error) => {
    const line = file.lineOf(placeOf(error));
    return { line, text: explainMistake(error) };
  });
  const line = first!.line === undefined ? '' : `, line ${first!.line},`;
  throw new UsageError(
    [
      `The profile ${path}${line} ${first!.text}`,
      ...others.map((other) => `Line ${other.line ?? '?'} ${other.text}`),
    ].join(' '),
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
