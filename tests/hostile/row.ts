import type { RunVerdict } from '../../reports/model.ts';
import type { HostileOutcome, HostileRun } from './run-hostile.ts';

/** A hostile target, and what a run on it must come to. */
export interface HostileRow extends HostileRun {
  readonly name: string;
  /** The verdict of the run; several where chance decides what the mischief hits. The exit code follows from it. */
  readonly verdict: RunVerdict | readonly RunVerdict[];
  /** Longest time of the run: several times what a quiet machine needs, as two runs share it. */
  readonly mostSeconds: number;
  /** The sentence that says why, or a part of it. */
  readonly because?: RegExp;
  /** Rules that the row really breaks. Nobody else may be accused. */
  readonly breaks?: readonly string[];
  /** The row breaks what it happens to meet, so that anything may be accused. */
  readonly mayBreak?: true;
  /** It waits most of its time, so that several run side by side. */
  readonly waits?: true;
  /** What else must be true; throws where it is not. */
  readonly also?: (outcome: HostileOutcome) => void;
}
