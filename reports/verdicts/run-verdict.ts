/**
 * The one place where the verdict of a run is reached, with the one sentence that explains it. A run is green only for
 * what it has shown: a MUST rule that is open, and that nobody has accepted, makes it incomplete.
 */
import type { GoneAway } from '../../journal/types.ts';
import type { Gate, RuleReport, RunVerdict } from './model.ts';
import { isBreach, isOpen, totalsOf, applicable } from './totals.ts';
import { are, count, firstOf } from '../write/sentences.ts';

export interface RunCase {
  readonly rules: readonly Pick<
    RuleReport,
    'id' | 'level' | 'verdict' | 'excluded' | 'accepted' | 'inScope'
  >[];
  readonly gate: Gate;
  readonly usageError?: string;
  /** Errors of the suite itself. */
  readonly engineErrors: readonly string[];
  /** Tests that were chosen but never ran to their end. */
  readonly didNotRun: number;
  /** The run was ended before its last test, as one sentence. */
  readonly ended?: string;
  /** The target stopped answering in the middle of the run. */
  readonly gone?: GoneAway;
  /** Entries of the list of known failures that say what is not so, each as one sentence. */
  readonly staleKnown?: readonly string[];
  /** Rules that the last complete run verified, and this one does not. */
  readonly noLongerVerified?: readonly string[];
}

export const EXIT_CODES: Readonly<Record<RunVerdict, 0 | 1 | 2>> = {
  conforming: 0,
  violated: 1,
  incomplete: 2,
  'not judged': 2,
};

/** A sentence with more names than this is read by nobody; the comparison has them all. */
const RULES_NAMED = 12;

export const DEFAULT_GATE: Gate = { should: 'allow' };

/** The verdict of the run, and why. */
export function runVerdict(run: RunCase): { readonly verdict: RunVerdict; readonly because: string } {
  if (run.usageError !== undefined) return { verdict: 'not judged', because: run.usageError };
  const must = totalsOf(run.rules.filter((rule) => rule.level === 'MUST'));
  const should = totalsOf(run.rules.filter((rule) => rule.level === 'SHOULD'));
  const total = applicable(must);
  const isPart = run.rules.some((rule) => rule.inScope === false);
  const all = `${count(total, 'MUST rule')} ${isPart ? 'of this part' : total === 1 ? 'that applies' : 'that apply'}`;
  const standing = `${must.verified} of the ${all} ${are(must.verified)} verified`;
  const rest = restOf(must);

  if (must.violated > 0) {
    const among = `${must.violated} of the ${all} ${are(must.violated)} violated`;
    const others = [`${must.verified} ${are(must.verified)} verified`, ...rest].join(', ');
    return { verdict: 'violated', because: `${among}; ${others}.` };
  }
  if (run.gate.should === 'fail' && should.violated > 0) {
    const because = `${count(should.violated, 'SHOULD rule')} ${are(should.violated)} violated, which the gate does not allow.`;
    return { verdict: 'violated', because };
  }
  const obstacle = notJudged(run, standing);
  if (obstacle !== undefined) return { verdict: 'not judged', because: obstacle };

  const clean =
    must.known > 0
      ? 'No MUST rule beyond the known ones was found violated'
      : 'No MUST rule was found violated';
  if (run.staleKnown && run.staleKnown.length > 0) {
    const because = `${clean}, but the list of known failures is out of date: ${firstOf(run.staleKnown, RULES_NAMED, '; ')}.`;
    return { verdict: 'incomplete', because };
  }
  const open = run.rules.filter((rule) => rule.level === 'MUST' && isOpen(rule));
  if (open.length > 0) {
    const lost = (run.noLongerVerified ?? []).filter((id) => open.some((rule) => rule.id === id));
    const named = lost.length > 0 ? ` No longer verified: ${firstOf(lost, RULES_NAMED)}.` : '';
    const because = `${clean}, but ${open.length} of the ${all} ${are(open.length)} open: ${[`${must.verified} verified`, ...rest].join(', ')}.${named}`;
    return { verdict: 'incomplete', because };
  }
  if (!run.rules.some((rule) => rule.inScope !== false && counts(rule)))
    return { verdict: 'incomplete', because: 'Nothing was verified: not one check came to a result.' };
  const allowed =
    should.violated > 0 ? [`${count(should.violated, 'SHOULD rule')} violated, which the gate allows`] : [];
  return { verdict: 'conforming', because: `${clean}: ${[standing, ...rest, ...allowed].join(', ')}.` };
}

function notJudged(run: RunCase, standing: string): string | undefined {
  if (run.gone) return `${goneText(run.gone)} ${count(run.didNotRun, 'test')} did not run; ${standing}.`;
  const [error] = run.engineErrors;
  if (error !== undefined)
    return `The suite itself failed (${count(run.engineErrors.length, 'error')}): ${error}`;
  const ended = run.ended ?? (run.didNotRun > 0 ? 'The run ended early.' : undefined);
  if (ended !== undefined) return `${ended} ${count(run.didNotRun, 'test')} did not run; ${standing}.`;
  return undefined;
}

/** What a target did that went away in the middle of a run, in one or two sentences. */
function goneText({ at, why, lastAnswered }: GoneAway): string {
  const time = (iso: string) => `${iso.slice(11, 19)} UTC`;
  const last = lastAnswered
    ? ` The last exchange that it answered was "${lastAnswered.label}" (${lastAnswered.status}, ${time(lastAnswered.at)}).`
    : ' It had answered nothing before.';
  return `The target went away at ${time(at)}: ${why.replace(/\.$/, '')}.${last}`;
}

/** What is neither verified nor violated: a verdict is never told without it. */
function restOf(totals: ReturnType<typeof totalsOf>): string[] {
  return [
    totals.known > 0 ? `${totals.known} known to be broken` : '',
    totals.inconclusive > 0 ? `${totals.inconclusive} inconclusive` : '',
    totals.notVerified > 0 ? `${totals.notVerified} not verified` : '',
    totals.accepted > 0 ? `${totals.accepted} accepted as not verified` : '',
  ].filter((text) => text !== '');
}

function counts(rule: RunCase['rules'][number]): boolean {
  return isBreach(rule.verdict) || (rule.excluded === undefined && rule.verdict === 'verified');
}
