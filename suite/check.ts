import { stripVTControlCharacters } from 'node:util';
import { test } from '@playwright/test';
import type { JournalWriter } from '../journal/journal-writer.ts';
import { assertQuestion, ruleOf } from '../schemas/rules.ts';
import type { DialectAssumption } from '../target/dialect/keys.ts';
import type { Answer } from './answers/answer.ts';
import { CounterexampleFound, Reads } from '../doubt/check.ts';
import type { Witness } from '../doubt/answer.ts';
import { cameAtOnce } from './eventually.ts';
import { GivenUp } from './need.ts';
import { calledFrom } from './answers/called-from.ts';

/**
 * Shows one rule kept or broken. A failing assertion blames this rule alone and the test goes on.
 *
 * @param rule id from schemas/rules/, named by the test's `verifies`
 * @param run assertions over answers; it must look at one at least, or name its `evidence`
 * @param about the evidence, or what else the check stands on
 * @returns true when the rule was kept: later checks that stand on it may be left out
 */
export type Check = (
  rule: string,
  run: () => unknown,
  about?: readonly Witness[] | CheckContext,
) => Promise<boolean>;

/** What a check stands on beside the answers that it looks at. */
export interface CheckContext {
  /** Answers that show the result, where the assertions look at none. */
  readonly evidence?: readonly Witness[];
  /**
   * Keys of the dialect (target/dialect): what the interface does not show, and the request had to choose all the same.
   * A refusal accuses only a target that is known to speak them.
   */
  readonly assumes?: readonly DialectAssumption[];
}

/** What a check stands on where the text names no time for what it asks: that all patience was had with it. */
export function inTime(...evidence: readonly Witness[]): CheckContext {
  return { evidence, assumes: ['effectSeconds'] };
}

/** What the text names no time for: only the profile says how long it may take. */
const TIMES: ReadonlySet<string> = new Set(['effectSeconds', 'eventSeconds']);

/** @param isRepeat the test runs for the second time, having failed or met trouble before */
export function makeCheck(journal: JournalWriter, isRepeat: boolean): Check {
  /** Rules that may take their time, and were seen to be kept at once: where one is not kept later, that is not for want of time. */
  const quick = new Set<string>();
  return async (rule, run, about = []) => {
    const line = calledFrom();
    const { evidence = [], assumes = [] }: CheckContext = 'length' in about ? { evidence: about } : about;
    const { statement } = ruleOf(rule);
    if (!journal.rules.includes(rule))
      throw new Error(`check('${rule}') is not named by verifies() of its test`);
    const reads = new Reads(evidence);
    const step = () =>
      test.step(
        `${rule} · ${statement}`,
        () =>
          masked(
            async () => {
              await run();
              reads.assertNoFault();
            },
            (text) => journal.mask(text),
          ),
        { box: true },
      );
    // A preparation or a condition within the check has ended the test already.
    const isEnd = (error: Error) => error instanceof GivenUp || testIsSkipped();
    const { doubt, broken, other } = await reads.judge(step, { isRepeat, isEnd });
    if (other && isEnd(other)) throw other;
    const exchanges = reads.answers.map((answer) => answer.id);
    const mistake =
      other ??
      (doubt || broken || exchanges.length > 0
        ? undefined
        : new Error(`check('${rule}') looked at no answer, so it proves nothing`));
    if (mistake) {
      journal.engineError(mistake);
      const reason = `engine error: ${journal.mask(mistake.message)}`;
      journal.check({ rule, outcome: 'inconclusive', reason, exchanges });
    } else if (doubt) {
      const { reason, trouble } = doubt;
      if (trouble) journal.meetTrouble(reason);
      const about = { reason: journal.mask(reason), exchanges, ...(trouble ? { trouble } : {}) };
      journal.check({ rule, outcome: 'inconclusive', ...about });
    } else if (broken) {
      const guesses = quick.has(rule) ? assumes.filter((key) => !TIMES.has(key)) : assumes;
      accuse(journal, { rule, reads, error: broken, assumes: guesses, line: line() });
    } else {
      if (cameAtOnce() && assumes.some((key) => TIMES.has(key))) quick.add(rule);
      journal.check({ rule, outcome: 'passed', exchanges });
      journal.speaks(assumes);
      return true;
    }
    return false;
  };
}

/** Other reporters show the step's error as it is thrown. */
async function masked(run: () => unknown, mask: (text: string) => string): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Error) {
      error.message = mask(error.message);
      if (error.stack !== undefined) error.stack = mask(error.stack);
    }
    throw error;
  }
}

function testIsSkipped(): boolean {
  return test.info().expectedStatus === 'skipped';
}

/** A check that failed: what it expected and saw, where, and with what it can be repeated. */
interface Broken {
  readonly rule: string;
  readonly reads: Reads;
  readonly error: Error;
  readonly assumes: readonly DialectAssumption[];
  readonly line: string | undefined;
}

function accuse(journal: JournalWriter, { rule, reads, error, assumes, line }: Broken): void {
  const exchanges = reads.answers.map((answer) => answer.id);
  const message = journal.mask(plain(error));
  const counterexample =
    error instanceof CounterexampleFound
      ? { ...error.counterexample, input: journal.mask(error.counterexample.input) }
      : undefined;
  const momentary = reads.momentary();
  const trouble = momentary && `"${momentary.label}" was answered ${momentary.trouble?.what}`;
  if (trouble !== undefined) journal.meetTrouble(trouble);
  journal.check({ rule, outcome: 'failed', reason: message, exchanges });
  journal.find({
    rule,
    place: rule,
    message,
    exchanges,
    ...(counterexample ? { counterexample } : {}),
    ...(trouble === undefined ? {} : { trouble: journal.mask(trouble) }),
    ...(momentary?.isFault && momentary.operation ? { faultOf: momentary.operation.id } : {}),
    ...(assumes.length > 0 ? { assumes } : {}),
    looked: reads.looked(),
    ...(line === undefined ? {} : { line }),
  });
}

function plain(error: Error): string {
  return stripVTControlCharacters(error.message)
    .replace(/\n\s*\n/g, '\n')
    .trim();
}

/**
 * Records what the target does where the interface is silent. Never a verdict.
 *
 * @param question id from observations.yaml
 * @param answer short text or small JSON value; an Answer stands for its status and code
 */
export type Observe = (question: string, answer: unknown, ...evidence: readonly Answer[]) => void;

export function makeObserve(journal: JournalWriter, isAnswer: (value: unknown) => value is Answer): Observe {
  return (question, answer, ...evidence) => {
    assertQuestion(question);
    const from = isAnswer(answer) ? [answer, ...evidence] : evidence;
    journal.observe({
      question,
      answer: isAnswer(answer) ? summary(answer) : answer,
      exchanges: from.map((one) => one.id),
    });
  };
}

function summary(answer: Answer): string {
  const code = answer.exchange.response ? answer.code : undefined;
  return code === undefined ? answer.outcome : `${answer.outcome} ${code}`;
}
