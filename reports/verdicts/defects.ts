import { createHash } from 'node:crypto';
import type { Finding, Looked, Prepared, RecordedExchange } from '../../journal/types.ts';
import type { Rule } from '../../schemas/rules.ts';
import { type TestRecord } from '../journals/evidence.ts';
import type { Defect, DefectWeight, Level } from './model.ts';
import { findingsOf, placeOf } from '../../journal/findings.ts';
import type { Steadiness } from '../../doubt/run.ts';
import { ANYTHING, steadyWords } from '../../target/known-list.ts';

const LEVELS: readonly Level[] = ['MUST', 'SHOULD', 'MAY'];
const WEIGHTS: readonly DefectWeight[] = ['access', 'money', 'state', 'shape'];

/**
 * Merges all findings with the same rule and the same place into one defect: what an engineer has to repair once. The same
 * field within something larger is the same place. The worst come first: open before known, MUST before SHOULD, access and
 * money before state and shape, often seen before rarely seen.
 */
export function mergeDefects(
  tests: readonly TestRecord[],
  ruleOf: (id: string) => Rule | undefined,
): Defect[] {
  const groups = new Map<string, Sighting[]>();
  const outermost = outermostPlaces(tests);
  for (const test of tests) {
    for (const finding of test.journal ? findingsOf(test.journal) : []) {
      const key = placeOf(finding);
      const sighting = {
        finding,
        record: test,
        test: test.label,
        steadiness: test.steadiness?.get(key) ?? 'once',
      };
      const place = outermost(finding);
      const group = groups.get(place);
      if (group) group.push(sighting);
      else groups.set(place, [sighting]);
    }
  }
  return [...groups.values()].map((group) => defectOf(group, ruleOf)).sort(bySeverity);
}

/** The shortest place of a rule that another place of it ends with: `/createdAt` for `/quote/createdAt`. */
function outermostPlaces(tests: readonly TestRecord[]): (finding: Finding) => string {
  const places = new Map<string, Set<string>>();
  for (const { journal } of tests)
    for (const { rule, place } of journal ? findingsOf(journal) : [])
      places.set(rule, (places.get(rule) ?? new Set()).add(place));
  return ({ rule, place }) => {
    const ends = [...(places.get(rule) ?? [])].filter((one) => one.startsWith('/') && place.endsWith(one));
    return placeOf({ rule, place: ends.sort((left, right) => left.length - right.length)[0] ?? place });
  };
}

interface Sighting {
  readonly finding: Finding;
  readonly record: TestRecord;
  readonly test: string;
  readonly steadiness: Steadiness;
}

function defectOf(sightings: readonly Sighting[], ruleOf: (id: string) => Rule | undefined): Defect {
  // Of all that say the same, the story is told by the simplest test.
  const group = [...sightings].sort((left, right) => stepsOf(left) - stepsOf(right));
  const findings = group.map((entry) => entry.finding);
  const clearest = clearestOf(findings);
  const rule = ruleOf(clearest.rule);
  // One of another test would not fit the story.
  const { counterexample } = clearest;
  const known = findings.every((each) => each.known !== undefined) ? clearest.known : undefined;
  // The clearest finding's own evidence first: a reader opens the first exchange and should see the message in it.
  const exchanges = new Set([...clearest.exchanges, ...findings.flatMap((each) => each.exchanges)]);
  const best = group.find((entry) => entry.finding === clearest) as Sighting;
  return {
    id: defectId(clearest.rule, clearest.place),
    rule: clearest.rule,
    level: rule?.level ?? 'MUST',
    weight: clearest.place === clearest.rule ? (rule?.weight ?? 'state') : 'shape',
    place: clearest.place,
    headline: headlineOf(clearest, rule),
    title: rule?.statement ?? clearest.rule,
    message: clearest.message,
    count: findings.length,
    tests: [...new Set(group.map((entry) => entry.test))],
    exchanges: [...exchanges],
    seen: distinctSightings(group),
    steadiness: steadinessOf(group),
    ...(clearest.line === undefined ? {} : { line: clearest.line }),
    story: storyOf(best.record, clearest),
    ...(counterexample ? { counterexample } : {}),
    ...(known === undefined ? {} : { known }),
  };
}

/** How long a test is to read: its exchanges, and a made input comes after every written one. */
function stepsOf({ finding, record }: Sighting): number {
  return (record.journal?.exchanges.length ?? 0) + (finding.counterexample ? 1_000 : 0);
}

/** What came, in one line: what it is about, or else what its rule says, and what was seen. */
function headlineOf({ message, place }: Finding, rule: Rule | undefined): string {
  const statement = rule?.statement.replace(/\.$/, '');
  const isAlone = /^(?:expected |"the same\b)/.test(message);
  const seen = message
    .replace(/^"the same\b[^"\n]*": /, '')
    .replace(/^(.*): expected true, got false$/, 'Not so: $1')
    .replace(/^(.*): expected false, got true$/, 'Not as it must be: $1');
  const text = isAlone && statement ? `${statement}: ${seen}` : seen;
  const line = text
    .replace(/^"([^"\n]{1,200})": /, '$1: ')
    .replace(/\s+/g, ' ')
    .replace(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '$1…')
    .trim();
  // A field keeps its own spelling.
  return place === rule?.id && !/^[a-z]+[A-Z]/.test(line)
    ? `${line.charAt(0).toUpperCase()}${line.slice(1)}`
    : line;
}

function distinctSightings(group: readonly Sighting[]): NonNullable<Defect['seen']> {
  const tests = new Map<string, Set<string>>();
  for (const { finding, test } of group) {
    // Words about a made input are those of one seed, and of the way in which it was made smaller.
    const words = finding.counterexample ? ANYTHING : steadyWords(finding.message);
    tests.set(words, (tests.get(words) ?? new Set()).add(test));
  }
  return [...tests].map(([words, names]) => ({ words, tests: [...names] }));
}

/** One test that does not see it again makes it intermittent, whatever the others say. */
function steadinessOf(group: readonly Sighting[]): Steadiness {
  const order = ['intermittent', 'steady', 'once'] as const;
  return order.find((each) => group.some(({ steadiness }) => steadiness === each)) ?? 'once';
}

/** A finding with an exchange to look at, of the most frequent wording, and among those the shortest. */
function clearestOf(findings: readonly Finding[]): Finding {
  const frequency = new Map<string, number>();
  for (const { message } of findings) frequency.set(message, (frequency.get(message) ?? 0) + 1);
  const rank = (finding: Finding): readonly number[] => [
    finding.exchanges.length > 0 ? 0 : 1,
    finding.message.trim() === '' ? 1 : 0,
    finding.counterexample ? 1 : 0,
    -(frequency.get(finding.message) ?? 0),
    finding.message.length,
  ];
  return findings.reduce((best, next) => (isLess(rank(next), rank(best)) ? next : best));
}

function isLess(left: readonly number[], right: readonly number[]): boolean {
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? 0;
    if (value !== other) return value < other;
  }
  return false;
}

function bySeverity(left: Defect, right: Defect): number {
  return (
    Number(left.known !== undefined) - Number(right.known !== undefined) ||
    LEVELS.indexOf(left.level) - LEVELS.indexOf(right.level) ||
    WEIGHTS.indexOf(left.weight) - WEIGHTS.indexOf(right.weight) ||
    right.count - left.count ||
    left.rule.localeCompare(right.rule, 'en') ||
    left.place.localeCompare(right.place, 'en')
  );
}

/**
 * A defect's name: the same in every run, fit for an address and a file name. A breach at the rule itself is called by
 * the rule, one at another place by the rule and a short digest of the place.
 */
export function defectId(rule: string, place: string): string {
  const name = rule.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 100);
  if (place === rule && name === rule) return rule;
  return `${name}.${createHash('sha256')
    .update(JSON.stringify([rule, place]))
    .digest('hex')
    .slice(0, 6)}`;
}

interface ExpectedAndGot {
  readonly expected: string;
  readonly got?: string;
}

/** The ways in which messages of checks and shapes turn from what should be to what is. */
const TURNS = [
  /^(?<expected>[\s\S]*?)[,;.]?\s+(?:but )?(?:got|seen|saw|Seen|Received|received|Got)(?::|\s)\s*(?<got>[\s\S]+)$/,
  /^(?<what>[\s\S]*?) is answered with (?<got>[\s\S]+), not with (?<expected>[\s\S]+)$/,
  /^(?<what>\S+) must be (?<expected>[\s\S]*?), but is (?<got>[\s\S]+)$/,
  /^(?<expected>[\s\S]*?), but is (?<got>[\s\S]+)$/,
  /^(?<expected>\S+) is missing(?<got>)$/,
];

/** Splits a message of a check into what was expected and what came. */
export function expectedAndGot(message: string): ExpectedAndGot {
  for (const turn of TURNS) {
    const { what, expected, got } = turn.exec(message.trim())?.groups ?? {};
    if (!expected || got === undefined) continue;
    const plain = expected.replace(/^Expected:?\s+/i, '').trim();
    return { expected: what ? `${what}: ${plain}` : plain, got: got.trim() || 'nothing' };
  }
  return { expected: message.trim() };
}

/** How one test came to show a breach. */
export interface Story {
  /** The test, as reports name it. */
  readonly test: string;
  /** Where the test begins, such as `specs/agents/approval.spec.ts:12`. */
  readonly location?: string;
  readonly prepared: readonly Prepared[];
  /** Ids of all exchanges of that attempt, in order of time. */
  readonly exchanges: readonly string[];
  /** The exchange that shows the breach best. */
  readonly breach?: string;
  /** Where in the answers the check looked. */
  readonly looked: readonly Looked[];
  /** The twin that was accepted, or whatever comes nearest to it. */
  readonly control?: string;
}

/** The attempt that a record belongs to: ids count up behind it. */
function attemptOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('.')));
}

function storyOf(test: TestRecord, finding: Finding): Story {
  const all = test.journal?.exchanges ?? [];
  const attempt = attemptOf(finding.exchanges.at(-1) ?? all.at(-1)?.id ?? '');
  const own = all.filter(({ id }) => attemptOf(id) === attempt);
  const looked = finding.looked ?? [];
  const evidence = own.filter(({ id }) => finding.exchanges.includes(id));
  const breach = wrongOf(evidence, finding);
  const control = breach && controlOf(own, breach, finding, test.journal?.controls ?? []);
  return {
    test: test.label,
    ...(test.location === undefined ? {} : { location: test.location }),
    prepared: (test.journal?.prepared ?? []).filter(({ id }) => attemptOf(id) === attempt),
    exchanges: own.map(({ id }) => id),
    ...(breach ? { breach: breach.id } : {}),
    looked,
    ...(control ? { control: control.id } : {}),
  };
}

/** Messages name the answer that they are about; where none is named, the last one looked at is the one. */
function wrongOf(evidence: readonly RecordedExchange[], { message }: Finding): RecordedExchange | undefined {
  return evidence.findLast(({ label }) => message.includes(`"${label}"`)) ?? evidence.at(-1);
}

/** One that the test needed to be accepted, else one that the check held against it, else a success of the same kind. */
function controlOf(
  own: readonly RecordedExchange[],
  breach: RecordedExchange,
  finding: Finding,
  controls: readonly string[],
): RecordedExchange | undefined {
  const others = own.filter(
    ({ id, arrived, response }) => id !== breach.id && !arrived && response !== undefined,
  );
  const same = others.filter(({ operation }) => operation !== undefined && operation === breach.operation);
  return (
    same.find(({ id }) => controls.includes(id)) ??
    same.find(({ id }) => finding.exchanges.includes(id)) ??
    same.find(({ response }) => Math.floor((response?.status ?? 0) / 100) === 2) ??
    others.find(({ id }) => controls.includes(id))
  );
}
