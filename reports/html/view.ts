import type {
  ConformanceReport,
  ExchangeIndex,
  Level,
  LevelTotals,
  ObservationReport,
  RuleReport,
} from '../verdicts/model.ts';
import type { HistoryLine } from '../folder/history.ts';
import { hasChanged } from '../verdicts/compare.ts';
import { surenessSentence } from '../detection.ts';
import { GUESSED, profileLines } from '../verdicts/guesses.ts';
import {
  LEVEL_MEANINGS,
  MEANINGS,
  SIGNS,
  count,
  durationText,
  headlineOf,
  repeatsSentence,
  scopeSentence,
} from '../write/sentences.ts';
import { type Shown, applicable, partsSentence, shownAs, totalOf } from '../verdicts/totals.ts';
import { changesOf, type ChangeView } from './change-view.ts';
import { latencyOf, runPoints, type Latency, type RunPoint } from './chart-data.ts';
import { defectViews, type DefectView } from './defect-view.ts';
import { exchangeView, type ExchangeView } from './exchange-view.ts';
import { staleSentences } from '../verdicts/known-standings.ts';

const SAMPLES = 3;
const SHOWN: readonly Shown[] = Object.keys(MEANINGS) as Shown[];

interface BarView {
  readonly name: string;
  readonly note?: string;
  readonly anchor?: string;
  readonly totals: LevelTotals;
  readonly applicable: number;
  readonly parts: readonly {
    readonly shown: Shown;
    readonly count: number;
    readonly x: number;
    readonly width: number;
  }[];
  /** The bar in words. */
  readonly text: string;
}

interface RuleView {
  readonly rule: RuleReport;
  readonly shown: Shown;
  readonly why: string;
  readonly evidence: string;
  readonly isNew: boolean;
  readonly defects: readonly string[];
}

/** All that the template prints, so that the template decides nothing. */
interface PageView {
  readonly report: ConformanceReport;
  readonly headline: string;
  readonly title: string;
  /** What to do, in a sentence; undefined where nothing was judged. */
  readonly next: string | undefined;
  readonly tone: 'good' | 'bad' | 'open';
  /** What the run was judged on, where that was a part. */
  readonly scope: string | undefined;
  readonly repeats: string | undefined;
  /** What planted faults have shown of the suite, for those who do not know how it is measured. */
  readonly sureness: string | undefined;
  /** How much was tried. */
  readonly size: string;
  readonly startedAt: string;
  readonly duration: string;
  readonly levels: readonly BarView[];
  readonly areas: readonly BarView[];
  readonly defects: readonly DefectView[];
  /** By what defects can be chosen, and the values that there are. */
  readonly defectFilters: Readonly<Record<string, readonly string[]>>;
  readonly changes: ChangeView | undefined;
  readonly mustLine: { readonly verified: number; readonly of: number };
  readonly open: readonly OpenView[];
  readonly guessed: string;
  /** Lines of a profile, for the guesses that were never taken. */
  readonly guesses: readonly string[];
  /** Which parts of a stopped run have run. */
  readonly parts: string | undefined;
  /** Entries of the list of known failures that say what is not so. */
  readonly stale: readonly string[];
  readonly detection: {
    readonly planted: number;
    readonly caught: number;
    readonly rules: number;
    readonly without: number;
  };
  readonly runs: readonly RunPoint[];
  readonly latency: Latency | undefined;
  /** Data of the pictures, as JSON that may stand in a script element. */
  readonly charts: string;
  readonly groups: readonly {
    readonly area: string;
    readonly anchor: string;
    readonly text: string;
    readonly rules: readonly RuleView[];
  }[];
  readonly observed: number;
  /** Those that changed since the last run, then the others by area. */
  readonly observations: readonly ObservationGroup[];
  readonly unasked: readonly ObservationView[];
  readonly samples: readonly ExchangeView[];
  readonly meanings: readonly { readonly shown: Shown; readonly sign: string; readonly text: string }[];
  readonly levelMeanings: readonly (readonly [string, string])[];
  readonly signs: Readonly<Record<Shown, string>>;
}

/** Open rules that the same order would mend. */
interface OpenView {
  readonly mend: string;
  readonly rules: readonly { readonly id: string; readonly reason: string }[];
}

interface ObservationGroup {
  readonly name: string;
  readonly anchor: string;
  readonly isOpen: boolean;
  readonly rows: readonly ObservationView[];
}

interface ObservationView {
  readonly observation: ObservationReport;
  readonly answers: readonly { readonly text: string; readonly count: number }[];
  readonly before: readonly string[];
  readonly changed: boolean;
}

function nextStep({ verdict, open }: ConformanceReport, defects: readonly DefectView[]): string | undefined {
  const critical = defects.filter((one) => one.shown === 'violated' && one.severity === 'critical').length;
  if (verdict === 'violated')
    return critical === 0
      ? 'not ready to ship. The team of the service mends the defects below.'
      : `not ready to ship. The team of the service mends the defects below, first the ${critical === 1 ? 'one that touches' : `${critical} that touch`} access or money.`;
  if (verdict === 'incomplete') {
    const [group] = open;
    return (
      group &&
      `not shown to be ready. ${group.mend.charAt(0).toUpperCase()}${group.mend.slice(1)}: that would show ${count(group.rules.length, 'more MUST rule')}.`
    );
  }
  return verdict === 'conforming'
    ? 'nothing stands against shipping. Run it again after the next change.'
    : undefined;
}

/** Whether a defect is new, known, or still there. */
function stateOf({ shown, isNew }: DefectView): string {
  return shown === 'known' ? 'known' : isNew ? 'new' : 'still';
}

/** Turns a report into what its page shows. */
export function pageView(
  report: ConformanceReport,
  exchanges: ExchangeIndex,
  history: readonly HistoryLine[] = [],
): PageView {
  const rules = new Map(report.rules.map((rule) => [rule.id, rule]));
  const defects = defectViews(report, exchanges);
  const isNew = new Set(report.comparison?.newlyViolated ?? []);
  const used = new Set(
    defects.flatMap(({ timeline }) =>
      timeline.map((step) => (step.kind === 'exchange' ? step.exchange.id : '')),
    ),
  );
  const runs = runPoints(report, history);
  const latency = latencyOf(exchanges);
  const areas = Object.keys(report.areas);
  const observations = report.observations.map(observationView);
  const seen = observations.filter(({ answers }) => answers.length > 0);
  return {
    report,
    headline: headlineOf(report),
    title: `Conformance of ${report.target.name}`,
    next: nextStep(report, defects),
    tone: report.verdict === 'conforming' ? 'good' : report.verdict === 'violated' ? 'bad' : 'open',
    scope: scopeSentence(report),
    repeats: repeatsSentence(report.run),
    sureness: report.run.detection && surenessSentence(report.run.detection),
    size: sizeOf(report),
    startedAt: `${report.run.startedAt.slice(0, 16).replace('T', ' ')} UTC`,
    duration: durationText(report.run.milliseconds),
    levels: (['MUST', 'SHOULD', 'MAY'] as const satisfies Level[])
      .map((level) => ({ ...barView(level, report.totals[level]), note: LEVEL_MEANINGS[level] }))
      .filter((bar) => bar.applicable + bar.totals.notApplicable + bar.totals.excluded > 0),
    areas: areas.map((area) => ({
      ...barView(area, report.areas[area] as LevelTotals),
      anchor: `area-${area}`,
    })),
    defects,
    defectFilters: {
      area: [...new Set(defects.map(({ area }) => area))].sort(),
      severity: ['critical', 'major', 'minor'].filter((one) =>
        defects.some(({ severity }) => severity === one),
      ),
      state: ['new', 'still', 'known'].filter((one) => defects.some((each) => stateOf(each) === one)),
    },
    changes: changesOf(report, defects),
    mustLine: { verified: report.totals.MUST.verified, of: applicable(report.totals.MUST) },
    open: openViews(report, rules),
    parts: report.run.parts ? partsSentence(report.run.parts) : undefined,
    stale: staleSentences(report.knownFailures ?? []),
    detection: detectionOf(report),
    runs,
    latency,
    charts: chartText({ runs, latency }),
    guessed: GUESSED,
    guesses: report.guesses.length > 0 ? profileLines(report.guesses) : [],
    groups: areas.map((area) => ({
      area,
      anchor: `area-${area}`,
      text: barView(area, report.areas[area] as LevelTotals).text,
      rules: report.rules.filter((rule) => rule.area === area).map((rule) => ruleView(rule, isNew, defects)),
    })),
    observed: seen.length,
    observations: observationGroups(seen),
    unasked: observations.filter((each) => !seen.includes(each)),
    samples: samplesOf(exchanges, used).map((exchange) => exchangeView(exchange, report.target.baseUrl)),
    meanings: SHOWN.map((shown) => ({ shown, sign: SIGNS[shown], text: MEANINGS[shown] })),
    levelMeanings: Object.entries(LEVEL_MEANINGS),
    signs: SIGNS,
  };
}

function openViews(report: ConformanceReport, rules: ReadonlyMap<string, RuleReport>): OpenView[] {
  if (report.run.usageError !== undefined) return [];
  return report.open.map(({ mend, rules: ids }) => ({
    mend,
    rules: ids.map((id) => ({ id, reason: rules.get(id)?.reason ?? '' })),
  }));
}

function detectionOf(report: ConformanceReport): PageView['detection'] {
  const judged = report.rules.filter((rule) => rule.level === 'MUST' && rule.excluded === undefined);
  const sum = (key: 'planted' | 'caught') =>
    report.rules.reduce((total, { detection }) => total + (detection?.[key] ?? 0), 0);
  return {
    planted: sum('planted'),
    caught: sum('caught'),
    rules: judged.length,
    without: judged.filter(({ detection }) => (detection?.caught ?? 0) === 0).length,
  };
}

function chartText(data: unknown): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function barView(name: string, totals: LevelTotals): BarView {
  const all = applicable(totals);
  // Verified first: bars of different areas can then be compared from a common left edge.
  const order = ['verified', 'known', 'violated', 'inconclusive', 'accepted', 'not verified'] as const;
  let x = 0;
  const parts = order.flatMap((shown) => {
    const total = totalOf(shown);
    const count = total === undefined ? 0 : totals[total];
    if (count === 0) return [];
    const part = { shown, count, x, width: (count / all) * 100 };
    x += part.width;
    return [part];
  });
  const words = parts.map((part) => `${part.count} ${part.shown}`);
  return { name, totals, applicable: all, parts, text: words.join(', ') || 'no rule applies' };
}

function ruleView(rule: RuleReport, isNew: ReadonlySet<string>, defects: readonly DefectView[]): RuleView {
  const { passed, failed, inconclusive, seen, tests } = rule.checks;
  const ran = passed + failed + inconclusive;
  const parts = [
    ran > 0 ? `${ran} ${ran === 1 ? 'check' : 'checks'}` : '',
    seen > 0 ? `${seen} ${seen === 1 ? 'answer' : 'answers'} examined` : '',
    tests.length > 0 ? `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}` : '',
  ];
  return {
    rule,
    shown: shownAs(rule),
    why: whyOf(rule),
    evidence: parts.filter((part) => part !== '').join(', ') || 'none',
    isNew: isNew.has(rule.id),
    defects: defects.filter((each) => each.defect.rule === rule.id).map((each) => each.anchor),
  };
}

function whyOf(rule: RuleReport): string {
  const reason = rule.excluded ?? rule.reason ?? '';
  return shownAs(rule) === 'accepted' ? `Accepted: ${rule.accepted} (${reason})` : reason;
}

/** What changed stands open, so that it is seen; all else is folded, an area each. */
function observationGroups(all: readonly ObservationView[]): ObservationGroup[] {
  const changed = all.filter((each) => each.changed);
  const areas = [...new Set(all.map(({ observation }) => observation.area))].sort();
  const groups = areas.map((area) => ({
    name: area,
    anchor: `observations-${area}`,
    isOpen: false,
    rows: all.filter((each) => each.observation.area === area && !each.changed),
  }));
  return [
    { name: 'changed since the last run', anchor: 'observations-changed', isOpen: true, rows: changed },
    ...groups,
  ].filter(({ rows }) => rows.length > 0);
}

function sizeOf({ run: { tests, exchanges } }: ConformanceReport): string {
  return `${(tests.passed + tests.failed).toLocaleString('en')} tests, ${exchanges.toLocaleString('en')} requests`;
}

function observationView(observation: ObservationReport): ObservationView {
  return {
    observation,
    answers: observation.answers.map(({ answer, count }) => ({ text: answerText(answer), count })),
    before: (observation.before ?? []).map(answerText),
    changed: observation.before !== undefined && observation.answers.length > 0 && hasChanged(observation),
  };
}

function answerText(answer: unknown): string {
  return typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? 'nothing');
}

/** A few exchanges that no defect shows: one of each family of answers, so that a reader sees what a check sees. */
function samplesOf(exchanges: ExchangeIndex, used: ReadonlySet<string>) {
  const families = new Map<number, ExchangeIndex extends ReadonlyMap<string, infer E> ? E : never>();
  for (const exchange of exchanges.values()) {
    const family = Math.floor((exchange.response?.status ?? 0) / 100);
    if (family >= 2 && !used.has(exchange.id) && !families.has(family)) families.set(family, exchange);
    if (families.size >= SAMPLES) break;
  }
  return [...families.values()];
}
