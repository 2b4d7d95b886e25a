import type { Contract, Operation, Schema } from '../../schemas/contract.ts';
import { isObject } from '../../schemas/json.ts';

/** A documented object found in an answer whose shape the interface does not show. */
export interface Recognised {
  readonly schema: Schema;
  readonly value: unknown;
  readonly pointer: string;
  /** A list may show its records in short: what an element leaves out accuses nobody. */
  readonly inShort?: boolean;
}

/** Elements of a list beyond these are not looked at: they are made by the same code. */
const MOST_ELEMENTS = 100;

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
  return operation.mayList.flatMap((component) => listed(contract.components.get(component), body['data']));
}

/** Elements of a list that say by their id what they are. */
function listed(schema: Schema | undefined, data: unknown): readonly Recognised[] {
  if (!schema || !Array.isArray(data)) return [];
  const type = String(schema['x-resource-type']);
  return data
    .slice(0, MOST_ELEMENTS)
    .map((value: unknown, index) => ({ schema, value, pointer: `/data/${index}`, inShort: true }))
    .filter(({ value }) => isObject(value) && String(value['id']).startsWith(`${type}:`));
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
