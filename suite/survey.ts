import { test as base } from '@playwright/test';
import fc from 'fast-check';
import type { Witness } from '../doubt/answer.ts';
import type { Answer } from './answers/answer.ts';
import type { DialectAssumption } from '../target/dialect/keys.ts';
import type { Check, CheckContext } from './check.ts';
import { type Inputs, type Origin, effortOf, repeatCommand, shrink, tryInputs } from './run/sampling.ts';
import { needThat, type Need } from './need.ts';
import { Unanswered, CounterexampleFound, noteNamed, Reads } from '../doubt/check.ts';

/** So many answers stand in the report as evidence of a rule that was kept, however many inputs there were. */
const EVIDENCE = 12;

const USUAL_RUNS = 20;
/** Standard depth tries every value of a list that is no longer than this. */
const WHOLE_LIST = 400;
/** What was listed by hand is tried whole at any depth. */
const SHORT_LIST = 12;

/** One walk through the target, made from one generated input. */
export interface Walk {
  /**
   * Shows one rule kept or broken, as `check` does; what breaks ends this walk.
   *
   * @param about answers that show the result, where the assertions look at none; or what else the rule stands on
   */
  hold(rule: string, assertion: () => unknown, about?: readonly Witness[] | CheckContext): Promise<void>;
  /** Notes an answer for the story of the walk. @returns the same */
  told<A extends Answer>(answer: A): A;
  /** The conditions of a test: where one fails, this walk alone ends, and accuses nobody. */
  readonly need: Need;
}

interface SurveyOptions {
  /** Inputs that are tried at standard depth; of a list, all unless given. */
  readonly runs?: number;
}

class WalkOver extends Error {}
class Broken extends Error {
  readonly rule: string;
  readonly answers: readonly Witness[];
  readonly assumes: readonly DialectAssumption[];
  constructor(rule: string, message: string, answers: readonly Witness[], about: CheckContext) {
    super(message);
    this.rule = rule;
    this.answers = answers;
    this.assumes = about.assumes ?? [];
  }
}

/** What one walk came to. */
interface Result {
  readonly kept: ReadonlyMap<string, readonly Witness[]>;
  readonly doubts: ReadonlyMap<string, Doubted>;
  readonly broken: Broken | undefined;
  readonly story: readonly Answer[];
}

interface Doubted {
  readonly error: Error;
  readonly answers: readonly Witness[];
}

/** What all walks came to, by rule. A rule that was broken or is in doubt was not kept. */
interface Findings {
  readonly tried: number;
  readonly kept: ReadonlyMap<string, readonly Witness[]>;
  readonly doubts: ReadonlyMap<string, Doubted>;
  /** The smallest input that breaks the rule, and what shows it. */
  readonly broken: ReadonlyMap<
    string,
    { readonly error: CounterexampleFound; readonly about: Required<CheckContext> }
  >;
}

/**
 * Walks through the target on generated inputs, several at once, holding many rules on the way. Each rule that was held is
 * then checked by itself: kept, in doubt, or broken, with the smallest input that breaks this very rule and the story of it.
 * A rule that no walk came to is not checked. Walks must not depend on each other: shrinking repeats them on fresh records.
 */
export async function survey<T>(
  check: Check,
  inputs: Inputs<T>,
  walk: (input: T, on: Walk) => Promise<void>,
  { runs = Array.isArray(inputs) ? Math.min(inputs.length, WHOLE_LIST) : USUAL_RUNS }: SurveyOptions = {},
): Promise<void> {
  const effort = effortOf(runs, Array.isArray(inputs) ? SHORT_LIST : undefined);
  const { broken, doubts, kept } = await walkThrough(inputs, walk, effort, () => true);
  for (const [rule, { error, about }] of broken) await check(rule, () => Promise.reject(error), about);
  for (const [rule, { error, answers }] of doubts) await check(rule, () => Promise.reject(error), answers);
  for (const [rule, answers] of kept)
    // What the walks were told about these answers they have settled already.
    await check(rule, () => answers.forEach(noteNamed), answers);
}

/** @param goesOn whether there is more to try after a walk that came to this */
export async function walkThrough<T>(
  inputs: Inputs<T>,
  walk: (input: T, on: Walk) => Promise<void>,
  effort: ReturnType<typeof effortOf>,
  goesOn: (result: Result) => boolean,
): Promise<Findings> {
  const kept = new Map<string, Witness[]>();
  const doubts = new Map<string, Doubted>();
  const breaking = new Map<string, { input: T; origin: Origin; result: Result }>();
  const tried = await tryInputs(inputs, effort, async (input, origin) => {
    const result = await walked(walk, input);
    for (const [rule, answers] of result.kept)
      kept.set(rule, [...(kept.get(rule) ?? []), ...answers].slice(-EVIDENCE));
    for (const [rule, doubt] of result.doubts) doubts.set(rule, doubt);
    const rule = result.broken?.rule;
    const before = rule === undefined ? undefined : breaking.get(rule);
    if (rule !== undefined && (!before || Number(before.origin.path) > Number(origin.path)))
      breaking.set(rule, { input, origin, result });
    return goesOn(result);
  });
  const broken = new Map<string, { error: CounterexampleFound; about: Required<CheckContext> }>();
  for (const [rule, found] of breaking) {
    let last = found;
    const fails = async (input: T) => {
      const result = await walked(walk, input);
      if (result.broken?.rule === rule) last = { ...found, input, result };
      return result.broken?.rule === rule;
    };
    const shrunk = await shrink(inputs, found.origin, fails, effort.shrinking / breaking.size);
    const origin = shrunk?.origin ?? found.origin;
    const input = fc.stringify(last.input);
    const { story, broken: breach } = last.result;
    const steps = story.length > 0 ? told(story) : [`Smallest input: ${input}`];
    const error = new CounterexampleFound(
      [breach?.message, ...steps, `To repeat it: ${repeatCommand(origin)}`].join('\n'),
      { ...origin, input, runs: tried + (shrunk?.tried ?? 0) },
    );
    const evidence = [...new Set([...story.slice(-EVIDENCE), ...(breach?.answers ?? [])])];
    broken.set(rule, { error, about: { evidence, assumes: breach?.assumes ?? [] } });
    doubts.delete(rule);
  }
  for (const rule of [...broken.keys(), ...doubts.keys()]) kept.delete(rule);
  return { tried, kept, doubts, broken };
}

async function walked<T>(walk: (input: T, on: Walk) => Promise<void>, input: T): Promise<Result> {
  const kept = new Map<string, readonly Witness[]>();
  const doubts = new Map<string, Doubted>();
  const story: Answer[] = [];
  const isRepeat = base.info().retry > 0;
  const isEnd = (error: Error) => fc.PreconditionFailure.isFailure(error);
  const on: Walk = {
    need: needThat({
      stop: (_kind, reason) => {
        throw new WalkOver(reason);
      },
    }),
    told: (answer) => {
      story.push(answer);
      return answer;
    },
    async hold(rule, assertion, about = []) {
      const context: CheckContext = 'length' in about ? { evidence: about } : about;
      const reads = new Reads(context.evidence);
      const { doubt, broken, other } = await reads.judge(assertion, { isRepeat, isEnd });
      if (other) throw other;
      if (broken) throw new Broken(rule, broken.message, reads.answers, context);
      if (doubt) {
        const error = new Unanswered(doubt.reason);
        doubts.set(rule, { error, answers: reads.answers });
        throw new WalkOver(error.message);
      }
      kept.set(rule, [...(kept.get(rule) ?? []), ...reads.answers].slice(-EVIDENCE));
    },
  };
  try {
    await walk(input, on);
  } catch (error) {
    if (error instanceof Broken) return { kept, doubts, broken: error, story };
    if (!(error instanceof WalkOver) && !fc.PreconditionFailure.isFailure(error)) throw error;
  }
  return { kept, doubts, broken: undefined, story };
}

/** The steps as a reader tells them. */
function told(story: readonly Answer[]): readonly string[] {
  return story.map(({ label, outcome }, at) => `${at + 1}. ${label}: ${outcome}`);
}
