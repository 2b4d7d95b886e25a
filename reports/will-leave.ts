import type { Suite } from '@playwright/test/reporter';
import { depthOf } from '../target/environment-variables.ts';
import { specOf, willLeave } from '../target/states/will-leave.ts';
import type { AssayMetadata } from './verdicts/build-report.ts';
import { ownOutput } from './command-line.ts';

/** Before the first test: what those that were chosen will leave on a target of one's own, and how it would be less. */
export function tellWhatWillBeLeft(suite: Suite, assay: AssayMetadata | undefined): void {
  const preparation = assay?.target.preparation ?? 'none';
  if (assay === undefined || assay.target.embedded || preparation === 'none') return;
  if (process.argv.includes('merge-reports')) return;
  const chosen: Record<string, number> = {};
  for (const { location } of suite.allTests()) {
    const file = specOf(location.file);
    chosen[file] = (chosen[file] ?? 0) + 1;
  }
  const about = { preparation, cleanUp: assay.cleanUp ?? {} };
  for (const line of willLeave(chosen, about, depthOf() === 'quick')) ownOutput().write(`${line}\n`);
}
