import { type Schema, discriminated } from '../schemas/contract.ts';
import { readYaml } from '../schemas/read-yaml.ts';

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
