import { speaksOf } from '../target/known-failures.ts';
import type { AssayMetadata } from './build.ts';
import type { TestRecord } from './evidence.ts';
import { sinceOf, type HistoryLine } from './history.ts';
import type { Defect, KnownFailureReport } from './model.ts';

export interface AboutDefects {
  readonly assay: Pick<AssayMetadata, 'target' | 'seed'>;
  readonly tests: readonly TestRecord[];
  readonly knownFailures: readonly KnownFailureReport[];
  readonly history?: readonly HistoryLine[];
  readonly startedAt: string;
}

/** Adds what a reader asks next: since when, who acts, and the command that shows it again. */
export function aboutDefects(defects: readonly Defect[], about: AboutDefects): Defect[] {
  return defects.map((defect): Defect => {
    const entry = about.knownFailures.find(
      (each) =>
        speaksOf(each, defect, defect.story?.test ?? '') ||
        (each.rule === defect.rule && each.place === defect.place),
    );
    const command = commandOf(defect, about.assay);
    return {
      ...defect,
      ...(command === undefined ? {} : { command }),
      ...(entry?.owner === undefined ? {} : { owner: entry.owner }),
      ...(entry?.link === undefined ? {} : { link: entry.link }),
      ...(entry?.until === undefined ? {} : { until: entry.until }),
      ...(about.history ? { since: sinceOf(defect.id, about.history, about.startedAt) } : {}),
    };
  });
}

/** Runs the one test that shows it. Settings of the run that are secret come from the environment, as they did then. */
function commandOf(defect: Defect, { target, seed }: AboutDefects['assay']): string | undefined {
  const location = defect.story?.location;
  if (location === undefined) return undefined;
  const settings = [
    ...(target.embedded || !/^https?:/.test(target.baseUrl) ? [] : [`BASE_URL=${quoted(target.baseUrl)}`]),
    ...(seed === undefined ? [] : [`SEED=${defect.counterexample?.seed ?? seed}`]),
  ];
  return [...settings, 'npx playwright test', quoted(location)].join(' ');
}

function quoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
