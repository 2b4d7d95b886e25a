import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { alternativesOf, loadObservationQuestions, loadRules } from '../../schemas/rules.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { allCapabilities } from '../../target/profile.ts';
import { faults } from '../../sandbox/faults/index.ts';
import { enumOf } from '../../schemas/openapi.ts';
import { MEASURED } from '../../target/states/measured.ts';

const AREAS = [
  ...['agents', 'errors', 'credentials', 'quotes', 'sca', 'limits'],
  ...['accounts', 'customers', 'platform', 'events', 'general'],
];
/** Headings of the interface, as rows write them before ` > `. */
const HEADINGS = [
  ...['Conventions', 'What the service does', 'Resources', 'States and transitions', 'Endpoints'],
  'Operations that are named but whose shapes are not described',
  ...['Authentication', 'Events', 'Errors', 'Limits', 'Versioning'],
];
const KEYS = ['id', 'level', 'weight', 'area', 'section', 'statement', 'needs', 'follows', 'excluded'];
const rules = loadRules();

test('no two rules have one id or one sentence, and ids tell their area in words and not in numbers', () => {
  expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length);
  expect(new Set(rules.map((rule) => rule.statement)).size).toBe(rules.length);
  // ERROR-CODE-400 is about the status 400; RULE-1 would be a running number.
  const isWords = (id: string) => /^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$/.test(id) && !/-\d{1,2}$/.test(id);
  expect(rules.filter((rule) => !isWords(rule.id))).toEqual([]);
});

test('every rule is complete, and stands in the file of its area', () => {
  const isComplete = (rule: (typeof rules)[number]) =>
    ['MUST', 'SHOULD', 'MAY'].includes(rule.level) &&
    AREAS.includes(rule.area) &&
    HEADINGS.includes(rule.section.split(' > ')[0] as string) &&
    /^.{15,}\.$/s.test(rule.statement) &&
    rule.excluded?.trim() !== '' &&
    Object.keys(rule).every((key) => KEYS.includes(key));
  expect(rules.filter((rule) => !isComplete(rule))).toEqual([]);
  for (const area of AREAS) {
    const inFile = readYaml(`rules/${area}.yaml`) as { area: string }[];
    expect(new Set(inFile.map((rule) => rule.area))).toEqual(new Set([area]));
  }
});

test('rules need only capabilities that a profile can declare, and each of those is needed', () => {
  const known = allCapabilities();
  const needed = rules.flatMap((rule) => rule.needs.flatMap(alternativesOf));
  expect([...new Set(needed)].sort()).toEqual([...known].sort());
});

test('questions of observations have unique ids and a known area', () => {
  const questions = loadObservationQuestions();
  expect(new Set(questions.map((question) => question.id)).size).toBe(questions.length);
  for (const { id, area, question } of questions) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(AREAS, id).toContain(area);
    expect(question, id).toMatch(/\?$/);
  }
});

test('every ambiguity gives its sentences, at least two readings, and what the suite accepts', () => {
  const rows = readYaml('ambiguities.yaml') as Record<string, string | string[]>[];
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  for (const { id, section, sentences, readings, accepted } of rows) {
    expect([section, sentences?.[0], readings?.[1], accepted].filter(Boolean), String(id)).toHaveLength(4);
  }
});

test('a rule follows from rules that exist, and none from itself, by whatever way', () => {
  const follows = new Map(rules.map((rule) => [rule.id, rule.follows ?? []]));
  const wrong: string[] = [];
  const follow = (id: string, way: readonly string[]): void => {
    if (way.includes(id) || !follows.has(id)) wrong.push([...way, id].join(' follows from '));
    else for (const cause of follows.get(id) ?? []) follow(cause, [...way, id]);
  };
  for (const { id } of rules) follow(id, []);
  expect(wrong).toEqual([]);
});

/** A rule is a row, a check and a fault: one of them missing is a gap that a report would not show. */
const root = join(import.meta.dirname, '../..');
const applicable = rules.filter((rule) => rule.excluded === undefined);
const specs = readdirSync(join(root, 'specs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(root, 'specs', name), 'utf8'))
  .join('\n');
const shapes = readFileSync(join(root, 'schemas/openapi.yaml'), 'utf8');

test('every rule has a check: in specs/ or as a shape of openapi.yaml', () => {
  const has = (text: string, id: string) => new RegExp(`${id}(?![A-Z0-9-])`).test(text);
  expect(applicable.filter(({ id }) => !has(specs, id) && !has(shapes, id)).map(({ id }) => id)).toEqual([]);
});

test('every MUST has a planted fault', () => {
  const broken = new Set(faults.flatMap((fault) => [fault.breaks, ...(fault.also ?? [])]));
  expect(
    applicable.filter(({ id, level }) => level === 'MUST' && !broken.has(id)).map(({ id }) => id),
  ).toEqual([]);
});

test('every planted fault breaks a rule of the catalogue, and has a sentence and a name of its own', () => {
  const ids = new Set(rules.map(({ id }) => id));
  const isRight = ({ name, breaks, also = [], says }: (typeof faults)[number]) =>
    [breaks, ...also].every((id) => ids.has(id)) &&
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) &&
    says.endsWith('.');
  expect(faults.filter((fault) => !isRight(fault)).map(({ name }) => name)).toEqual([]);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

test('every open question is asked by a spec', () => {
  const unasked = loadObservationQuestions().filter(({ id }) => !specs.includes(`'${id}'`));
  expect(unasked.map(({ id }) => id)).toEqual([]);
});

/** An error code of schemas/error-codes.yaml. */
interface CodeRow {
  readonly code: string;
  readonly status: number;
  /** The spec whose check provokes it. */
  readonly spec?: string;
  /** Why no caller can provoke it on purpose. */
  readonly unprovoked?: string;
}

const rows = readYaml('error-codes.yaml') as readonly CodeRow[];
const document = readYaml('openapi.yaml') as {
  components: { responses: Record<string, { 'x-known-codes'?: string[] }> };
};

const listed = (status: number): readonly string[] =>
  [409, 423, 429].includes(status)
    ? (document.components.responses[`Error${status}`]?.['x-known-codes'] ?? [])
    : enumOf(`ErrorCode${status}`);

test('every code is provoked by a spec or listed with the reason why it cannot be', () => {
  for (const status of [400, 401, 403, 404, 409, 423, 429, 500]) {
    const catalogued = rows.filter((row) => row.status === status).map(({ code }) => code);
    expect([...catalogued].sort(), String(status)).toEqual([...listed(status)].sort());
  }
  for (const { code, spec, unprovoked } of rows) {
    expect((spec === undefined) !== (unprovoked === undefined), code).toBe(true);
    if (unprovoked !== undefined) expect(unprovoked, code).toMatch(/^[A-Z].{15,}\.$/);
  }
});

test('the spec of a code names it', () => {
  for (const { code, spec } of rows) {
    if (spec === undefined) continue;
    const path = join(root, spec);
    expect(existsSync(path), `${code}: ${spec}`).toBe(true);
    const text = readFileSync(path, 'utf8');
    // A spec may take the code from a helper of its folder.
    const helpers = [...text.matchAll(/from '(\.\.?\/support\/[\w-]+\.ts)'/g)].map(([, file]) =>
      readFileSync(join(path, '..', file ?? ''), 'utf8'),
    );
    expect(
      [text, ...helpers].some((one) => one.includes(code)),
      `${spec} does not name ${code}`,
    ).toBe(true);
  }
});

test('the measured run knows every rule that can be shown, and no other; npm run states:measure brings it up to date', () => {
  const rules = loadRules();
  const known = new Set(rules.map(({ id }) => id));
  expect(Object.keys(MEASURED.rules).filter((id) => !known.has(id))).toEqual([]);
  const shown = rules.filter(({ excluded }) => excluded === undefined).map(({ id }) => id);
  expect(shown.filter((id) => MEASURED.rules[id] === undefined)).toEqual([]);
});
