import type { Rule } from '../schemas/rules.ts';
import { findingsOf, type TestRecord } from './evidence.ts';
import { takeBack } from './take-back.ts';

/**
 * Takes back what only shows another breach once more: who sends no error code at all sends no particular one either. While
 * a rule is broken, nobody is accused of those that follow from it (`follows` in schemas/rules/); they stay open until it is
 * mended.
 */
export function withoutConsequences(
  tests: readonly TestRecord[],
  rules: readonly Rule[],
): readonly TestRecord[] {
  const broken = new Set(
    tests.flatMap(({ journal }) => (journal ? findingsOf(journal) : [])).map(({ rule }) => rule),
  );
  const causes = new Map(
    rules.flatMap(({ id, follows = [] }) => {
      const present = follows.filter((cause) => broken.has(cause));
      return present.length > 0 ? [[id, present.join(', ')] as const] : [];
    }),
  );
  if (causes.size === 0) return tests;
  return tests.map((test) =>
    takeBack(
      test,
      ({ rule, message, exchanges }) =>
        causes.has(rule)
          ? {
              rule,
              outcome: 'inconclusive',
              reason: `It may follow from the breach of ${causes.get(rule)}, and is judged when that is mended. Seen: ${message}`,
              exchanges,
              mend: `mend ${causes.get(rule)} first`,
            }
          : undefined,
      'What it found may follow from another breach.',
    ),
  );
}
