import type { Schema } from './contract.ts';
import { readYaml } from './read-yaml.ts';

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
    const document = readYaml('openapi.yaml') as { components: { schemas: Record<string, Schema> } };
    const collected = new Set<string>();
    collect(document, document.components.schemas[component], collected, new Set());
    found.set(component, (rules = [...collected]));
  }
  return rules;
}

function collect(document: Node, node: unknown, rules: Set<string>, visited: Set<unknown>): void {
  if (typeof node !== 'object' || node === null || visited.has(node)) return;
  visited.add(node);
  const own = node as Node;
  if (typeof own['x-rule'] === 'string') rules.add(own['x-rule']);
  if (typeof own['$ref'] === 'string') collect(document, at(document, own['$ref']), rules, visited);
  for (const child of Object.values(own)) collect(document, child, rules, visited);
}

function at(document: Node, reference: string): unknown {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((node, step) => (node as Node | undefined)?.[step], document);
}
