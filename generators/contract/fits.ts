import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Schema } from '../../schemas/contract.ts';
import { discriminated } from '../../schemas/discriminated.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { INT64 } from '../../schemas/values.ts';

// A test holds openapi.yaml against the meta schema; here it would be held against it for each request's schema.
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
