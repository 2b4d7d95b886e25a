import type { CheckResult, Finding, Journal } from '../journal/types.ts';
import type { Attempt } from './attempt.ts';
import { findingsOf, placeOf, type Steadiness } from './evidence.ts';

/**
 * So many tests whose trouble went away make a bad hour: what looks like a breach in trouble then proves nothing, even
 * where it happened twice. A target that answers one request in fifty with a 500 hits the same check twice in one run of
 * three; a fault of its own comes back each time.
 */
export const TROUBLE_ALL_AROUND = 2;

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
export interface Look {
  readonly attempt: Attempt;
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
export function lookOf(attempt: Attempt): Look | undefined {
  return attempt.journal && { attempt, journal: attempt.journal, findings: findingsOf(attempt.journal) };
}

/**
 * Tells which findings count. A clear one does, though only one attempt shows it. One that was seen in trouble counts
 * where two attempts show it, and not while trouble is all around.
 *
 * @param wentAway tests of the run whose trouble went away
 */
export function weigh(looks: readonly Look[], wentAway: number): Weighed {
  const findings: Finding[] = [];
  const doubts: CheckResult[] = [];
  const steadiness = new Map<string, Steadiness>();
  for (const place of new Set(looks.flatMap((look) => look.findings.map(placeOf)))) {
    const at = (look: Look) => look.findings.filter((finding) => placeOf(finding) === place);
    const showing = looks.filter((look) => at(look).length > 0);
    const clear = showing.filter((look) => at(look).some((finding) => !isDoubtful(look, finding)));
    const best = (clear.at(-1) ?? showing.at(-1)) as Look;
    const [{ rule }] = at(best) as [Finding];
    const refuted = looks.some((look) => !showing.includes(look) && tells(look, rule));
    const isTheSame =
      showing.length > 1 && new Set(showing.map((look) => circumstances(at(look)))).size === 1;
    if (clear.length > 0 || (isTheSame && wentAway < TROUBLE_ALL_AROUND)) {
      findings.push(...at(best));
      steadiness.set(place, showing.length > 1 ? 'steady' : refuted ? 'intermittent' : 'once');
    } else if (!refuted) {
      const again = isTheSame
        ? `It happened again, but there was trouble all around: ${wentAway} tests met trouble that did not come back.`
        : looks.length > 1
          ? 'The repeat of its test could not tell.'
          : 'Its test was not repeated.';
      doubts.push(...at(best).map((finding) => doubtOf(best, finding, again)));
    }
  }
  return { findings, doubts, steadiness };
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/**
 * The answer that a finding stands on, and the input that led to it: chance seldom picks the same ones twice. Records that
 * are prepared for each attempt have ids of their own.
 */
function circumstances(findings: readonly Finding[]): string {
  const all = findings.map(({ trouble, counterexample }) =>
    `${trouble}|${counterexample?.input}`.replace(UUID, 'an id'),
  );
  return [...new Set(all)].sort().join('\n');
}

function isDoubtful({ journal }: Look, finding: Finding): boolean {
  return finding.trouble !== undefined || journal.unwell === true;
}

/** An attempt that came to an answer about the rule, without trouble. */
function tells({ attempt, journal }: Look, rule: string): boolean {
  return (
    !inTrouble(journal) &&
    (attempt.standing === 'completed' ||
      journal.checks.some((check) => check.rule === rule && check.outcome !== 'inconclusive'))
  );
}

function doubtOf({ journal }: Look, finding: Finding, again: string): CheckResult {
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
