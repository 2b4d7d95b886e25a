import type { Schema } from './contract.ts';
import { readYaml } from './read-yaml.ts';

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let document: Document | undefined;

/**
 * The values of a closed set of the contract, such as `enumOf('PaymentRail')`.
 *
 * @throws Error when openapi.yaml has no such component, or it is no enumeration: a defect of Assay
 */
export function enumOf(component: string): readonly string[] {
  const values = componentOf(component)['enum'];
  if (!Array.isArray(values)) throw new Error(`openapi.yaml: ${component} is no enumeration`);
  return values as string[];
}

/**
 * The values of a set that may grow (`x-known-values`), or of members that no longer exist (`x-removed-values`).
 *
 * @throws Error when openapi.yaml has no such list: a defect of Assay
 */
export function listOf(component: string, keyword: 'x-known-values' | 'x-removed-values'): readonly string[] {
  const values = componentOf(component)[keyword];
  if (!Array.isArray(values)) throw new Error(`openapi.yaml: ${component} has no ${keyword}`);
  return values as string[];
}

/**
 * A bound of a property, such as `boundOf('TransferOutRequest', 'remittanceInformation', 'maxLength')`.
 *
 * @throws Error when openapi.yaml does not state it: a defect of Assay
 */
export function boundOf(component: string, property: string, keyword: string): number {
  const properties = componentOf(component)['properties'] as Readonly<Record<string, Schema>> | undefined;
  const bound = properties?.[property]?.[keyword];
  if (typeof bound !== 'number')
    throw new Error(`openapi.yaml: ${component}.${property} states no ${keyword}`);
  return bound;
}

/**
 * Names of the documented fields of a component.
 *
 * @throws Error when openapi.yaml has no such object: a defect of Assay
 */
export function fieldNames(component: string): readonly string[] {
  const properties = componentOf(component)['properties'] as Readonly<Record<string, Schema>> | undefined;
  if (!properties) throw new Error(`openapi.yaml: ${component} has no properties of its own`);
  return Object.keys(properties);
}

/** Least and greatest int64, exact. openapi.yaml carries them as `format: int64`, a JSON number cannot. */
export const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;

function componentOf(name: string): Schema {
  document ??= readYaml('openapi.yaml') as Document;
  const component = document.components.schemas[name];
  if (!component) throw new Error(`openapi.yaml has no component ${name}`);
  return component;
}
