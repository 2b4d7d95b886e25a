import { writeFileSync } from 'node:fs';
import { DETECTION_FILE, type DetectionRecord, type RecordedFault } from '../../reports/detection.ts';
import type { Fault } from '../../sandbox/faults/fault.ts';
import { commit } from '../command.ts';
import type { WorldVerdict } from '../judge-world.ts';
import { jsonRows } from '../../schemas/json.ts';

/**
 * What became of a planted fault:
 * - `caught`: its own rule is named
 * - `in doubt`: its rule is inconclusive, so the run is not green, but nobody is told what is broken
 * - `missed`: its rule is verified all the same
 * - `never reached`: no test has its function called, or none where it would make a difference
 */
type Fate = 'caught' | 'in doubt' | 'missed' | 'never reached';

type Unvouched = Pick<Row, 'fate' | 'wrongly' | 'hint'>;

/** A planted fault, and what the suite says of it. */
export interface Row {
  readonly fault: string;
  readonly breaks: string;
  readonly fate: Fate;
  /** What it was planted beside, as the seed of a variant, where each fault has one of its own. */
  readonly beside?: string;
  /** Rules that are named beside the broken one, though the fault does not break them. */
  readonly wrongly?: readonly string[];
  /** Rules that cannot help being broken with it, and are named. */
  readonly also?: readonly string[];
  /** Rules that are no longer verified, though nothing is said against them. */
  readonly leftOpen?: number;
  /** What looks like a mistake of the suite in this world. */
  readonly crashed?: readonly string[];
  /** Why nothing was caught. */
  readonly hint?: string;
  /** What the suite says where no profile vouches for how the service speaks, if that is another thing. */
  readonly unvouched?: Unvouched;
  /** Tests that were run. */
  readonly tests: number;
  /** Tests that can end otherwise; where it is more, the others were left out by lot. */
  readonly reaching: number;
}

/**
 * Reads a row off the verdicts on the fault's world.
 *
 * @param verified rules that are verified where nothing is planted
 * @param tests how many were run, and how many could have been
 */
export function rowOf(
  fault: Fault,
  { rules, crashed }: WorldVerdict,
  verified: ReadonlySet<string>,
  tests: { readonly run: number; readonly reaching: number },
): Row {
  const accused = rules.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id);
  const own = rules.find(({ id }) => id === fault.breaks);
  const also = accused.filter((rule) => fault.also?.includes(rule));
  const wrongly = accused.filter((rule) => rule !== fault.breaks && !also.includes(rule));
  const open = rules.filter(
    ({ id, verdict }) =>
      verified.has(id) && verdict !== 'verified' && verdict !== 'violated' && id !== fault.breaks,
  );
  const fate = fateOf(own?.verdict, tests.run);
  return {
    fault: fault.name,
    breaks: fault.breaks,
    fate,
    ...(wrongly.length > 0 ? { wrongly } : {}),
    ...(also.length > 0 ? { also } : {}),
    ...(open.length > 0 ? { leftOpen: open.length } : {}),
    ...(crashed.length > 0 ? { crashed } : {}),
    ...(fate === 'caught' || own?.reason === undefined ? {} : { hint: own.reason }),
    tests: tests.run,
    reaching: tests.reaching,
  };
}

/** A row, with what is said of the same answers where no profile vouches for anything. */
export function withUnvouched(row: Row, { fate, wrongly, hint }: Unvouched): Row {
  const isSame = fate === row.fate && wrongly?.join() === row.wrongly?.join();
  return isSame
    ? row
    : { ...row, unvouched: { fate, ...(wrongly ? { wrongly } : {}), ...(hint ? { hint } : {}) } };
}

function fateOf(verdict: string | undefined, tests: number): Fate {
  if (tests === 0) return 'never reached';
  if (verdict === 'violated') return 'caught';
  return verdict === 'verified' ? 'missed' : 'in doubt';
}

/**
 * Whether nothing is wrong with a row.
 *
 * @param publicly what is prepared by public calls may leave a rule open, but must not show it where it is broken
 */
export function isGood({ fate, beside, wrongly, crashed, unvouched }: Row, publicly = false): boolean {
  const isFair = wrongly === undefined && unvouched?.wrongly === undefined && crashed === undefined;
  if (beside !== undefined && fate === 'never reached') return isFair;
  return isFair && (publicly ? fate !== 'missed' : fate === 'caught');
}

/** A row as one line for people. */
export function lineOf({
  fault,
  breaks,
  beside,
  fate,
  wrongly,
  crashed,
  hint,
}: Omit<Row, 'tests' | 'reaching'>): string {
  const notes = [
    ...(wrongly ? [`wrongly accused: ${wrongly.join(', ')}`] : []),
    ...(crashed ? [`mistakes of the suite: ${crashed.join('; ')}`] : []),
    ...(hint === undefined ? [] : [hint]),
  ];
  return `${fate.padEnd(13)} ${fault}${beside ? ` beside ${beside}` : ''} → ${breaks}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
}

/**
 * Writes the complete matrix into reports/detection.json.
 *
 * @param rows of all faults
 * @param tests in the suite
 * @param digest of what it was measured with
 */
export function writeRecord(rows: readonly Row[], tests: number, digest: string): void {
  const record: DetectionRecord = {
    date: new Date().toISOString(),
    commit: commit(),
    digest,
    tests,
    faults: rows.map(recorded).sort((a, b) => (a.fault < b.fault ? -1 : 1)),
  };
  writeFileSync(DETECTION_FILE, jsonRows(record));
}

function recorded({ fault, breaks, fate, wrongly, tests: run, reaching, unvouched }: Row): RecordedFault {
  return {
    fault,
    breaks,
    fate,
    run,
    reaching,
    ...(wrongly ? { wrongly } : {}),
    ...(unvouched ? { unvouched: unvouched.fate } : {}),
  };
}
