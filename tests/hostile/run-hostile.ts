import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunVerdict } from '../../reports/model.ts';
import { runAssay, scratch, type Outcome } from '../support/run-assay.ts';
import type { SandboxProcess } from '../support/sandbox-process.ts';
import { hostileProxy, type HostileProxy, type Mischief } from './proxy.ts';

export interface HostileRun {
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
const USUAL_SPECS = ['authentication', 'action-object', 'approval-needed', 'spending-limits'].map(
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
