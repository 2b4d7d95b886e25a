import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readYaml } from '../../schemas/read-yaml.ts';
import { enumOf } from '../../schemas/values.ts';

interface Row {
  readonly code: string;
  readonly status: number;
  /** The spec whose check provokes it. */
  readonly spec?: string;
  /** Why no caller can provoke it on purpose. */
  readonly unprovoked?: string;
}

const ROOT = join(import.meta.dirname, '../..');
const rows = readYaml('error-codes.yaml') as readonly Row[];
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
    const path = join(ROOT, spec);
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
