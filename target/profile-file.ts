import { createRequire } from 'node:module';
import type * as ajv2020 from 'ajv/dist/2020.js';
import { dialectMistakes, type DialectInFile, type DialectMistake } from './dialect/read-dialect.ts';
import schema from './profile-file.schema.json' with { type: 'json' };
import type { Profile } from './profile.ts';
import { UsageError, nearest } from './usage-error.ts';
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
  readonly rateLimit?: { readonly longestSeconds?: number; readonly budgetSeconds?: number };
  readonly webhookListen?: string;
  readonly webhookUrl?: string;
  readonly eventLog?: NonNullable<Profile['eventLog']>;
  readonly cleanUp?: Readonly<Record<string, string>>;
  readonly gate?: { readonly should?: 'allow' | 'fail' };
  readonly dialect?: DialectInFile;
}

let compiled: ajv2020.ValidateFunction | undefined;

/** Most runs have no profile, and every worker loads this file. */
function validator(): ajv2020.ValidateFunction {
  if (compiled) return compiled;
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof ajv2020;
  const ajv = new Ajv2020({ verbose: true, allErrors: true });
  // For the page that is made of the schema.
  ajv.addVocabulary(['x-variable', 'x-value', 'x-default']);
  return (compiled = ajv.compile(schema));
}

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
  const validate = validator();
  const mistakes = validate(value)
    ? furtherMistakes(value as ProfileFile)
    : (validate.errors as ajv2020.ErrorObject[])
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

/** Errors that follow from another one, and would only repeat it. */
function isFurther(error: ajv2020.ErrorObject): boolean {
  return error.keyword === 'if' || error.keyword === 'propertyNames';
}

/** Where in the file a mistake stands, step by step. */
function placeOf(error: ajv2020.ErrorObject): readonly (string | number)[] {
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { additionalProperty } = error.params as { additionalProperty?: string };
  const own = additionalProperty ?? error.propertyName;
  return own === undefined ? steps : [...steps, own];
}

/** What is wrong, as the rest of a sentence that begins with the file and the line. */
function explainMistake(error: ajv2020.ErrorObject): string {
  if (error.instancePath === '' && error.keyword === 'type')
    return 'must hold keys and values, such as "baseUrl: https://…".';
  const at = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'additionalProperties') {
    const key = (error.params as { additionalProperty: string }).additionalProperty;
    const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
    return `has an unknown key ${at === '' ? '' : `${at}: `}${key}${guessed(key, known)}`;
  }
  if (error.instancePath === '/dialect' && error.keyword === 'const')
    return 'is wrong at dialect: write the word default where all defaults hold, or the keys that differ (docs/dialect.md).';
  const allowed = (error.params as { allowedValues?: string[] }).allowedValues;
  if (error.propertyName !== undefined && allowed)
    return `names at ${at} an unknown operation ${error.propertyName}${guessed(error.propertyName, allowed, 'schemas/openapi.yaml lists them')}`;
  if (allowed) {
    const guess = typeof error.data === 'string' ? nearest(error.data, allowed) : undefined;
    const right = guess === undefined ? `it is one of ${allowed.join(', ')}.` : `did you mean ${guess}?`;
    return `is wrong at ${at}: there is no ${shown(error.data)}; ${right}`;
  }
  return `is wrong at ${at}: ${wanted(error)}${exampleOf(error)}.`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list, in brackets or with a dash before each line',
};

function wanted({ keyword, params, data, parentSchema, message }: ajv2020.ErrorObject): string {
  const { type, limit, comparison, missingProperty } = params as Readonly<Record<string, string | undefined>>;
  const known = Object.keys((parentSchema as { properties?: object }).properties ?? {}).join(', ');
  switch (keyword) {
    case 'type':
      if (type === 'object') return `it must hold keys and values${known === '' ? '' : `: ${known}`}`;
      if (type === 'string' && (typeof data === 'number' || typeof data === 'boolean'))
        return `it must be text: put it in quotes, '${String(data)}'`;
      return `it must be ${KINDS[type ?? ''] ?? type}, not ${shown(data)}`;
    case 'minLength':
      return 'it must not be empty';
    case 'minProperties':
      return `it must hold at least one of ${known}`;
    case 'required':
      return `it lacks ${missingProperty}`;
    case 'uniqueItems':
      return 'it names something twice';
    case 'pattern':
      return `${shown(data)} has another form than it must have`;
    default:
      if (comparison === undefined) return message ?? 'it has another form';
      return `it must be ${{ '>=': 'at least', '>': 'above', '<=': 'at most', '<': 'below' }[comparison]} ${limit}, not ${shown(data)}`;
  }
}

/** The schema's own example, where the form is not plain from what has been said. */
function exampleOf({ keyword, parentSchema }: ajv2020.ErrorObject): string {
  const [example] = (parentSchema as { examples?: readonly unknown[] }).examples ?? [];
  return keyword !== 'pattern' || example === undefined ? '' : `; write it like ${String(example)}`;
}

/** A value as somebody wrote it, as long as it is short. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text === '' ? 'an empty text' : text;
}

function guessed(
  word: string,
  known: readonly string[],
  otherwise = `known keys are ${known.join(', ')}`,
): string {
  const guess = nearest(word, known);
  return guess === undefined ? `; ${otherwise}.` : `; did you mean ${guess}?`;
}
