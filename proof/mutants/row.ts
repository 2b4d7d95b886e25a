import type { WorldVerdict } from '../judge.ts';
import type { Mutant } from './instrument.ts';

/**
 * What became of a mutant:
 * - `named`: some rule is called broken
 * - `in doubt`: no rule is, but some are no longer verified
 * - `unnoticed`: everything is as without it
 * - `never reached`: no test has its code run, or it was decided when the code was loaded
 */
export type MutantFate = 'named' | 'in doubt' | 'unnoticed' | 'never reached';

export interface MutantRow extends Mutant {
  readonly fate: MutantFate;
  /** Rules that are called broken: not all, as the first is enough. */
  readonly named?: readonly string[];
  /** Rules that are no longer verified, though nobody is accused. */
  readonly open?: readonly string[];
  /** Tests that meet it. */
  readonly tests: number;
}

/** @param verified rules that are verified without a mutant */
export function mutantRow(
  mutant: Mutant,
  { rules }: WorldVerdict,
  verified: ReadonlySet<string>,
  tests: number,
): MutantRow {
  const named = rules.flatMap(({ id, verdict }) => (verdict === 'violated' ? [id] : []));
  if (named.length > 0) return { ...mutant, fate: 'named', named: named.slice(0, 5), tests };
  const open = rules.flatMap(({ id, verdict }) => (verified.has(id) && verdict !== 'verified' ? [id] : []));
  if (open.length > 0) return { ...mutant, fate: 'in doubt', open: open.slice(0, 5), tests };
  return { ...mutant, fate: 'unnoticed', tests };
}

/** A mutant as one line for people. */
export function mutantLine({ fate, file, line, kind, was, becomes, open }: MutantRow): string {
  const doubts = open ? `; left open: ${open.join(', ')}` : '';
  return `${fate.padEnd(9)} ${file}:${line} ${kind}: ${was.slice(0, 80)} → ${becomes.slice(0, 60)}${doubts}`;
}
