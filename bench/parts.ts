import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyTests, replay } from './floor.ts';
import { root, scratch } from '../tests/support/run-assay.ts';
import { settingsOf, spawnSandbox } from '../tests/support/sandbox-process.ts';
import { runPlaywright, runSuite, type SuiteRun } from './run-suite.ts';

/** One line of the table. */
export interface Row {
  readonly what: string;
  /** The measured value, with its unit. */
  readonly value: string;
  /** What it is held against, where it is a ratio. */
  readonly ratio?: number;
  /** What we want it to be at most. */
  readonly aim?: number;
}

/** Tests at once where the part does not vary them. */
const WORKERS = 2;
const STARTS = 5;
/** Requests a second that a service with a rate limit may take. */
const PACE = 20;

type Part = (specs: readonly string[], told: (line: string) => void) => Promise<readonly Row[]>;

/** The parts of the bench, by the letter that `--only` takes. */
export const PARTS: Readonly<Record<string, { readonly title: string; readonly measure: Part }>> = {
  a: { title: 'Against its floor', measure: againstFloor },
  b: { title: 'With more workers', measure: moreWorkers },
  c: { title: 'With latency', measure: withLatency },
  pace: { title: `At ${PACE} requests a second`, measure: paced },
  start: { title: 'A worker’s start', measure: workerStart },
};

async function againstFloor(specs: readonly string[], told: (line: string) => void): Promise<readonly Row[]> {
  const suite = await runSuite(specs, { WORKERS: String(WORKERS) });
  told(`the suite: ${seconds(suite.wall)}`);
  const files = new Set(suite.journal.map(({ test }) => test.split(' › ')[0])).size;
  const bare = await replay(suite, WORKERS);
  const empty = await emptyTests(suite.tests, files, WORKERS);
  const again = await runSuite(specs, { WORKERS: String(WORKERS) });
  const wall = Math.min(suite.wall, again.wall);
  return [
    {
      what: `the suite: ${suite.tests} tests, ${suite.journal.length} exchanges, ${WORKERS} workers (the better of two)`,
      value: `${seconds(wall)}, ${seconds(suite.cpu)} of processor time`,
    },
    { what: `the same exchanges, bare, ${WORKERS} at once`, value: seconds(bare) },
    { what: `as many empty tests in ${files} files, ${WORKERS} workers`, value: seconds(empty) },
    { what: 'the suite against both together', value: '', ratio: wall / (bare + empty), aim: 2.3 },
  ];
}

async function moreWorkers(specs: readonly string[], told: (line: string) => void): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let one: number | undefined;
  for (const workers of [1, 2, 4]) {
    const { wall, cpu } = await runSuite(specs, { WORKERS: String(workers) });
    told(`${workers} workers: ${seconds(wall)}`);
    one ??= wall;
    rows.push({
      what: `${workers} ${workers === 1 ? 'worker' : 'workers'}, against one`,
      value: `${seconds(wall)}, ${seconds(cpu)} of processor time`,
      ratio: wall / one,
    });
  }
  return rows;
}

/** Latencies that a user may meet, in milliseconds, and within how many seconds a run should end there. */
const LATENCIES = [
  [0, 30],
  [50, 50],
  [150, 100],
] as const;

async function withLatency(specs: readonly string[], told: (line: string) => void): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [latency, aim] of LATENCIES) {
    await using sandbox = await spawnSandbox('--latency', String(latency));
    const run = await runSuite(specs, settingsOf(sandbox, 'default'));
    const { test, seconds: chain } = longestChain(run);
    told(`${latency} ms: ${seconds(run.wall)}`);
    rows.push({
      what: `${latency} ms, against ${aim} s; its longest chain takes ${seconds(chain)}: ${test}`,
      value: seconds(run.wall),
      ratio: run.wall / aim,
      aim: 1,
    });
  }
  return rows;
}

async function paced(specs: readonly string[], told: (line: string) => void): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const depth of ['quick', 'standard']) {
    await using sandbox = await spawnSandbox();
    const settings = { ...settingsOf(sandbox, 'default'), PACE: String(PACE), DEPTH: depth };
    const { wall, tests, journal } = await runSuite(specs, settings);
    told(`${depth}: ${seconds(wall)}`);
    rows.push({
      what: `\`DEPTH=${depth}\`: ${tests} tests, ${journal.length} exchanges beside those that prepare states`,
      value: `${(wall / 60).toFixed(1)} min`,
    });
  }
  return rows;
}

/** From the start of the process to the first line of its first test, with everything ready that a test needs. */
async function workerStart(): Promise<readonly Row[]> {
  const folder = scratch('start');
  try {
    const times = join(folder, 'times');
    writeFileSync(times, '');
    for (let start = 0; start < STARTS; start += 1)
      writeFileSync(
        join(folder, `${start}.spec.ts`),
        // Another value of a worker's fixture takes another worker.
        `import { appendFileSync } from 'node:fs';
         import { test } from ${JSON.stringify(join(root, 'suite/index.ts'))};
         test.use({ world: 'world.start${start}' });
         test('start', async ({ given, check, need, observe, platform }) => {
           void given, void check, void need, void observe, void platform;
           const { user, system } = process.cpuUsage();
           appendFileSync(${JSON.stringify(times)}, performance.now() + ' ' + (user + system) / 1000 + '\\n');
         });`,
      );
    writeConfig(folder);
    const { output } = await runPlaywright(
      ['test', '--config', folder],
      { WORKERS: '1', REPORT_DIR: join(folder, 'out') },
      [0, 1, 2],
    );
    const lines = readFileSync(times, 'utf8').trim().split('\n');
    if (lines.length !== STARTS)
      throw new Error(`not every worker came to its test:\n${output.slice(-2_000)}`);
    const rows = lines.map((line) => line.split(' ').map(Number));
    const middle = (column: number) => median(rows.map((row) => row[column] ?? 0)) / 1_000;
    return [
      {
        what: `from the start of its process to its first test (median of ${rows.length})`,
        value: `${seconds(middle(0))}, ${seconds(middle(1))} of processor time`,
        ratio: middle(0) / 0.4,
        aim: 1,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The suite's own configuration for the specs of another folder. */
function writeConfig(folder: string): void {
  writeFileSync(
    join(folder, 'playwright.config.ts'),
    `import base from ${JSON.stringify(join(root, 'playwright.config.ts'))};
     const at = (path) => ${JSON.stringify(root)} + path;
     export default { ...base, testDir: '.', globalSetup: at('global-setup.ts'),
       reporter: base.reporter.map(([path, options]) => [at(path), options]),
       webServer: { ...base.webServer, cwd: at('') } };`,
  );
}

/** The test that has to wait longest for answers, those under way at once counted once. */
function longestChain(run: SuiteRun): { readonly test: string; readonly seconds: number } {
  let longest = { test: '', seconds: 0 };
  for (const test of new Set(run.journal.map((each) => each.test))) {
    let waited = 0;
    let until = 0;
    const spans = run.journal
      .filter((each) => each.test === test)
      .map(({ at, milliseconds }) => ({ from: Date.parse(at), to: Date.parse(at) + milliseconds }))
      .sort((a, b) => a.from - b.from);
    for (const { from, to } of spans) {
      waited += Math.max(0, to - Math.max(from, until));
      until = Math.max(until, to);
    }
    if (waited / 1_000 > longest.seconds) longest = { test, seconds: waited / 1_000 };
  }
  return longest;
}

function seconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
