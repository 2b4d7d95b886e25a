import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Mutant } from './instrument.ts';

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
