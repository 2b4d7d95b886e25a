import { isDeepStrictEqual } from 'node:util';
import { type Replacements, baseBehaviour } from '../../sandbox/areas/behaviour.ts';
import type { Behave, Fault } from '../../sandbox/faults/fault.ts';
import { faults } from '../../sandbox/faults/index.ts';

/**
 * A fault whose function gives the same outcome as the one it stands for, each time that a test has it called, cannot
 * change how this test ends. So the function of a fault is asked beside the original, where asking leaves no trace.
 */

/** Functions of the sandbox's behaviour that look and tell, and change nothing. By their verbs. */
const LOOKING =
  /^(?:present|refuse|is[A-Z]|may[A-Z]|has[A-Z]|needs|within|accept[A-Z]|read[A-Z]|check[A-Z]|identify|same[A-Z]|listed|sessionIs|sessionBelongs|credentialIs|customerIs|requestIs|requestFits|codeIs|stampVerifies|quoteExpired|permissionGranted|policyOf|purposeGiven|chooseRail|transferAmount|transactionOf|reasonOf|quoteOf|detailsOf|finishReply|contentType|requestSchema|clientKeyFits|typeFits|passkeyNickname|agentMay|feeInForce|paymentNeeds)/;
/** What a function does that keeps something: then asking it twice is not asking it once. */
const KEEPING =
  /new (?:Map|Set|WeakMap|WeakSet)\b|\blet |\+\+|[\w\])]\s*(?:[-+]|\?\?|\|\|)?=(?!=)|\bdelete |\bObject\.(?:assign|define)|\.(?:set|put|add|push|delete|post|splice|sort|reverse|advance)\(|\basync\b|\bawait\b/;

/** A fault that is asked calls a function which may leave a trace: it is not asked on. */
class LeavesTraces extends Error {}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Keeps a schema that it has made, which makes no difference. */
const REMEMBERING = 'requestSchema';

function isLooking(name: string): boolean {
  return LOOKING.test(name);
}

/** Whether the function that a fault puts in place of this one may be asked beside it. */
function canBeAsked(fault: Fault, name: string): boolean {
  if (name === REMEMBERING) return true;
  return isLooking(name) && !KEEPING.test(withoutDeclarations(replacementIn(fault, name).toString()));
}

/** `const` binds, and keeps nothing. */
function withoutDeclarations(source: string): string {
  return source.replace(/\bconst (?:[\w$]+|\{[^}]*\}|\[[^\]]*\])\s*=/g, '').replace(/=>/g, '');
}

/**
 * Whether the function of a fault gives another outcome than the original did.
 *
 * @param given what the original gave for these arguments
 */
export function differs(
  fault: Fault,
  name: string,
  original: Behave,
  args: readonly unknown[],
  given: Outcome,
): boolean {
  const remembered: Behave = (...asked) => {
    const isSame = asked.length === args.length && asked.every((arg, index) => arg === args[index]);
    if (!isSame) return original(...asked);
    if ('error' in given) throw given.error;
    return given.value;
  };
  const outcome = outcomeOf(() => replacementIn(fault, name)(remembered)(...args));
  if ('error' in outcome && outcome.error instanceof LeavesTraces) return true;
  if ('error' in given) return !('error' in outcome) || !isDeepStrictEqual(given.error, outcome.error);
  return (
    'error' in outcome || outcome.value instanceof Promise || !isDeepStrictEqual(given.value, outcome.value)
  );
}

/** What a call gives or throws. */
export function outcomeOf(call: () => unknown): Outcome {
  try {
    return { value: call() };
  } catch (error) {
    return { error };
  }
}

/** What an outcome was, again. */
function resume(outcome: Outcome): unknown {
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

function replacementIn(fault: Fault, name: string): (original: Behave) => Behave {
  return (fault.replace as Readonly<Record<string, (original: Behave) => Behave>>)[name]!;
}

/** What the requests of one test reach. */
interface Reached {
  /** Faults that may have made a difference: their function was called, and gave another outcome where it could be asked. */
  readonly faults: ReadonlySet<string>;
}

const byFunction = new Map<string, readonly { fault: Fault; canBeAsked: boolean }[]>();
for (const fault of faults)
  for (const name of Object.keys(fault.replace))
    byFunction.set(name, [...(byFunction.get(name) ?? []), { fault, canBeAsked: canBeAsked(fault, name) }]);

/** Replacements that change nothing and note what is called: for a world that one test has for itself. */
export function watching(): { readonly replace: Replacements; readonly reached: Reached } {
  const met = new Set<string>();
  // What is called while a fault is asked is nothing that the test has reached.
  let isAsking = false;
  const watch = (name: string, original: Behave): Behave => {
    const planted = byFunction.get(name) ?? [];
    return (...args) => {
      if (isAsking) {
        if (!isLooking(name)) throw new LeavesTraces();
        return original(...args);
      }
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
    Object.keys(baseBehaviour).map((name) => [name, (original: Behave) => watch(name, original)]),
  );
  return { replace: replace as Replacements, reached: { faults: met } };
}

function isPromise(outcome: object): boolean {
  return 'value' in outcome && outcome.value instanceof Promise;
}
