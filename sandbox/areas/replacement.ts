import { inlined, type Schema } from '../server/contract-schemas.ts';
import { baseRules, type RuleSet } from './rules.ts';

/** Rule functions to put in place of others; each gets the one it replaces. */
export type Replacements = { readonly [Name in keyof RuleSet]?: (original: RuleSet[Name]) => RuleSet[Name] };

/** The base rules with each set of replacements wrapped around what came before it. */
export function rulesWith(sets: readonly Replacements[]): RuleSet {
  const rules: Record<string, unknown> = { ...baseRules };
  for (const set of sets) {
    for (const [name, replace] of Object.entries(set)) {
      rules[name] = (replace as (original: unknown) => unknown)(rules[name]);
    }
  }
  return rules as RuleSet;
}

/** A schema that can be taken apart: properties by name. */
export interface LooseSchema {
  [keyword: string]: unknown;
  required?: string[];
  properties: Record<string, LooseSchema>;
}

/** Request bodies held against another schema than the contract's. */
export function loosened(
  component: string,
  change: (schema: LooseSchema) => void,
): NonNullable<Replacements['requestSchema']> {
  return (original) => {
    let changed: Schema | undefined;
    return (world, name) => {
      if (name !== component) return original(world, name);
      if (!changed) {
        const copy = structuredClone(inlined(original(world, name))) as LooseSchema;
        change(copy);
        changed = copy;
      }
      return changed;
    };
  };
}

/** A transfer-out body held against another schema than the contract's. */
export const transferSchema = (
  change: (schema: LooseSchema) => void,
): NonNullable<Replacements['requestSchema']> => loosened('TransferOutRequest', change);

/** Whatever was asked of this property is asked no more. */
export function anything(schema: LooseSchema, name: string): void {
  schema.required = schema.required?.filter((required) => required !== name) ?? [];
  schema.properties[name] = { properties: {} };
}
