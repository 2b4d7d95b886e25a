import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Schema, discriminated } from '../schemas/contract.ts';
import { readYaml } from '../schemas/read-yaml.ts';
import { INT64 } from '../schemas/openapi.ts';

const PREFIX = '#/components/schemas/';

let components: Readonly<Record<string, Schema>> | undefined;

/**
 * A component of openapi.yaml as it is written there; what it refers to is resolved by `resolved`.
 *
 * @throws Error when openapi.yaml has no such component: a defect of Assay
 */
export function componentSchema(name: string): Schema {
  components ??= (
    discriminated(readYaml('openapi.yaml')) as { components: { schemas: Record<string, Schema> } }
  ).components.schemas;
  const schema = components[name];
  if (!schema) throw new Error(`openapi.yaml has no component ${name}`);
  return schema;
}

/** The schema itself, or the component that its `$ref` names, with the keywords beside the `$ref` kept. */
export function resolved(schema: Schema): Schema {
  const { $ref: reference, ...beside } = schema;
  if (typeof reference !== 'string') return schema;
  if (!reference.startsWith(PREFIX)) throw new Error(`a schema refers to ${reference}, not to a component`);
  return { ...resolved(componentSchema(reference.slice(PREFIX.length))), ...beside };
}

/**
 * A schema as it applies to one value, in plain keywords: references resolved, `allOf` merged, the branch of `if` and of
 * `oneOf` or `anyOf` that the value takes. Conditions on a sibling, such as the type of a credential, are gone afterwards.
 */
export function plainly(schema: Schema, value: unknown): Schema {
  const { allOf, if: condition, then, else: otherwise, oneOf, anyOf, ...own } = resolved(schema);
  const parts: Schema[] = [own];
  for (const part of (allOf as Schema[] | undefined) ?? []) parts.push(plainly(part, value));
  if (condition !== undefined) {
    const branch = (fits(condition as Schema, value) ? then : otherwise) as Schema | undefined;
    if (branch) parts.push(plainly(branch, value));
  }
  for (const choices of [oneOf, anyOf] as (Schema[] | undefined)[]) {
    const taken = choices?.find((choice) => fits(choice, value));
    if (taken) parts.push(plainly(taken, value));
  }
  return parts.reduce(merged);
}

/** Two schemas that both hold. Where both say something of one keyword, the later one is the narrower. */
function merged(one: Schema, other: Schema): Schema {
  const properties = (schema: Schema) => (schema['properties'] as Record<string, Schema> | undefined) ?? {};
  const required = (schema: Schema) => (schema['required'] as string[] | undefined) ?? [];
  const names = new Set([...Object.keys(properties(one)), ...Object.keys(properties(other))]);
  const both = [...names].map((name): [string, Schema] => {
    const [a, b] = [properties(one)[name], properties(other)[name]];
    return [name, a && b ? { allOf: [a, b] } : ((a ?? b) as Schema)];
  });
  return {
    ...one,
    ...other,
    ...(names.size > 0 ? { properties: Object.fromEntries(both) } : {}),
    ...(required(one).length + required(other).length > 0
      ? { required: [...new Set([...required(one), ...required(other)])] }
      : {}),
  };
}

const ajv = new Ajv2020({ strict: false, validateFormats: true, validateSchema: false, logger: false });
addFormats.default(ajv);
const compiled = new WeakMap<object, ValidateFunction>();

/**
 * Whether a value is legal by a schema as it is written in openapi.yaml, references included. Whole numbers may come as
 * bigint, exact.
 */
export function fits(schema: Schema, value: unknown): boolean {
  let validate = compiled.get(schema);
  if (!validate) {
    const { components } = discriminated(readYaml('openapi.yaml')) as { components: unknown };
    compiled.set(schema, (validate = ajv.compile({ ...schema, components })));
  }
  return validate(JSON.parse(JSON.stringify(value ?? null, narrowed)) as unknown) && !reachesBeyond(value);
}

/** JSON.stringify takes no bigint; a double stands for it where only its size and kind matter. */
function narrowed(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** A double cannot tell 2^63 from the end of int64, and no field of the contract is wider. */
function reachesBeyond(value: unknown): boolean {
  if (typeof value === 'bigint') return value < INT64.min || value > INT64.max;
  return typeof value === 'object' && value !== null && Object.values(value).some(reachesBeyond);
}

/**
 * The narrowest plain schema of a value: every field there is, with the JSON type that it has. For requests whose shape the
 * interface does not show, the body of a prepared state is all that is known of them.
 */
export function schemaByExample(value: unknown): Schema {
  if (value === null || value === undefined) return {};
  if (Array.isArray(value)) return { type: 'array' };
  if (typeof value === 'object')
    return {
      type: 'object',
      required: Object.keys(value),
      properties: Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, schemaByExample(inner)]),
      ),
    };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value };
}
