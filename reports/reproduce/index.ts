import type { ConformanceReport, Defect, ExchangeIndex } from '../model.ts';
import { harOf } from './har.ts';
import { planOf } from './plan.ts';
import { scriptOf } from './script.ts';

/** Folder of the files that repeat defects, beside the page. */
export const REPRODUCE_DIR = 'reproduce';
/** A target that breaks more than this is not repaired one script at a time. */
const MOST = 200;

/** A report whose defects name the files that repeat them, and those files by their path. */
export function withReproducers(
  report: ConformanceReport,
  exchanges: ExchangeIndex,
): { readonly report: ConformanceReport; readonly files: Readonly<Record<string, string>> } {
  const files: Record<string, string> = {};
  const defects = report.defects.map((defect, index): Defect => {
    const story = (defect.story?.exchanges ?? []).flatMap((id) => exchanges.get(id) ?? []);
    if (index >= MOST || story.length === 0) return defect;
    const har = `${REPRODUCE_DIR}/${defect.id}.har`;
    files[har] = harOf(story, report.run.assay);
    const plan = planOf(defect, exchanges, report.target);
    if ('why' in plan) return { ...defect, reproducer: { har, noScript: plan.why } };
    const script = `${REPRODUCE_DIR}/${defect.id}.mjs`;
    files[script] = scriptOf(plan);
    return { ...defect, reproducer: { script, har } };
  });
  return { report: { ...report, defects }, files };
}
