import { type Replacements, baseRules } from '../../sandbox/areas/rules.ts';
import { faults } from '../../sandbox/faults/index.ts';
import type { Fault } from '../../sandbox/faults/fault.ts';
import { canBeAsked, differs, isLooking, LeavesTraces, outcomeOf, resume } from './beside.ts';

type Rule = (...args: unknown[]) => unknown;

/** What the requests of one test reach. */
export interface Reached {
  /** Rules of the sandbox that were called. */
  readonly rules: ReadonlySet<string>;
  /** Faults that may have made a difference: their function was called, and gave another outcome where it could be asked. */
  readonly faults: ReadonlySet<string>;
}

const byRule = new Map<string, readonly { fault: Fault; canBeAsked: boolean }[]>();
for (const fault of faults)
  for (const rule of Object.keys(fault.replace))
    byRule.set(rule, [...(byRule.get(rule) ?? []), { fault, canBeAsked: canBeAsked(fault, rule) }]);

/** Replacements that change nothing and note what is called: for a world that one test has for itself. */
export function watching(): { readonly replace: Replacements; readonly reached: Reached } {
  const rules = new Set<string>();
  const met = new Set<string>();
  // What is called while a fault is asked is nothing that the test has reached.
  let isAsking = false;
  const watch = (name: string, original: Rule): Rule => {
    const planted = byRule.get(name) ?? [];
    return (...args) => {
      if (isAsking) {
        if (!isLooking(name)) throw new LeavesTraces();
        return original(...args);
      }
      rules.add(name);
      const open = planted.filter(({ fault }) => !met.has(fault.name));
      if (open.length === 0) return original(...args);
      const outcome = outcomeOf(() => original(...args));
      for (const { fault, canBeAsked } of open) {
        isAsking = true;
        try {
          if (!canBeAsked || isPromise(outcome) || differs(fault, name, original, args, outcome))
            met.add(fault.name);
        } finally {
          isAsking = false;
        }
      }
      return resume(outcome);
    };
  };
  const replace = Object.fromEntries(
    Object.keys(baseRules).map((name) => [name, (original: Rule) => watch(name, original)]),
  );
  return { replace: replace as Replacements, reached: { rules, faults: met } };
}

function isPromise(outcome: object): boolean {
  return 'value' in outcome && outcome.value instanceof Promise;
}
