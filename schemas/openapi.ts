import type { FaultRule, Schema } from './contract.ts';
import { readYaml } from './read-yaml.ts';

/** Single statements of openapi.yaml, for whoever needs no more of the contract than that. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface RawOperation {
  readonly operationId?: string;
  readonly 'x-fault-rule'?: FaultRule;
  readonly 'x-source'?: string;
}

/** Read once per process. */
const openapi = () => readYaml('openapi.yaml') as Document;

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
  const component = openapi().components.schemas[name];
  if (!component) throw new Error(`openapi.yaml has no component ${name}`);
  return component;
}

/** Ids of every operation of the contract, in the order of openapi.yaml. */
export function operationIds(): readonly string[] {
  return operations().map(({ id }) => id);
}

/** Path templates of the operations whose path the interface does not give, by id. */
export function unshownPaths(): ReadonlyMap<string, string> {
  return new Map(
    operations()
      .filter(({ factsOnly }) => factsOnly)
      .map(({ id, path }) => [id, path]),
  );
}

/** Rules that are blamed for a fault of the service, by the id of the operation. */
export function faultRules(): ReadonlyMap<string, FaultRule> {
  const all = Object.values(openapi().paths).flatMap((item) => Object.values(item));
  return new Map(
    all.flatMap(({ operationId, 'x-fault-rule': rule }) =>
      operationId && rule ? [[operationId, rule]] : [],
    ),
  );
}

function operations() {
  return Object.entries(openapi().paths).flatMap(([path, item]) =>
    Object.values(item).flatMap(({ operationId, 'x-source': source }) =>
      operationId === undefined ? [] : [{ id: operationId, path, factsOnly: source === 'facts' }],
    ),
  );
}

type Node = { readonly [key: string]: unknown };

const found = new Map<string, readonly string[]>();

/**
 * Ids of the rules that openapi.yaml attaches to a component and to what it is made of, in the order of the document.
 *
 * @param component name below components/schemas
 */
export function shapeRules(component: string): readonly string[] {
  let rules = found.get(component);
  if (!rules) {
    const document = openapi();
    const collected = new Set<string>();
    collect(document, document.components.schemas[component], collected, new Set());
    found.set(component, (rules = [...collected]));
  }
  return rules;
}

function collect(document: Document, node: unknown, rules: Set<string>, visited: Set<unknown>): void {
  if (typeof node !== 'object' || node === null || visited.has(node)) return;
  visited.add(node);
  const own = node as Node;
  if (typeof own['x-rule'] === 'string') rules.add(own['x-rule']);
  if (typeof own['$ref'] === 'string') collect(document, at(document, own['$ref']), rules, visited);
  for (const child of Object.values(own)) collect(document, child, rules, visited);
}

function at(document: Document, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, step) => (node as Node | undefined)?.[step], document);
}
