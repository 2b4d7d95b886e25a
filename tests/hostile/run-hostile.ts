import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import schema from '../../reports/conformance.schema.json' with { type: 'json' };
import type { RunVerdict, ConformanceReport } from '../../reports/verdicts/model.ts';
import { EXIT_CODES } from '../../reports/verdicts/run-verdict.ts';
import { runAssay, scratch, type Outcome } from '../support/run-assay.ts';
import type { SandboxProcess } from '../support/sandbox-process.ts';
import { hostileProxy, type HostileProxy, type Mischief } from './proxy.ts';

interface HostileRun {
  /** What the target does. */
  readonly target?: Mischief;
  /** What the provider-states URL does; by default it is the right service's own. */
  readonly states?: Mischief;
  /** Last path segment of the base URL. */
  readonly version?: string;
  /** Runs before, with the provider-states URL of the right service. */
  readonly before?: (statesUrl: string) => Promise<void>;
  /** Runs beside: restarts the target, for instance. */
  readonly meanwhile?: (target: HostileProxy, states: HostileProxy) => Promise<void>;
  /** Specs to run; all tests of a part of the suite. */
  readonly specs?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Default 1, so that the same request meets the same mischief each time. */
  readonly workers?: number;
}

/** What became of a run. */
export interface HostileOutcome extends Outcome {
  /** How long it took. */
  readonly seconds: number;
  /** Most memory that one of its processes has held. */
  readonly peakMiB: number;
}

/** A hostile target, and what a run on it must come to. */
export interface HostileRow extends HostileRun {
  readonly name: string;
  /** The verdict of the run; several where chance decides what the mischief hits. The exit code follows from it. */
  readonly verdict: RunVerdict | readonly RunVerdict[];
  /** Longest time of the run: several times what a quiet machine needs, as two runs share it. */
  readonly mostSeconds: number;
  /** The sentence that says why, or a part of it. */
  readonly because?: RegExp;
  /** Rules that the row really breaks. Nobody else may be accused. */
  readonly breaks?: readonly string[];
  /** The row breaks what it happens to meet, so that anything may be accused. */
  readonly mayBreak?: true;
  /** It waits most of its time, so that several run side by side. */
  readonly waits?: true;
  /** What else must be true; throws where it is not. */
  readonly also?: (outcome: HostileOutcome) => void;
}

/** Has every process of a run write down its peak memory, in KiB, when it ends. */
const NOTE_PEAK = `data:text/javascript,${encodeURIComponent(
  `import { appendFileSync } from 'node:fs';
   process.on('exit', () => appendFileSync(process.env.PEAK_FILE, process.resourceUsage().maxRSS + '\\n'));`,
)}`;

/** Some 40 tests of agents that take little time: authentication, approvals, limits, refusals. */
const USUAL_SPECS = ['authentication', 'actions', 'approval', 'spending-limits'].map(
  (name) => `specs/agents/${name}.spec.ts`,
);

let worlds = 0;

/** Runs a part of the suite against a right service behind a hostile proxy. */
export async function runHostile(service: SandboxProcess, run: HostileRun): Promise<HostileOutcome> {
  const pass: Mischief = () => true;
  await using target = await hostileProxy(service.origin, run.target ?? pass);
  await using states = await hostileProxy(service.origin, run.states ?? pass);
  const world = `world.hostile-${process.pid}-${(worlds += 1)}`;
  await run.before?.(`${service.origin}/${world}/provider-states`);
  const peaks = join(scratch('peak'), 'peaks.txt');
  const started = performance.now();
  const meanwhile = run.meanwhile?.(target, states);
  const outcome = await runAssay(
    {
      BASE_URL: `${target.origin}/${world}/${run.version ?? '2025-10-13'}`,
      CLIENT_ID: 'sandbox',
      CLIENT_SECRET: 'sandbox-secret',
      PROVIDER_STATES_URL: `${states.origin}/${world}/provider-states`,
      WORKERS: String(run.workers ?? 1),
      NODE_OPTIONS: `--import ${NOTE_PEAK}`,
      PEAK_FILE: peaks,
      ...run.env,
    },
    [...(run.specs ?? USUAL_SPECS), ...(run.args ?? [])],
  );
  const seconds = (performance.now() - started) / 1_000;
  await meanwhile;
  const kib = readFileSync(peaks, 'utf8').trim().split('\n').map(Number);
  return { ...outcome, seconds, peakMiB: Math.round(Math.max(...kib) / 1_024) };
}

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
  // One assertion, as each costs more than what it looks at.
  const lines = readFileSync(join(folder, 'exchanges.ndjson'), 'utf8').split('\n').filter(Boolean);
  expect(lines.filter((line) => !('request' in (JSON.parse(line) as object)))).toEqual([]);
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
