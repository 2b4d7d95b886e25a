/**
 * What counts of all that the attempts of a test have shown, now that the whole run is known. A clear finding counts at once;
 * one that was seen in trouble counts where the repeat shows the same again, unless trouble was all around.
 */
import { findingsOf, placeOf } from '../journal/findings.ts';
import type { CheckResult, Finding, Journal } from '../journal/types.ts';

/**
 * Whether a breach comes back: `steady` (both attempts show it), `intermittent` (another complete attempt does not),
 * `once` (only one attempt could tell).
 */
export type Steadiness = 'steady' | 'intermittent' | 'once';

/** So many tests whose trouble went away are a bad hour, however many there are. */
export const TROUBLE_ALL_AROUND = 2;
/** Where trouble is as rare as this, less than one run in twenty shows one test in it twice by chance. */
const BY_CHANCE = 1 / 20;

/** The trouble of a run that came and went. */
export interface PassingTrouble {
  /** Tests of the run. */
  readonly tests: number;
  /** Those whose trouble went away, see `troubleWentAway`. */
  readonly wentAway: number;
}

/**
 * Whether what looks like a breach in trouble proves nothing, even where it happened twice: of W among N tests that met
 * trouble by chance, W * W / N meet it in their repeat as well. A fault of the target comes back each time.
 */
function isAllAround({ tests, wentAway }: PassingTrouble): boolean {
  return wentAway >= TROUBLE_ALL_AROUND && wentAway ** 2 >= tests * BY_CHANCE;
}

/** True where an attempt met trouble, so that what it shows may be the moment's fault. */
export function inTrouble(journal: Journal | undefined): boolean {
  return (
    journal !== undefined &&
    (journal.trouble !== undefined ||
      journal.unwell === true ||
      journal.findings.some((finding) => finding.trouble !== undefined))
  );
}

/** An attempt that left a journal, with what it shows broken. */
export interface SeenAttempt {
  /** It came to its last line. */
  readonly isComplete: boolean;
  readonly journal: Journal;
  readonly findings: readonly Finding[];
}

/** What the attempts of a test show broken, once it is clear what counts. */
export interface Weighed {
  /** Findings that count. */
  readonly findings: readonly Finding[];
  /** What does not count, and was not refuted either. */
  readonly doubts: readonly CheckResult[];
  readonly steadiness: ReadonlyMap<string, Steadiness>;
}

/** Undefined for an attempt without a journal. */
export function seenAttempt(attempt: {
  readonly standing: string;
  readonly journal?: Journal;
}): SeenAttempt | undefined {
  const { standing, journal } = attempt;
  return journal && { isComplete: standing === 'completed', journal, findings: findingsOf(journal) };
}

/**
 * Tells which findings count. A clear one does, though only one attempt shows it. One that was seen in trouble counts
 * where two attempts show it, and not while trouble is all around.
 */
export function weigh(seenAttempts: readonly SeenAttempt[], passing: PassingTrouble): Weighed {
  const findings: Finding[] = [];
  const doubts: CheckResult[] = [];
  const steadiness = new Map<string, Steadiness>();
  for (const place of new Set(seenAttempts.flatMap((seen) => seen.findings.map(placeOf)))) {
    const at = (seen: SeenAttempt) => seen.findings.filter((finding) => placeOf(finding) === place);
    const showing = seenAttempts.filter((seen) => at(seen).length > 0);
    const clear = showing.filter((seen) => at(seen).some((finding) => !isDoubtful(seen, finding)));
    const best = (clear.at(-1) ?? showing.at(-1)) as SeenAttempt;
    const [{ rule }] = at(best) as [Finding];
    const refuted = seenAttempts.some((seen) => !showing.includes(seen) && tells(seen, rule));
    const isTheSame =
      showing.length > 1 && new Set(showing.map((seen) => circumstances(at(seen)))).size === 1;
    if (clear.length > 0 || (isTheSame && !isAllAround(passing))) {
      findings.push(...at(best));
      steadiness.set(place, showing.length > 1 ? 'steady' : refuted ? 'intermittent' : 'once');
    } else if (!refuted) {
      const again = isTheSame
        ? `It happened again, but there was trouble all around: ${passing.wentAway} tests met trouble that did not come back.`
        : seenAttempts.length > 1
          ? 'The repeat of its test could not tell.'
          : 'Its test was not repeated.';
      doubts.push(...at(best).map((finding) => doubtOf(best, finding, again)));
    }
  }
  return { findings, doubts, steadiness };
}

/** What each attempt makes anew: ids, times, keys, signatures, numbers of accounts, names that end in eight hex digits. */
const NEW_EACH_TIME =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)|[\w+/-]{40,}={0,2}|\d{10,}|\b[0-9a-f]{8}\b/gi;

/** The answer that a finding stands on, and the input that led to it: chance seldom picks the same ones twice. */
function circumstances(findings: readonly Finding[]): string {
  const all = findings.map(({ trouble, counterexample }) =>
    `${trouble}|${counterexample?.input}`.replace(NEW_EACH_TIME, 'another'),
  );
  return [...new Set(all)].sort().join('\n');
}

function isDoubtful({ journal }: SeenAttempt, finding: Finding): boolean {
  return finding.trouble !== undefined || journal.unwell === true;
}

/** An attempt that came to an answer about the rule, without trouble. */
function tells({ isComplete, journal }: SeenAttempt, rule: string): boolean {
  return (
    !inTrouble(journal) &&
    (isComplete || journal.checks.some((check) => check.rule === rule && check.outcome !== 'inconclusive'))
  );
}

function doubtOf({ journal }: SeenAttempt, finding: Finding, again: string): CheckResult {
  const trouble = finding.trouble ?? troubleOf(journal);
  return {
    rule: finding.rule,
    outcome: 'inconclusive',
    reason: `What was seen may be trouble of the moment (${trouble.replace(/\.$/, '')}). ${again} Seen: ${finding.message}`,
    exchanges: finding.exchanges,
    trouble: true,
  };
}

/** The trouble of a journal that met some, in one sentence. */
export function troubleOf(journal: Journal): string {
  const marked = journal.findings.find((finding) => finding.trouble !== undefined)?.trouble;
  return journal.trouble ?? marked ?? 'the target was not well';
}
