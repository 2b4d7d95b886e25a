import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { WorldVerdict } from '../judge-world.ts';
import type { Mutant } from './instrument.ts';

/**
 * What became of a mutant:
 * - `named`: some rule is called broken
 * - `in doubt`: no rule is, but some are no longer verified
 * - `unnoticed`: everything is as without it
 * - `never reached`: no test has its code run, or it was decided when the code was loaded
 */
type MutantFate = 'named' | 'in doubt' | 'unnoticed' | 'never reached';

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

/** Why nobody names a mutant. */
export interface Explained {
  readonly file: string;
  readonly was: string;
  readonly becomes: string;
  /** `open`: the interface leaves it open. `unseen`: nothing outside the service can show it. `missing`: a check is missing. */
  readonly is: 'open' | 'unseen' | 'missing';
  /** Of `open` the sentence of the interface, or what it does not say; else the reason. */
  readonly because: string;
}

const LIST = new URL('survivors.yaml', import.meta.url);

/** The list of survivors that somebody has looked at. @throws Error in one sentence where it cannot be read */
export function readSurvivors(file: URL = LIST): readonly Explained[] {
  const list: unknown = parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(list)) throw new Error('proof/mutants/survivors.yaml must be a list.');
  for (const [index, one] of list.entries()) {
    const {
      file: path,
      was,
      becomes,
      is,
      because,
    } = (one ?? {}) as Partial<Record<keyof Explained, unknown>>;
    const texts = [path, was, becomes, because];
    if (
      texts.some((text) => typeof text !== 'string') ||
      !['open', 'unseen', 'missing'].includes(is as string)
    )
      throw new Error(
        `Entry ${index + 1} of proof/mutants/survivors.yaml needs file, was, becomes and because as texts, and is: open, unseen or missing.`,
      );
  }
  return list as readonly Explained[];
}

/** What stands in the list about a mutant; lines move, so its text is what counts. */
export function explanationOf(mutant: Mutant, list: readonly Explained[]): Explained | undefined {
  return list.find(
    ({ file, was, becomes }) => file === mutant.file && was === mutant.was && becomes === mutant.becomes,
  );
}

/**
 * How many mutants a rule could name: those whose code is reached, less those that the list says are open or unseen.
 *
 * @param unnamed of the mutants that were tried, those that nobody names
 */
export function nameable(tried: number, unnamed: readonly MutantRow[], list: readonly Explained[]): number {
  const isOut = (row: MutantRow) =>
    row.fate === 'never reached' || ['open', 'unseen'].includes(explanationOf(row, list)?.is ?? '');
  return tried - unnamed.filter(isOut).length;
}
