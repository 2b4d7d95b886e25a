import type { TestDetails } from '@playwright/test';
import { type Rule, ruleOf } from '../schemas/rules.ts';
import { depthOf } from '../target/environment-variables.ts';

const RULE_ANNOTATION = 'rule';

/** Tag of a test that shows nothing which enough tests before it do not show: `DEPTH=quick` leaves it out. */
export const AGAIN_TAG = '@again';
/** How many tests of a rule are enough. */
const ENOUGH = 2;
const timesNamed = new Map<string, number>();

/**
 * Names the rules that a test can verify, as tags (`-g RULE-ID`), annotations and Allure labels.
 *
 * @throws Error for an id that schemas/rules/ does not have
 */
export function verifies(...ids: readonly string[]): TestDetails {
  const rules = [...new Set(ids)].map(ruleOf);
  const first = rules[0];
  if (!first) throw new Error('verifies() needs a rule');
  return {
    tag: [
      ...rules.map((rule) => `@${rule.id}`),
      ...(depthOf() === 'quick' && isAgain(rules) ? [AGAIN_TAG] : []),
    ],
    annotation: [
      ...rules.map((rule) => ({ type: RULE_ANNOTATION, description: rule.id })),
      { type: 'allure.label.epic', description: first.area },
      { type: 'allure.label.feature', description: first.section },
      { type: 'allure.label.story', description: first.statement },
      // Allure makes links of these, to the rules on our own page.
      ...rules.map((rule) => ({ type: 'tms', description: rule.id })),
      {
        type: 'allure.label.severity',
        description: rules.some((rule) => rule.level === 'MUST') ? 'critical' : 'normal',
      },
    ],
  };
}

/** The files are read one after the other, in the order of their names, so a run leaves out the same tests each time. */
function isAgain(rules: readonly Rule[]): boolean {
  const named = rules.map(({ id }) => timesNamed.get(id) ?? 0);
  for (const [at, { id }] of rules.entries()) timesNamed.set(id, named[at]! + 1);
  return named.every((times) => times >= ENOUGH);
}

/** Ids of the rules that a test named with `verifies`. */
export function rulesNamedBy(
  annotations: readonly { type: string; description?: string }[],
): readonly string[] {
  return annotations.filter((one) => one.type === RULE_ANNOTATION).map((one) => one.description ?? '');
}
