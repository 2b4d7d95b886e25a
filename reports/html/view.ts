import type {
  ConformanceReport,
  Defect,
  ExchangeIndex,
  Level,
  LevelTotals,
  ObservationReport,
  RuleReport,
} from '../model.ts';
import { hasChanged } from '../compare.ts';
import { detectionSentence } from '../detection.ts';
import { repeatsSentence } from '../repeats-sentence.ts';
import { scopeSentence } from '../scope.ts';
import { applicable, shownAs, totalOf, type Shown } from '../totals.ts';
import { exchangeView, type ExchangeView } from './exchange-view.ts';
import { headlineOf, LEVEL_MEANINGS, MEANINGS, SIGNS } from './words.ts';

const EVIDENCE_PER_DEFECT = 3;
/** A page with thousands of exchanges opens slowly; the rest is in exchanges.ndjson. */
const EVIDENCE_IN_ALL = 120;
const SAMPLES = 3;
const TESTS_SHOWN = 8;
const SHOWN: readonly Shown[] = Object.keys(MEANINGS) as Shown[];

export interface BarView {
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

export interface DefectView {
  readonly defect: Defect;
  readonly anchor: string;
  readonly section: string;
  readonly area: string;
  readonly isNew: boolean;
  readonly tests: readonly string[];
  readonly moreTests: number;
  readonly evidence: readonly ExchangeView[];
  readonly moreEvidence: number;
}

export interface RuleView {
  readonly rule: RuleReport;
  readonly shown: Shown;
  readonly why: string;
  readonly evidence: string;
  readonly isNew: boolean;
  readonly defects: readonly string[];
}

/** All that the template prints, so that the template decides nothing. */
export interface PageView {
  readonly report: ConformanceReport;
  readonly headline: string;
  readonly title: string;
  readonly tone: 'good' | 'bad' | 'open';
  /** What the run was judged on, where that was a part. */
  readonly scope: string | undefined;
  readonly repeats: string | undefined;
  /** What planted faults have shown of the suite. */
  readonly detection: string | undefined;
  readonly startedAt: string;
  readonly duration: string;
  readonly levels: readonly BarView[];
  readonly areas: readonly BarView[];
  readonly defects: readonly DefectView[];
  readonly groups: readonly {
    readonly area: string;
    readonly anchor: string;
    readonly text: string;
    readonly rules: readonly RuleView[];
  }[];
  readonly observations: readonly ObservationView[];
  readonly unasked: readonly ObservationView[];
  readonly samples: readonly ExchangeView[];
  readonly meanings: readonly { readonly shown: Shown; readonly sign: string; readonly text: string }[];
  readonly levelMeanings: readonly (readonly [string, string])[];
  readonly signs: Readonly<Record<Shown, string>>;
}

export interface ObservationView {
  readonly observation: ObservationReport;
  readonly answers: readonly { readonly text: string; readonly count: number }[];
  readonly before: readonly string[];
  readonly changed: boolean;
}

/** Turns a report into what its page shows. */
export function pageView(report: ConformanceReport, exchanges: ExchangeIndex): PageView {
  const rules = new Map(report.rules.map((rule) => [rule.id, rule]));
  const isNew = new Set(report.comparison?.newlyViolated ?? []);
  const used = new Set<string>();
  const defects = report.defects.map((defect, index): DefectView => {
    const found = defect.exchanges.flatMap((id) => exchanges.get(id) ?? []);
    const room = Math.max(0, EVIDENCE_IN_ALL - used.size);
    const shown = found.slice(0, Math.min(EVIDENCE_PER_DEFECT, room));
    for (const exchange of shown) used.add(exchange.id);
    const rule = rules.get(defect.rule);
    return {
      defect,
      anchor: `defect-${index + 1}`,
      section: rule?.section ?? '',
      area: rule?.area ?? '',
      isNew: isNew.has(defect.rule),
      tests: defect.tests.slice(0, TESTS_SHOWN),
      moreTests: Math.max(0, defect.tests.length - TESTS_SHOWN),
      evidence: shown.map((exchange) => exchangeView(exchange, report.target.baseUrl)),
      moreEvidence: found.length - shown.length,
    };
  });
  const areas = Object.keys(report.areas);
  const observations = report.observations.map(observationView);
  return {
    report,
    headline: headlineOf(report),
    title: `Conformance of ${report.target.name}`,
    tone: report.verdict === 'conforming' ? 'good' : report.verdict === 'violated' ? 'bad' : 'open',
    scope: scopeSentence(report),
    repeats: repeatsSentence(report.run),
    detection: report.run.detection && detectionSentence(report.run.detection),
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
    groups: areas.map((area) => ({
      area,
      anchor: `area-${area}`,
      text: barView(area, report.areas[area] as LevelTotals).text,
      rules: report.rules.filter((rule) => rule.area === area).map((rule) => ruleView(rule, isNew, defects)),
    })),
    observations: observations.filter((each) => each.answers.length > 0),
    unasked: observations.filter((each) => each.answers.length === 0),
    samples: samplesOf(exchanges, used).map((exchange) => exchangeView(exchange, report.target.baseUrl)),
    meanings: SHOWN.map((shown) => ({ shown, sign: SIGNS[shown], text: MEANINGS[shown] })),
    levelMeanings: Object.entries(LEVEL_MEANINGS),
    signs: SIGNS,
  };
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

function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
