import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { readYaml } from '../read-yaml.ts';

const HEADER = `/**
 * Types of the contract, generated from schemas/openapi.yaml by \`npm run types\`. Do not edit.
 * Conditions between fields (if, then) are for the validator; here such fields are simply optional.
 */`;
/** Keywords that a type can express; what is left out (bounds, forms, conditions) the validator judges. */
const EXPRESSIBLE = new Set([
  'type',
  'properties',
  'required',
  'items',
  'enum',
  'const',
  'description',
  '$ref',
  'oneOf',
  'anyOf',
  'additionalProperties',
]);
/** What the generator adds to every definition, and which tells a reader nothing. */
const REMARK =
  /( \*\n)? \* This (?:interface|type) was referenced by `Components`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g;

/** Source of a module with one exported type for each component of openapi.yaml. */
export async function contractTypes(): Promise<string> {
  const { components } = readYaml('openapi.yaml') as { components: { schemas: Record<string, unknown> } };
  const names = Object.keys(components.schemas);
  const schema = {
    definitions: Object.fromEntries(
      Object.entries(components.schemas).map(([name, component]) => [name, expressible(component)]),
    ),
    // A root that mentions every component keeps each of them, in this order.
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }])),
    additionalProperties: false,
  };
  const source = await compile(schema as JSONSchema, 'Components', {
    bannerComment: HEADER,
    additionalProperties: false,
    unreachableDefinitions: true,
    strictIndexSignatures: true,
    style: { singleQuote: true, printWidth: 110 },
  });
  return source.replace(REMARK, '').replace(/\/\*\*\n \*\/\n/g, '');
}

/** The part of a schema that a type can express. Property names are kept whatever they are. */
function expressible(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(expressible);
  if (typeof node !== 'object' || node === null) return node;
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties')
      kept[key] = Object.fromEntries(
        Object.entries(value as object).map(([name, property]) => [name, expressible(property)]),
      );
    else if (key === '$ref') kept[key] = String(value).replace('#/components/schemas/', '#/definitions/');
    else if (EXPRESSIBLE.has(key)) kept[key] = expressible(value);
    else if (key === 'allOf') Object.assign(kept, unconditional(value as object[]));
  }
  return kept;
}

/** Members of an `allOf` that hold always: references and plain schemas, not `if`/`then`. */
function unconditional(members: readonly object[]): { allOf?: unknown[] } {
  const plain = members.filter((member) => !('if' in member) && !('not' in member)).map(expressible);
  return plain.length > 0 ? { allOf: plain } : {};
}
