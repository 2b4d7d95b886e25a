import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { proofDigest } from '../../reports/detection.ts';
import type { Fault } from '../../sandbox/faults/fault.ts';
import { commit, workerCount, readArguments, shardOf, stop, today, wholeOf } from '../command.ts';
import { Judge } from '../judge-world.ts';
import { KeptRows, Progress, durationInWords } from '../long-run.ts';
import { chosenFaults, drawn } from '../matrix/plan.ts';
import { WORK_FOLDER } from '../reach/default-world.ts';
import { WorkerPool } from '../runner/worker-pool.ts';
import { WatchedSandbox } from '../runner/watched-sandbox.ts';
import { Limit } from '../runner/serve-tasks.ts';
import { writeTrust } from '../trust/page.ts';
import { type ScriptRow, isRight, lineOf, summaryOf, runScript } from './script.ts';

const USAGE = `Runs every script that a report gives to repeat a defect: on the broken sandbox it must see the breach again, on the
right one it must not.
Usage: npm run reproduce -- [names] [options]
  names         of faults or rules, or how they begin (default: all faults)
  --sample N    N faults drawn by lot
  --lot TEXT    what the lot is drawn with (default: the day)
  --shard I/N   the I-th of N parts, for N machines
  --fresh       begins anew, where a run that was ended would be gone on with
  --help        this text
WORKERS is the number of processes (default: one for each core). Scripts are kept in test-results/proof/reproduce.`;

/** Faults at once in each process: their scripts start processes of their own. */
const AT_ONCE = 3;

const { values, positionals } = readArguments(
  {
    sample: { type: 'string' },
    lot: { type: 'string' },
    shard: { type: 'string' },
    fresh: { type: 'boolean' },
  },
  USAGE,
);
const shard = shardOf(values.shard);
const candidates = chosenFaults(positionals);
const most = values.sample === undefined ? candidates.length : wholeOf('sample', values.sample);
const chosen = drawn(candidates, most, values.lot ?? today(), ({ name }) => name);
const mine = shard ? chosen.filter((_, index) => index % shard.of === shard.index - 1) : chosen;
if (mine.length === 0) stop('This part has no fault: choose fewer parts.');
const digest = proofDigest();
const kept = new KeptRows<ScriptRow>('reproduce', digest, shard && `${shard.index}-of-${shard.of}`);
if (values.fresh) kept.clear();

const size = workerCount();
const limit = new Limit(size * AT_ONCE);
const { origin } = await WatchedSandbox.start();
const pool = await WorkerPool.start(size);
try {
  const judge = new Judge(pool.tests);
  const done = new Set(kept.all().map(({ fault }) => fault));
  const open = mine.filter(({ name }) => !done.has(name));
  const progress = new Progress('faults', open.length, open.length);
  await Promise.all(
    open.map((fault) =>
      limit.run(async () => {
        for (const row of await rowsOf(fault, pool, judge)) {
          kept.add(row);
          if (!isRight(row)) console.log(lineOf(row));
        }
        progress.add(1);
      }),
    ),
  );
  const names = new Set(mine.map(({ name }) => name));
  const rows = kept.all().filter(({ fault }) => names.has(fault));
  console.log(`\n${durationInWords(progress.seconds)}: ${summaryOf(rows)}`);
  const wrong = rows.filter((row) => !isRight(row));
  console.log(`${rows.length - wrong.length} passed, ${wrong.length} failed`);
  if (wrong.length > 0) process.exitCode = 1;
  if (mine.length === chosenFaults([]).length)
    await writeTrust({
      reproduce: {
        date: new Date().toISOString(),
        commit: commit(),
        digest,
        summary: summaryOf(rows),
        wrong,
      },
    });
} finally {
  pool.end();
}
// The sandbox of this process would keep it alive.
process.exit();

/** The defects that name the fault's own rule, as a report of that world has them, and what their scripts say. */
async function rowsOf(
  { name, breaks }: Fault,
  pool: WorkerPool,
  reports: Judge,
): Promise<readonly ScriptRow[]> {
  const own = pool.tests.filter(({ rules }) => rules.includes(breaks)).map(({ id }) => id);
  const outcomes = await pool.run({ world: `fault.${name}`, tests: own, keepsExchanges: true });
  const { defects, files } = reports.defects(new Map(outcomes.map((one) => [one.test, one])));
  const about = { fault: name, rule: breaks };
  const found = defects.filter(({ rule }) => rule === breaks);
  if (found.length === 0) return [{ ...about, why: 'no defect was found by the tests of the rule' }];
  return Promise.all(
    found.map(async ({ reproducer }): Promise<ScriptRow> => {
      if (reproducer?.script === undefined) return { ...about, why: reproducer?.noScript ?? 'no story' };
      const file = join(WORK_FOLDER, 'reproduce', name, reproducer.script);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, files[reproducer.script] as string);
      const broken = await runScript(file, origin, `fault.${name}`);
      const right = await runScript(file, origin, 'default');
      const output = broken.code === 1 ? right.output : broken.output;
      return { ...about, broken: broken.code, right: right.code, said: lastLines(output) };
    }),
  );
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-4).join('\n').slice(0, 600);
}
