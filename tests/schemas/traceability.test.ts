import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { faults } from '../../sandbox/faults/index.ts';
import { loadObservationQuestions } from '../../schemas/observations.ts';
import { readYaml } from '../../schemas/read-yaml.ts';
import { loadRules } from '../../schemas/rules.ts';
import { enumOf } from '../../schemas/values.ts';

/** A rule is a row, a check and a fault: one of them missing is a gap that a report would not show. */
const root = join(import.meta.dirname, '../..');
const applicable = loadRules().filter((rule) => rule.excluded === undefined);
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

test('every planted fault breaks a rule of the catalogue, and has a name of its own', () => {
  const ids = new Set(loadRules().map(({ id }) => id));
  expect(
    faults
      .filter(({ breaks, also = [] }) => [breaks, ...also].some((id) => !ids.has(id)))
      .map(({ name }) => name),
  ).toEqual([]);
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

for (const status of [400, 401, 403, 404, 409, 423, 429, 500])
  test(`every code of ${status} is provoked by a spec or listed with the reason why it cannot be`, () => {
    const catalogued = rows.filter((row) => row.status === status).map(({ code }) => code);
    expect([...catalogued].sort()).toEqual([...listed(status)].sort());
  });

test('a code has a spec or a reason, and not both', () => {
  for (const { code, spec, unprovoked } of rows) {
    expect(
      [spec, unprovoked].filter((one) => one !== undefined),
      code,
    ).toHaveLength(1);
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
