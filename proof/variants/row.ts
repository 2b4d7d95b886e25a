import type { RuleReport } from '../../reports/model.ts';
import type { WorldVerdict } from '../judge.ts';

/** What the suite said of one legal world. */
export interface VariantRow {
  readonly seed: number;
  readonly accused: readonly string[];
  /** Verified in the default world, and not here. */
  readonly lost: readonly string[];
  readonly crashed: readonly string[];
  readonly why: readonly string[];
}

export function variantRow(seed: number, here: WorldVerdict, byDefault: WorldVerdict): VariantRow {
  const verified = new Set(
    byDefault.rules.flatMap(({ id, verdict }) => (verdict === 'verified' ? [id] : [])),
  );
  const accused = here.rules.filter(({ verdict }) => verdict === 'violated');
  const lost = here.rules.filter(
    ({ id, verdict }) => verified.has(id) && verdict !== 'verified' && verdict !== 'violated',
  );
  const reasons = ({ id, reason }: RuleReport) => `${id}: ${(reason ?? '').slice(0, 300)}`;
  return {
    seed,
    accused: accused.map(({ id }) => id),
    lost: lost.map(({ id }) => id),
    crashed: here.crashed,
    why: [...accused, ...lost].map(reasons),
  };
}

/** Whether nobody was accused and nothing was lost. */
export function isFair({ accused, lost, crashed }: VariantRow): boolean {
  return accused.length + lost.length + crashed.length === 0;
}

/** A world as one line for people. */
export function variantLine({ seed, accused, lost, crashed, why }: VariantRow): string {
  const [first = ''] = [...crashed, ...why];
  return `world ${seed}: accused ${accused.join(', ') || 'nobody'}; no longer verified: ${lost.join(', ') || 'nothing'}; ${crashed.length} mistakes of the suite (${first})`;
}
