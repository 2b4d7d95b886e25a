import type { Prepared, RecordedExchange } from '../../journal/types.ts';
import { type Story, expectedAndGot } from '../verdicts/defects.ts';
import type { ConformanceReport, Defect, ExchangeIndex } from '../verdicts/model.ts';
import { exchangeView, type ExchangeView } from './exchange-view.ts';

/** A page with thousands of exchanges opens slowly; the rest is in exchanges.ndjson. */
const EXCHANGES_IN_ALL = 400;
const EXCHANGES_OF_ONE = 30;
const TESTS_SHOWN = 8;

export interface DefectView {
  readonly defect: Defect;
  readonly anchor: string;
  readonly shown: 'violated' | 'known';
  readonly section: string;
  readonly area: string;
  readonly isNew: boolean;
  /** As teams call it: `critical`, `major` or `minor`. */
  readonly severity: string;
  /** Where it is seen, and how often: `POST /quotes and 3 more · 228 tests`. */
  readonly where: string;
  /** Since when, in a few words; empty where no earlier run is known. */
  readonly since: string;
  /** The day since when it is seen, for the list; empty for what is new or has no history. */
  readonly sinceDay: string;
  readonly howOften: string;
  readonly prepared: readonly string[];
  /** What changed something, where `breach` only reads the outcome. */
  readonly cause?: ExchangeView;
  readonly expected: string;
  readonly got: string;
  readonly breach?: ExchangeView;
  readonly control?: ExchangeView;
  readonly timeline: readonly (
    | { readonly kind: 'prepared'; readonly text: string; readonly at: string }
    | { readonly kind: 'exchange'; readonly exchange: ExchangeView; readonly role: string }
  )[];
  readonly moreExchanges: number;
  readonly tests: readonly string[];
  readonly moreTests: number;
  /** What to set before the script is run. */
  readonly scriptCommand?: string;
  readonly link?: { readonly href: string | undefined; readonly text: string };
}

/** The defects as the page tells them. The first ones have their whole story; a page of hundreds would not open. */
export function defectViews(report: ConformanceReport, exchanges: ExchangeIndex): DefectView[] {
  const rules = new Map(report.rules.map((rule) => [rule.id, rule]));
  const changes = report.comparison?.defects;
  const isNew = new Set(changes ? changes.new : []);
  const newRules = new Set(changes ? [] : (report.comparison?.newlyViolated ?? []));
  let room = EXCHANGES_IN_ALL;
  const isOpenAndNew = ({ id, rule, known }: Defect) =>
    known === undefined && (isNew.has(id) || newRules.has(rule));
  // Within what is violated, a reader of every day looks for what was not there yesterday.
  const ordered = report.defects
    .map((defect, index) => ({
      defect,
      rank: defect.known === undefined ? (isOpenAndNew(defect) ? 0 : 1) : 2,
      index,
    }))
    .sort((left, right) => left.rank - right.rank || left.index - right.index);
  return ordered.map(({ defect }): DefectView => {
    const { story } = defect;
    const told = storyExchanges(defect, exchanges);
    const shown = told.slice(0, Math.max(0, Math.min(EXCHANGES_OF_ONE, room)));
    room -= shown.length;
    const view = (exchange: RecordedExchange) =>
      exchangeView(exchange, report.target.baseUrl, placesIn(story, exchange.id));
    const breach = told.find(({ id }) => id === story?.breach) ?? told[0];
    const cause = breach && causeOf(breach, told, defect);
    const control = story && told.find(({ id }) => id === story.control);
    const { expected, got } = expectedAndGot(defect.message);
    const rule = rules.get(defect.rule);
    return {
      defect,
      anchor: `defect-${defect.id}`,
      shown: defect.known === undefined ? 'violated' : 'known',
      section: rule?.section ?? '',
      area: rule?.area ?? '',
      isNew: isNew.has(defect.id) || newRules.has(defect.rule),
      severity: severityOf(defect),
      where: whereOf(defect, cause ?? breach, exchanges, report.target.baseUrl),
      since: sinceText(defect),
      sinceDay: defect.since && defect.since.of > 1 ? defect.since.first.slice(0, 10) : '',
      howOften: howOften(defect),
      prepared: preparedTexts(story, told),
      ...(cause ? { cause: view(cause) } : {}),
      expected: plainly(expected) || defect.title,
      got: got ?? (breach ? outcomeOf(breach) : ''),
      // That the read was answered is not what is wrong.
      ...(breach ? { breach: { ...view(breach), ...(cause && { isStatusMarked: false }) } } : {}),
      ...(control ? { control: view(control) } : {}),
      timeline: timelineOf(story, shown, view),
      moreExchanges: told.length - shown.length,
      tests: defect.tests.slice(0, TESTS_SHOWN),
      moreTests: Math.max(0, defect.tests.length - TESTS_SHOWN),
      ...scriptCommand(defect, report, story),
      ...linkOf(defect),
    };
  });
}

/** What concerns access or money is critical; advice that is not followed is minor. */
function severityOf({ level, weight }: Defect): string {
  if (level !== 'MUST' || weight === 'shape') return 'minor';
  return weight === 'state' ? 'major' : 'critical';
}

function whereOf(
  { exchanges: ids, tests }: Defect,
  breach: RecordedExchange | undefined,
  exchanges: ExchangeIndex,
  baseUrl: string,
): string {
  const all = [...(breach ? [breach] : []), ...ids.flatMap((id) => exchanges.get(id) ?? [])];
  const [first, ...more] = new Set(all.filter(({ arrived }) => !arrived).map((one) => callOf(one, baseUrl)));
  const count = `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}`;
  if (first === undefined) return count;
  return `${first}${more.length === 0 ? '' : ` and ${more.length} more`} · ${count}`;
}

/** Method and path of a request, ids left out. */
function callOf({ request: { method, url } }: RecordedExchange, baseUrl: string): string {
  // The embedded sandbox has an address of its own in each worker.
  const path = baseUrl !== '' && url.startsWith(baseUrl) ? url.slice(baseUrl.length) : behindVersion(url);
  return `${method} ${path.replace(/\?.*$/, '').replace(/\/[^/]*[0-9a-f]{8}-[0-9a-f-]{20,}/gi, '/{id}')}`;
}

function behindVersion(url: string): string {
  return new URL(url).pathname.replace(/^.*?\/\d{4}-\d\d-\d\d(?=\/)/, '');
}

/** Reports of an earlier version tell no story: then the evidence is all there is. */
function storyExchanges(defect: Defect, exchanges: ExchangeIndex): RecordedExchange[] {
  const ids = defect.story && defect.story.exchanges.length > 0 ? defect.story.exchanges : defect.exchanges;
  return ids.flatMap((id) => exchanges.get(id) ?? []);
}

/** What a read shows the outcome of: the last thing that the check was about and that changed something. */
function causeOf(
  breach: RecordedExchange,
  told: readonly RecordedExchange[],
  { exchanges: evidence }: Defect,
): RecordedExchange | undefined {
  if (breach.request.method !== 'GET') return undefined;
  const before = told.slice(0, told.indexOf(breach));
  return before.findLast(({ id, request }) => request.method !== 'GET' && evidence.includes(id));
}

function placesIn(story: Story | undefined, id: string): readonly string[] {
  return (story?.looked ?? []).filter(({ exchange }) => exchange === id).flatMap(({ pointers }) => pointers);
}

function preparedTexts(story: Story | undefined, told: readonly RecordedExchange[]): string[] {
  if (!story) return [];
  const before = told.findIndex(({ id }) => id === story.breach);
  const states = story.prepared.map(preparedText);
  if (before > 0)
    states.push(
      `${before} earlier ${before === 1 ? 'request' : 'requests'} of the test, in the timeline below`,
    );
  return states;
}

function preparedText({ state, params, by }: Prepared): string {
  const details = Object.entries(params).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const how =
    by === 'provider-states' ? '' : by === 'public-calls' ? ', by public calls' : ', from the fixtures file';
  return `the state “${state}”${details.length > 0 ? ` with ${details.join(', ')}` : ''}${how}`;
}

function timelineOf(
  story: Story | undefined,
  shown: readonly RecordedExchange[],
  view: (exchange: RecordedExchange) => ExchangeView,
): DefectView['timeline'] {
  const role = (id: string) =>
    id === story?.breach
      ? 'here it shows'
      : id === story?.control
        ? 'control'
        : story?.looked.some(({ exchange }) => exchange === id)
          ? 'looked at'
          : '';
  const steps: DefectView['timeline'][number][] = [
    ...(story?.prepared ?? []).map((one) => ({
      kind: 'prepared' as const,
      text: preparedText(one),
      at: one.at,
    })),
    ...shown.map((one) => ({ kind: 'exchange' as const, exchange: view(one), role: role(one.id) })),
  ];
  const time = (step: DefectView['timeline'][number]) =>
    step.kind === 'prepared' ? step.at : step.exchange.at;
  return steps.sort((left, right) => (time(left) < time(right) ? -1 : time(left) > time(right) ? 1 : 0));
}

function outcomeOf({ response, failure }: RecordedExchange): string {
  return response ? `status ${response.status}` : (failure ?? 'no answer');
}

function sinceText({ since }: Defect): string {
  if (!since) return '';
  if (since.of === 1) return 'first seen in this run';
  const day = (iso: string) => iso.slice(0, 10);
  if (since.seenIn === since.of) return `since ${day(since.first)}, in each of ${since.of} runs`;
  return `first seen ${day(since.first)}, in ${since.seenIn} of ${since.of} runs since`;
}

/** What was sent stands above it already, and that it is expected beside it. */
function plainly(expected: string): string {
  return expected
    .replace(/^"[^"\n]{1,200}": (?:expected )?/, '')
    .replace(/: expected /, ': ')
    .trim();
}

function howOften({ count, tests, steadiness }: Defect): string {
  const times = count === 1 ? 'once' : `${count} times`;
  const where = tests.length > 1 ? ` in ${tests.length} tests` : '';
  const again = {
    steady: '; steady: the repeat showed it again',
    intermittent: '; intermittent: a repeat did not show it',
    once: '',
  };
  return `${times}${where}${again[steadiness]}`;
}

function scriptCommand(defect: Defect, { target }: ConformanceReport, story: Story | undefined) {
  const script = defect.reproducer?.script;
  if (script === undefined) return {};
  const needsStates = story?.prepared.some(({ by }) => by === 'provider-states') ?? false;
  const origin = 'http://127.0.0.1:4010/default';
  const base = target.embedded ? `${origin}/2025-10-13` : target.baseUrl;
  const states = target.embedded ? `${origin}/provider-states` : '…';
  const settings = [
    `BASE_URL=${base}`,
    // The sandbox says at its start which ones it takes; no report holds a secret, not even that.
    'CLIENT_ID=…',
    'CLIENT_SECRET=…',
    ...(needsStates ? [`PROVIDER_STATES_URL=${states}`] : []),
  ];
  return { scriptCommand: `${settings.join(' ')} \\\n  node ${script}` };
}

/** Only an address of the web is a link: the list is somebody's file. */
function linkOf({ link }: Defect): Pick<DefectView, 'link'> {
  if (link === undefined) return {};
  const href = /^https?:\/\//i.test(link) ? link : undefined;
  return { link: { href, text: link } };
}
