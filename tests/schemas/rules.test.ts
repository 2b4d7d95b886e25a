import { expect, test } from '@playwright/test';
import { loadObservationQuestions } from '../../schemas/observations.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { loadRules, ruleOf } from '../../schemas/rules.ts';
import { allCapabilities } from '../../target/profile.ts';

const AREAS = [
  'agents',
  'errors',
  'credentials',
  'quotes',
  'sca',
  'limits',
  'accounts',
  'customers',
  'platform',
  'events',
  'general',
];
const rules = loadRules();

test('ids are unique, and tell their area in words and not in numbers', () => {
  expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length);
  expect(rules.filter((rule) => !/^[A-Z][A-Z0-9]*(-[A-Z0-9]+)+$/.test(rule.id))).toEqual([]);
  // ERROR-CODE-400 is about the status 400; RULE-1 would be a running number.
  expect(rules.filter((rule) => /-\d{1,2}$/.test(rule.id))).toEqual([]);
});

test('every rule is complete', () => {
  for (const rule of rules) {
    expect(['MUST', 'SHOULD', 'MAY'], rule.id).toContain(rule.level);
    expect(AREAS, rule.id).toContain(rule.area);
    expect(rule.section.trim(), rule.id).not.toBe('');
    expect(rule.statement, rule.id).toMatch(/^.{15,}\.$/s);
    if (rule.excluded !== undefined) expect(rule.excluded.trim(), rule.id).not.toBe('');
    const keys = ['id', 'level', 'area', 'section', 'statement', 'needs', 'follows', 'excluded'];
    expect(
      Object.keys(rule).filter((key) => !keys.includes(key)),
      rule.id,
    ).toEqual([]);
  }
});

test('no two rules state the same', () => {
  expect(new Set(rules.map((rule) => rule.statement)).size).toBe(rules.length);
});

test('rules need only capabilities that a profile can declare, and each of those is needed', () => {
  const known = allCapabilities();
  for (const rule of rules)
    expect(
      rule.needs.filter((name) => !known.includes(name)),
      rule.id,
    ).toEqual([]);
  const needed = new Set(rules.flatMap((rule) => rule.needs));
  expect(known.filter((name) => !needed.has(name))).toEqual([]);
});

test('a rule that does not exist is a defect of the caller', () => {
  expect(() => ruleOf('NO-SUCH-RULE')).toThrow('schemas/rules/ has no rule NO-SUCH-RULE');
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
  const rows = readYaml('ambiguities.yaml') as {
    id: string;
    section: string;
    sentences: string[];
    readings: string[];
    accepted: string;
  }[];
  expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  for (const row of rows) {
    expect(row.section.trim(), row.id).not.toBe('');
    expect(row.sentences.length, row.id).toBeGreaterThan(0);
    expect(row.readings.length, row.id).toBeGreaterThan(1);
    expect(row.accepted.trim(), row.id).not.toBe('');
  }
});

test('each area has its file, and each file the rules of its area', () => {
  for (const area of AREAS) {
    const inFile = readYaml(`rules/${area}.yaml`) as { area: string }[];
    expect(new Set(inFile.map((rule) => rule.area))).toEqual(new Set([area]));
  }
});

test('a rule follows from rules that exist, and none from itself, by whatever way', () => {
  const follows = new Map(rules.map((rule) => [rule.id, rule.follows ?? []]));
  const causesOf = (id: string, way: readonly string[] = []): readonly string[] => {
    expect(way, [...way, id].join(' follows from ')).not.toContain(id);
    return (follows.get(id) ?? []).flatMap((cause) => [cause, ...causesOf(cause, [...way, id])]);
  };
  for (const { id } of rules) for (const cause of causesOf(id)) expect(follows.has(cause), cause).toBe(true);
});
