import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { discriminated, readContract, readYaml } from './read-contract.ts';
import { type Json, type JsonObject, withDoubles } from './json.ts';

export type Schema = { readonly [keyword: string]: unknown };

/** What is wrong with one field of a body. */
export interface FieldError {
  /** Dot-notation path; empty for the body itself. */
  readonly field: string;
  /** Hints about what would be right. */
  readonly constraint: JsonObject;
  readonly message: string;
}

interface Document {
  readonly jsonSchemaDialect?: string;
  readonly paths: Readonly<Record<string, unknown>>;
  readonly tags: readonly object[];
  components: { schemas: Record<string, Schema>; parameters: object; securitySchemes: object };
}

/** How openapi.yaml begins a reference to its examples. */
const EXAMPLES = 'examples.yaml#';
const ID = 'https://assay.invalid/openapi.yaml';
let document: Document | undefined;
let ajv: Ajv2020 | undefined;
const compiled = new WeakMap<Schema, ValidateFunction>();

/** A component of openapi.yaml, with references that can be followed from anywhere. */
export function componentSchema(name: string): Schema {
  const schema = contract().components.schemas[name];
  if (!schema) throw new Error(`openapi.yaml has no schema ${name}`);
  return schema;
}

/** A copy of the contract, to be shown. */
export function contractDocument(): Document {
  return withExamples(readContract(), readYaml('../../schemas/examples.yaml') as object) as Document;
}

/** A copy with the examples in place that it refers to, so that it stands in one file. */
function withExamples(node: unknown, examples: object): unknown {
  if (Array.isArray(node)) return node.map((item) => withExamples(item, examples));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref } = node as { $ref?: unknown };
  if (typeof $ref === 'string' && $ref.startsWith(EXAMPLES))
    return exampleAt(examples, $ref.slice(EXAMPLES.length));
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withExamples(value, examples)]));
}

function exampleAt(examples: object, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], examples);
}

/** A copy whose references are followed within the contract. */
export function withLocalReferences<T extends object>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll(`"${ID}#`, '"#')) as T;
}

/** A copy of a schema in which every reference is replaced by what it refers to. The schema must not contain itself. */
export function inlined(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inlined);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...rest } = schema as { $ref?: string };
  const base =
    $ref === undefined ? {} : (inlined(componentSchema($ref.slice($ref.lastIndexOf('/') + 1))) as object);
  return {
    ...base,
    ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inlined(value)])),
  };
}

/** Reads and compiles what the first request would otherwise wait for. */
export function warmUp(): void {
  engine();
}

/**
 * Holds a body against a schema.
 *
 * @param countCharacters how long a text is, wherever the schema bounds a length
 * @returns one entry for each field that is wrong
 */
export function fieldErrors(
  schema: Schema,
  body: Json,
  countCharacters: (text: string) => number,
): FieldError[] {
  let validate = compiled.get(schema);
  if (!validate) compiled.set(schema, (validate = engine().compile(schema)));
  if (validate.call({ countCharacters }, withDoubles(body))) return [];
  const byField = new Map<string, FieldError>();
  for (const error of validate.errors ?? []) {
    if (error.keyword === 'if') continue;
    const field = fieldOf(error);
    const known = byField.get(field);
    const message = error.keyword === 'required' ? 'is required' : (error.message ?? 'is invalid');
    byField.set(field, {
      field,
      constraint: { ...known?.constraint, ...hint(error) },
      message: known ? `${known.message}; ${message}` : `${field === '' ? 'the body' : field} ${message}`,
    });
  }
  return [...byField.values()];
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required') path.push((error.params as { missingProperty: string }).missingProperty);
  if (error.keyword === 'additionalProperties')
    path.push((error.params as { additionalProperty: string }).additionalProperty);
  return path.join('.');
}

function hint(error: ErrorObject): JsonObject {
  const params = error.params as Record<string, Json>;
  const schema = error.schema as Json;
  if (error.keyword === 'enum') return { enum: params['allowedValues'] ?? [] };
  if (error.keyword === 'type') return { type: params['type'] ?? '' };
  if (
    ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems'].includes(error.keyword)
  ) {
    return { [error.keyword]: schema };
  }
  return {};
}

function contract(): Document {
  if (document) return document;
  document = withAbsoluteReferences(discriminated(readContract())) as Document;
  return document;
}

/** A copy whose references to components of openapi.yaml can be followed from anywhere. */
export function withAbsoluteReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withAbsoluteReferences);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' && value.startsWith('#')
        ? ID + value
        : withAbsoluteReferences(value),
    ]),
  );
}

function engine(): Ajv2020 {
  if (ajv) return ajv;
  ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    verbose: true,
    passContext: true,
    validateSchema: false,
  });
  addFormats.default(ajv);
  // The library's int64 takes any whole number; withDoubles has pushed what does not fit far outside.
  ajv.addFormat('int64', {
    type: 'number',
    validate: (value: number) => Number.isInteger(value) && Math.abs(value) <= 2 ** 63,
  });
  // What counts as one character is left open by the interface, so the world says.
  for (const [keyword, fits, words] of [
    ['maxLength', (length: number, bound: number) => length <= bound, 'must not have more characters than'],
    ['minLength', (length: number, bound: number) => length >= bound, 'must not have fewer characters than'],
  ] as const) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      validate(this: { countCharacters: (text: string) => number }, bound: number, text: string) {
        return fits(this.countCharacters(text), bound);
      },
      error: { message: ({ schema }) => `${words} ${String(schema)}` },
    });
  }
  ajv.addSchema({ $id: ID, ...contract() });
  return ajv;
}
