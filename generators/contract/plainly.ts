import type { Schema } from '../../schemas/contract.ts';
import { resolved } from '../component-schema.ts';
import { fits } from './fits.ts';

/**
 * A schema as it applies to one value, in plain keywords: references resolved, `allOf` merged, the branch of `if` and of
 * `oneOf` or `anyOf` that the value takes. Conditions on a sibling, such as the type of a credential, are gone afterwards.
 */
export function plainly(schema: Schema, value: unknown): Schema {
  const { allOf, if: condition, then, else: otherwise, oneOf, anyOf, ...own } = resolved(schema);
  const parts: Schema[] = [own];
  for (const part of (allOf as Schema[] | undefined) ?? []) parts.push(plainly(part, value));
  if (condition !== undefined) {
    const branch = (fits(condition as Schema, value) ? then : otherwise) as Schema | undefined;
    if (branch) parts.push(plainly(branch, value));
  }
  for (const choices of [oneOf, anyOf] as (Schema[] | undefined)[]) {
    const taken = choices?.find((choice) => fits(choice, value));
    if (taken) parts.push(plainly(taken, value));
  }
  return parts.reduce(merged);
}

/** Two schemas that both hold. Where both say something of one keyword, the later one is the narrower. */
function merged(one: Schema, other: Schema): Schema {
  const properties = (schema: Schema) => (schema['properties'] as Record<string, Schema> | undefined) ?? {};
  const required = (schema: Schema) => (schema['required'] as string[] | undefined) ?? [];
  const names = new Set([...Object.keys(properties(one)), ...Object.keys(properties(other))]);
  const both = [...names].map((name): [string, Schema] => {
    const [a, b] = [properties(one)[name], properties(other)[name]];
    return [name, a && b ? { allOf: [a, b] } : ((a ?? b) as Schema)];
  });
  return {
    ...one,
    ...other,
    ...(names.size > 0 ? { properties: Object.fromEntries(both) } : {}),
    ...(required(one).length + required(other).length > 0
      ? { required: [...new Set([...required(one), ...required(other)])] }
      : {}),
  };
}
