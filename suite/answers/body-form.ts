import type { Exchange } from '../../client/http/http-client.ts';
import { parsedOrNothing } from '../../schemas/json.ts';
import type { DialectAssumption } from '../../target/dialect/keys.ts';

/** Fields whose values make another variant of a body: kinds and types, factors, currencies, the side that is locked. */
const TELLS_VARIANT = /(?:type|kind|factor|currency|side)$/i;

/**
 * The part of the dialect that a request stood on: the body of its operation, in this variant. What one variant has shown
 * (a source kind, a factor, a type) says nothing of how another is written.
 *
 * @param operation id in openapi.yaml
 */
export function variantSent(operation: string, { request }: Exchange): DialectAssumption {
  return `bodies.${operation} ${formOf(parsedOrNothing(request.body))}`;
}

function formOf(value: unknown): string {
  if (Array.isArray(value)) return '[]';
  if (typeof value !== 'object' || value === null) return '';
  const fields = Object.entries(value).map(([name, inner]) =>
    TELLS_VARIANT.test(name) && typeof inner === 'string' ? `${name}=${inner}` : `${name}${formOf(inner)}`,
  );
  return `{${fields.sort().join()}}`;
}
