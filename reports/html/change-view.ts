import type { ConformanceReport } from '../verdicts/model.ts';
import type { DefectView } from './defect-view.ts';

/** One thing that changed, with a place of the page where more is said. */
interface Change {
  readonly text: string;
  readonly href: string;
}

/** What changed since the last complete run on the same target. */
export interface ChangeView {
  /** Start of that run, for people. */
  readonly then: string;
  readonly groups: readonly {
    readonly name: string;
    readonly tone: 'bad' | 'good' | 'open' | 'same';
    readonly items: readonly Change[];
  }[];
  readonly changedObservations: number;
}

/** Undefined where no earlier run is known. */
export function changesOf(
  { comparison }: Pick<ConformanceReport, 'comparison'>,
  defects: readonly DefectView[],
): ChangeView | undefined {
  if (!comparison) return undefined;
  const changes = comparison.defects;
  const titles = new Map(defects.map(({ defect }) => [defect.id, defect.title]));
  const rule = (id: string): Change => ({ text: id, href: `#${id}` });
  const defect = (id: string): Change => ({ text: titles.get(id) ?? id, href: `#defect-${id}` });
  const fresh = changes ? changes.new.map(defect) : comparison.newlyViolated.map(rule);
  const still = changes ? changes.still.map(defect) : [];
  const mended = changes
    ? changes.mended.map(({ rule: id, title }) => ({ text: title, href: `#${id}` }))
    : comparison.newlyFixed.map(rule);
  return {
    then: `${comparison.startedAt.slice(0, 16).replace('T', ' ')} UTC`,
    groups: [
      { name: 'new', tone: fresh.length > 0 ? 'bad' : 'same', items: fresh },
      { name: 'still failing', tone: still.length > 0 ? 'bad' : 'same', items: still },
      { name: 'mended', tone: mended.length > 0 ? 'good' : 'same', items: mended },
      {
        name: 'no longer verified',
        tone: comparison.noLongerVerified.length > 0 ? 'open' : 'same',
        items: comparison.noLongerVerified.map(rule),
      },
    ],
    changedObservations: comparison.changedObservations.length,
  };
}
