import { baseRules, type Rules } from '../rules/index.ts';

/** Rule functions to put in place of others; each gets the one it replaces. */
export type Replacements = { readonly [Name in keyof Rules]?: (original: Rules[Name]) => Rules[Name] };

/** The base rules with each set of replacements wrapped around what came before it. */
export function rulesWith(sets: readonly Replacements[]): Rules {
  const rules: Record<string, unknown> = { ...baseRules };
  for (const set of sets) {
    for (const [name, replace] of Object.entries(set)) {
      rules[name] = (replace as (original: unknown) => unknown)(rules[name]);
    }
  }
  return rules as Rules;
}
