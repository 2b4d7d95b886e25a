import type fc from 'fast-check';
import { Unanswered, noteNamed, noteRead } from '../doubt/check.ts';
import { effortOf } from './run/sampling.ts';
import { walkThrough } from './survey.ts';

export { DEFAULT_SEED } from './run/sampling.ts';

const DEFAULT_RUNS = 20;
/** Fewer executions than this, or than were asked for, prove too little for a pass. */
const LEAST_RUNS = 5;
/** The rule is that of the check around it. */
const RULE = 'the rule of the check';

/**
 * Tries a property on generated inputs inside a `check`: a survey of one rule, which ends at the first input that breaks it.
 *
 * @param inputs a fast-check arbitrary
 * @param property throws an assertion error where the input shows the rule broken
 * @param options.runs inputs that are tried at standard depth; each costs at least one request
 * @throws CounterexampleFound with the smallest input, its seed and path
 * @throws Unanswered when the target gave no answer, or when too few inputs could be tried in time
 */
export async function explore<T>(
  inputs: fc.Arbitrary<T>,
  property: (input: T) => Promise<void>,
  { runs = DEFAULT_RUNS }: { readonly runs?: number } = {},
): Promise<void> {
  const effort = effortOf(runs);
  const { tried, broken, doubts, kept } = await walkThrough(
    inputs,
    (input, on) => on.hold(RULE, () => property(input)),
    effort,
    (result) => !result.broken && result.doubts.size === 0,
  );
  const [found, doubt] = [broken.get(RULE), doubts.get(RULE)];
  for (const answer of found?.about.evidence ?? kept.get(RULE) ?? []) noteRead(answer);
  if (found) throw found.error;
  // What the property was told about these answers it has settled already.
  for (const answer of kept.get(RULE) ?? []) noteNamed(answer);
  if (doubt) throw doubt.error;
  if (tried < Math.min(LEAST_RUNS, effort.runs) && process.env['REPLAY'] === undefined)
    throw new Unanswered(`only ${tried} inputs could be tried in ${effort.milliseconds} ms`);
}
