import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import schema from '../../reports/conformance.schema.json' with { type: 'json' };
import type { ConformanceReport } from '../../reports/model.ts';
import { EXIT_CODES } from '../../reports/run-verdict.ts';
import type { HostileOutcome, HostileRow } from './run-hostile.ts';

const ajv = new Ajv2020();
addFormats.default(ajv);
const fits = ajv.compile(schema);

/** Beside conformance.json. */
const FILES = ['index.html', 'exchanges.ndjson', 'junit.xml', 'badge.svg', 'badge.json'];
/** Several times what the busiest process of a run needs on a right service (170 MiB). */
const MOST_MEMORY_MIB = 600;
/** All that a terminal may be sent: no colours, as nobody looks on. Marks that turn the direction of a text are none. */
export const COMMANDS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
export const STACK = /^\s+at .+(?:\d+:\d+\)?|\(native\)|<anonymous>\))$/m;

/** What is true of every run, whatever its target does. Throws where it is not. */
export function holds(row: HostileRow, outcome: HostileOutcome): void {
  const { report, output } = outcome;
  expect(report, output).toBeDefined();
  const told = report as ConformanceReport;
  expect([row.verdict].flat(), told.because).toContain(told.verdict);
  expect(outcome.code, output).toBe(EXIT_CODES[told.verdict]);
  if (row.because) expect(told.because).toMatch(row.because);
  expect(told.run.engineErrors).toEqual([]);
  expectComplete(outcome);
  expectNobodyAccused(row, told);
  if (outcome.code === 0) expectProof(told);
  expect(output).not.toMatch(COMMANDS);
  expect(output).not.toMatch(STACK);
  expect(outcome.peakMiB).toBeGreaterThan(20);
  expect(outcome.peakMiB).toBeLessThan(MOST_MEMORY_MIB);
  expect(outcome.seconds).toBeLessThan(row.mostSeconds);
  row.also?.(outcome);
}

function expectComplete({ folder, report }: HostileOutcome): void {
  for (const file of FILES) expect(existsSync(join(folder, file)), file).toBe(true);
  expect(fits(report), ajv.errorsText(fits.errors)).toBe(true);
  for (const line of readFileSync(join(folder, 'exchanges.ndjson'), 'utf8').split('\n'))
    if (line !== '') expect(JSON.parse(line)).toHaveProperty('request');
}

function expectNobodyAccused({ breaks = [], mayBreak }: HostileRow, report: ConformanceReport): void {
  if (mayBreak) return;
  const violated = report.rules.filter((rule) => rule.verdict === 'violated').map((rule) => rule.id);
  const unfounded = report.defects.filter((defect) => !breaks.includes(defect.rule));
  expect(unfounded, 'accused though the service keeps them').toEqual([]);
  for (const rule of breaks) expect(violated).toContain(rule);
}

/** Never green without proof. */
function expectProof(report: ConformanceReport): void {
  const inScope = report.rules.filter((rule) => rule.inScope !== false && rule.level === 'MUST');
  const judgeable = inScope.filter(
    (rule) => rule.excluded === undefined && rule.verdict !== 'not applicable',
  );
  expect(judgeable.length).toBeGreaterThan(0);
  expect(judgeable.filter((rule) => rule.verdict !== 'verified').map((rule) => rule.id)).toEqual([]);
}
