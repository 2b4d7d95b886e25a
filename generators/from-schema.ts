import fc from 'fast-check';
import type { Schema } from '../schemas/contract.ts';
import { INT64 } from '../schemas/values.ts';
import { resolved } from './component-schema.ts';
import { int64s } from './int64s.ts';
import { plainTexts } from './plain-texts.ts';

/** Length of texts and lists to which the schema sets no limit. */
const ORDINARY_LENGTH = 20;
/** Keywords that would make a value of the plain reading illegal. */
const NOT_READ = ['allOf', 'anyOf', 'not', 'if', 'multipleOf', 'uniqueItems', 'patternProperties'];

/**
 * Legal values of a schema of openapi.yaml. An integer with `format: int64` comes as bigint, exact.
 *
 * @param schema as it is written there, references included (`componentSchema`)
 * @throws Error for keywords that this small reading does not know, so that no illegal value slips through
 */
export function fromSchema(schema: Schema): fc.Arbitrary<unknown> {
  const own = resolved(schema);
  if (Array.isArray(own['enum'])) return fc.constantFrom(...(own['enum'] as unknown[]));
  if ('const' in own) return fc.constant(own['const']);
  if (own['format'] === 'date-time') return moments();
  const strange = NOT_READ.filter((keyword) => keyword in own);
  if (strange.length > 0) throw new Error(`fromSchema does not read ${strange.join(', ')}`);
  if (Array.isArray(own['oneOf'])) return fc.oneof(...(own['oneOf'] as Schema[]).map(fromSchema));
  switch (own['type']) {
    case 'string':
      return texts(own);
    case 'integer':
      return own['format'] === 'int64' ? int64s(bounds(own)) : fc.integer(narrow(bounds(own)));
    case 'number':
      return fc.double({
        min: Number(own['minimum'] ?? own['exclusiveMinimum'] ?? -1e9),
        max: 1e9,
        noNaN: true,
        minExcluded: 'exclusiveMinimum' in own,
      });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fromSchema((own['items'] as Schema | undefined) ?? {}), {
        minLength: (own['minItems'] as number | undefined) ?? 0,
        maxLength: (own['maxItems'] as number | undefined) ?? ORDINARY_LENGTH,
      });
    case 'object':
      return objects(own);
    case undefined:
      return fc.jsonValue({ maxDepth: 1 });
    default:
      throw new Error(`fromSchema does not read the type ${String(own['type'])}`);
  }
}

function texts(schema: Schema): fc.Arbitrary<string> {
  const { pattern, examples } = schema;
  // Nothing is made from a pattern that looks ahead: the contract's own examples serve.
  if (typeof pattern === 'string' && /\(\?[=!<]/.test(pattern) && Array.isArray(examples))
    return fc.constantFrom(...(examples as string[]));
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  const minLength = (schema['minLength'] as number | undefined) ?? 0;
  return plainTexts({
    minLength,
    maxLength: (schema['maxLength'] as number | undefined) ?? minLength + ORDINARY_LENGTH,
  });
}

function objects(schema: Schema): fc.Arbitrary<unknown> {
  const properties = (schema['properties'] as Readonly<Record<string, Schema>> | undefined) ?? {};
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, fromSchema(property)]),
  );
  return fc.record(model, {
    requiredKeys: (schema['required'] as string[] | undefined) ?? [],
    noNullPrototype: true,
  });
}

function moments(): fc.Arbitrary<string> {
  return fc
    .date({
      min: new Date('1970-01-01T00:00:00Z'),
      max: new Date('2999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    .map((date) => date.toISOString());
}

/** YAML numbers are doubles: at the ends of int64 they stand for the exact end. */
function bounds(schema: Schema): { min: bigint; max: bigint } {
  const { minimum, exclusiveMinimum, maximum } = schema as Readonly<Record<string, number | undefined>>;
  const min =
    exclusiveMinimum === undefined ? BigInt(minimum ?? Number(INT64.min)) : BigInt(exclusiveMinimum) + 1n;
  const max = BigInt(maximum ?? Number(INT64.max));
  return { min: min < INT64.min ? INT64.min : min, max: max > INT64.max ? INT64.max : max };
}

function narrow({ min, max }: { min: bigint; max: bigint }): { min: number; max: number } {
  const [least, greatest] = [-(2n ** 31n), 2n ** 31n - 1n];
  return { min: Number(min < least ? least : min), max: Number(max > greatest ? greatest : max) };
}
