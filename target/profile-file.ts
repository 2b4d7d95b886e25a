import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { dialectMistakes, type DialectInFile, type DialectMistake } from './dialect/read-dialect.ts';
import { nearest } from './nearest.ts';
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
  const mistakes = validate(value)
    ? furtherMistakes(value as ProfileFile)
    : (validate.errors as ErrorObject[])
        .filter((error) => !isFurther(error))
        .map((error) => ({ place: placeOf(error), text: explainMistake(error) }));
  if (mistakes.length === 0) return value as ProfileFile;
  const sentences = mistakes.map(({ place, text }, index) => {
    const line = file.lineOf(place);
    return index === 0
      ? `The profile ${path}${line === undefined ? '' : `, line ${line},`} ${text}`
      : `Line ${line ?? '?'} ${text}`;
  });
  throw new UsageError(sentences.join(' '));
}

/** Types of record that `cleanUp` is usually told of. */
const REMOVABLE = [
  'Customer',
  'ExternalAccount',
  'InternalAccount',
  'Agent',
  'AuthMethod',
  'Card',
  'Invitation',
];

/** What the schema does not see. */
function furtherMistakes({ dialect, cleanUp = {} }: ProfileFile): readonly DialectMistake[] {
  const spoken = typeof dialect === 'object' ? dialectMistakes(dialect) : [];
  const misspelt = Object.keys(cleanUp).flatMap((type) => {
    const guess = REMOVABLE.includes(type) ? undefined : nearest(type, REMOVABLE);
    return guess === undefined
      ? []
      : [{ place: ['cleanUp', type], text: `is no type of record; did you mean ${guess}?` }];
  });
  return [...spoken, ...misspelt].map(({ place, text }) => ({
    place,
    text: `is wrong at ${place.join('.')}: it ${text}`,
  }));
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
