import type { Contract, Operation, Schema } from '../schemas/contract.ts';

/** A documented object found in an answer whose shape the interface does not show. */
export interface Recognised {
  readonly schema: Schema;
  readonly value: unknown;
  readonly pointer: string;
}

/**
 * Finds the object that an operation is said to return, in an answer of open shape: the body itself or one property of
 * it. It is held to the object's table only when it carries most of the required fields: a service is free to answer
 * with a summary, or with something else, where the shape is not shown.
 */
export function recognise(contract: Contract, operation: Operation, body: unknown): readonly Recognised[] {
  if (!isObject(body)) return [];
  const places: [string, unknown][] = [
    ['', body],
    ...Object.entries(body).map(([key, value]): [string, unknown] => [`/${key}`, value]),
  ];
  for (const component of operation.mayReturn) {
    const schema = contract.components.get(component);
    const place = schema && places.find(([, value]) => isWhole(schema, value));
    if (schema && place) return [{ schema, value: place[1], pointer: place[0] }];
  }
  return [];
}

function isWhole(schema: Schema, value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id } = value;
  const type = schema['x-resource-type'];
  const ofAnotherType =
    typeof id === 'string' && id.includes(':') && typeof type === 'string' && !id.startsWith(`${type}:`);
  if (ofAnotherType && /^[A-Z]\w+:/.test(id)) return false;
  const required = (schema['required'] as readonly string[] | undefined) ?? [];
  const present = required.filter((name) => name in value).length;
  return required.length > 0 && present * 2 > required.length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
