import type { Replacements } from '../core/replacement.ts';
import type { Fault } from './fault.ts';

/** A fault in one line: name, broken rule, what it looks like, how, and the rules that cannot help being broken with it. */
export type Row = readonly [
  name: string,
  breaks: string,
  says: string,
  replace: Replacements,
  also?: readonly string[],
];

export function faultsOf(rows: readonly Row[]): readonly Fault[] {
  return rows.map(([name, breaks, says, replace, also]) => ({
    name,
    breaks,
    says,
    replace,
    ...(also ? { also } : {}),
  }));
}
