import { spawn } from 'node:child_process';
import { childEnvironment, root, runAssay, type Outcome } from '../support/run-assay.ts';
import { hostileProxy, type HostileProxy, type Mischief } from './proxy.ts';

/** The reference sandbox as a service of its own. */
export interface RightService extends AsyncDisposable {
  readonly origin: string;
}

/** Starts the reference sandbox; its worlds keep the tests apart. */
export async function rightService(): Promise<RightService> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/main.ts', '--port', '0'], {
    cwd: root,
    env: childEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const origin = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /listening on (https?:\/\/[^/\s]+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', () => reject(new Error(`the sandbox ended: ${text}`)));
  });
  return {
    origin,
    async [Symbol.asyncDispose]() {
      child.kill();
    },
  };
}

export interface HostileRun {
  /** What the target does. */
  readonly target?: Mischief;
  /** What the provider-states URL does; by default it is the right service's own. */
  readonly states?: Mischief;
  /** Runs beside: restarts the target, for instance. */
  readonly meanwhile?: (target: HostileProxy, states: HostileProxy) => Promise<void>;
  /** Specs to run; all tests of a part of the suite. */
  readonly specs?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly workers?: number;
}

/** What became of a run, and how long it took in seconds. */
export interface HostileOutcome extends Outcome {
  readonly seconds: number;
}

/** Some 60 tests of transfers: money, approvals, idempotency, refusals. */
const USUAL_SPECS = [
  'specs/agents/approval-needed.spec.ts',
  'specs/agents/approval.spec.ts',
  'specs/agents/idempotency.spec.ts',
  'specs/agents/spending-limits.spec.ts',
  'specs/agents/request-remittance.spec.ts',
  'specs/agents/permission.spec.ts',
];

let worlds = 0;

/** Runs a part of the suite against a right service behind a hostile proxy. */
export async function runHostile(service: RightService, run: HostileRun): Promise<HostileOutcome> {
  const pass: Mischief = () => true;
  await using target = await hostileProxy(service.origin, run.target ?? pass);
  await using states = await hostileProxy(service.origin, run.states ?? pass);
  const world = `world.hostile-${process.pid}-${(worlds += 1)}`;
  const started = performance.now();
  const meanwhile = run.meanwhile?.(target, states);
  const outcome = await runAssay(
    {
      BASE_URL: `${target.origin}/${world}/2025-10-13`,
      CLIENT_ID: 'sandbox',
      CLIENT_SECRET: 'sandbox-secret',
      PROVIDER_STATES_URL: `${states.origin}/${world}/provider-states`,
      WORKERS: String(run.workers ?? 2),
      ...run.env,
    },
    [...(run.specs ?? USUAL_SPECS), ...(run.args ?? [])],
  );
  await meanwhile;
  return { ...outcome, seconds: (performance.now() - started) / 1_000 };
}
