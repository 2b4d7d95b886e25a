import type { Schema } from '../../schemas/contract.ts';

/**
 * The narrowest plain schema of a value: every field there is, with the JSON type that it has. For requests whose shape the
 * interface does not show, the body of a prepared state is all that is known of them.
 */
export function schemaByExample(value: unknown): Schema {
  if (value === null || value === undefined) return {};
  if (Array.isArray(value)) return { type: 'array' };
  if (typeof value === 'object')
    return {
      type: 'object',
      required: Object.keys(value),
      properties: Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, schemaByExample(inner)]),
      ),
    };
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value };
}
