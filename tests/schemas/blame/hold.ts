import { expect, test } from '@playwright/test';
import { loadContract, type Contract } from '../../../schemas/contract.ts';
import { Validator } from '../../../schemas/validator.ts';

/** What is wrong in words, the value, and the rules that must be blamed: none for a legal value. */
export type Case = readonly [what: string, value: unknown, ...rules: string[]];

const validator = new Validator();
const contract: Promise<Contract> = loadContract('Service');

/** Rules that are blamed when a value is held against a component, sorted. */
export async function blamed(component: string, value: unknown): Promise<readonly string[]> {
  const schema = (await contract).components.get(component);
  if (!schema) throw new Error(`no component ${component}`);
  const rules = validator.judge(schema, value).breaches.map((breach) => breach.rule ?? 'nobody');
  return [...new Set(rules)].sort();
}

/** One test a case: one mistake is one rule, and a legal value is nobody's. */
export function blames(component: string, cases: readonly Case[]): void {
  test.describe(component, () => {
    for (const [what, value, ...rules] of cases)
      test(`${what}: ${rules.join(', ') || 'fine'}`, async () =>
        expect(await blamed(component, value)).toEqual([...rules].sort()));
  });
}

/** Cases that leave a field out, or put the given values into it. */
export function fieldCases(
  object: object,
  rules: Readonly<Record<string, string>>,
  change: (object: object, field: string) => readonly (readonly [string, object])[],
): Case[] {
  return Object.entries(rules).flatMap(([field, rule]) =>
    change(object, field).map(([what, value]): Case => [`${field} ${what}`, value, rule]),
  );
}
