import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import { EMBEDDED_ENV } from '../../suite/run/embedded-sandbox.ts';
import { whyNoWorld } from '../../sandbox/worlds.ts';
import { proofDigest } from '../../reports/detection.ts';
import { preparePublicly, workerCount, readArguments, shardOf, stop, today, wholeOf } from '../command.ts';
import { Judge } from '../judge-world.ts';
import { KeptRows, Progress, durationInWords } from '../long-run.ts';
import { learnDefaultWorld } from '../reach/default-world.ts';
import { WorkerPool } from '../runner/worker-pool.ts';
import { writeTrust } from '../trust/page.ts';
import {
  type Selection,
  chosenFaults,
  differenceFor,
  drawn,
  heaviestFirst,
  legalWorldFor,
  planOf,
  testsNear,
} from './plan.ts';
import { type Row, isGood, lineOf, rowOf, withUnvouched, writeRecord } from './row.ts';

/** So many faults are tried by somebody who waits. */
const FEW = 20;
const USAGE = `Plants one fault at a time in the sandbox: does the suite name the broken rule, and no other?
Usage: npm run matrix -- [names] [options]
  names             of faults or rules, or how they begin (default: all faults). Up to ${FEW} faults are tried with the specs of
                    their areas alone, unless a run of all has learned already which tests meet what
  --every           runs every test that can end otherwise, about five times as long; else those that name the fault's rule,
                    and some of the others by lot
  --sample N        N faults drawn by lot; what tests meet is looked at once for them, and twice for all
  --lot TEXT        what the lot is drawn with (default: the day)
  --shard I/N       the I-th of N parts, for N machines
  --public-calls    prepares by public calls: a rule may be left open then, but no fault of it may be missed
  --beside SEED     plants them in the legal world variant.SEED; where its difference takes a fault's place, none is left.
                    Drawn for each fault with the lot: SEED "each" is one difference alone, "own" a legal world of many
  --sound           runs the whole suite with Playwright too, about a minute a fault: is the same accused?
  --fresh           begins anew, where a run that was ended would be gone on with
  --help            this text
WORKERS is the number of processes (default: one for each core).`;

const { values, positionals } = readArguments(
  {
    every: { type: 'boolean' },
    sample: { type: 'string' },
    lot: { type: 'string' },
    shard: { type: 'string' },
    'public-calls': { type: 'boolean' },
    beside: { type: 'string' },
    sound: { type: 'boolean' },
    fresh: { type: 'boolean' },
  },
  USAGE,
);
if (values.sound && values.sample === undefined && positionals.length === 0)
  stop('--sound takes about a minute a fault: name some faults, or draw some with --sample.');
const publicly = values['public-calls'] === true;
if (publicly) preparePublicly();
const variant = values.beside === undefined ? undefined : `variant.${values.beside}`;
const noWorld = variant && whyNoWorld(variant);
if (noWorld !== undefined) stop(noWorld);
const lot = values.lot ?? today();
const draw = values.beside === 'each' ? differenceFor : values.beside === 'own' ? legalWorldFor : undefined;
const besideOf = (fault: string) => draw?.(fault, lot) ?? values.beside;
const worldOf = (fault: string) => {
  const seed = besideOf(fault);
  return `${seed ? `variant.${seed}~` : ''}fault.${fault}`;
};
const selection: Selection = values.every ? 'every' : 'drawn';
const shard = shardOf(values.shard);
const candidates = chosenFaults(positionals);
const most = values.sample === undefined ? candidates.length : wholeOf('sample', values.sample);
const size = workerCount();
const digest = proofDigest();
const few = positionals.length > 0 && candidates.length <= FEW && selection === 'drawn' && !values.sound;
const once = values.sample !== undefined && selection === 'drawn';
const kept = new KeptRows<Row>(
  `matrix-${variant ? `${variant}-` : ''}${publicly ? 'public-' : ''}${few ? 'few' : once ? 'sample' : selection}`,
  digest,
  shard && `${shard.index}-of-${shard.of}`,
);
if (values.fresh || few) kept.clear();

const startedAt = performance.now();
const pool = await WorkerPool.start(size);
try {
  const world = await learnDefaultWorld(pool, {
    digest,
    ...(variant && !draw ? { home: variant } : {}),
    once,
    few: few ? testsNear(candidates, pool.tests) : undefined,
  });
  const judge = new Judge(world.tests);
  const verified = new Set(
    judge.judge(world.outcomes).rules.flatMap(({ id, verdict }) => (verdict === 'verified' ? [id] : [])),
  );
  // Another lot draws other differences: what was seen beside them says nothing here.
  const still = kept.all().filter(({ fault, beside }) => !draw || beside === besideOf(fault));
  const rows = new Map(still.map((row) => [row.fault, row]));
  const chosen = values.sample === undefined ? candidates : drawn(candidates, most, lot, ({ name }) => name);
  const plans = heaviestFirst(chosen.map((fault) => planOf(fault, world, selection)));
  const mine = shard ? plans.filter((_plan, index) => index % shard.of === shard.index - 1) : plans;
  const open = mine.filter(({ fault }) => !rows.has(fault.name));
  if (open.length < mine.length)
    console.log(
      `${mine.length - open.length} of ${mine.length} faults are done already; --fresh begins anew.`,
    );
  const progress = new Progress(
    'faults',
    open.length,
    open.reduce((sum, { weight }) => sum + weight, 0),
  );
  await Promise.all(
    open.map(async ({ fault, tests, others, reaching, weight }) => {
      const outcomes = new Map(world.outcomes);
      const look = async (ids: readonly string[], run: number): Promise<Row> => {
        const done = ids.length === 0 ? [] : await pool.run({ world: worldOf(fault.name), tests: ids });
        for (const outcome of done) outcomes.set(outcome.test, outcome);
        const met = { run, reaching };
        const row = rowOf(fault, judge.judge(outcomes), verified, met);
        return withUnvouched(row, rowOf(fault, judge.judge(outcomes, []), verified, met));
      };
      const first = await look(tests, tests.length);
      // A control may blame a rule that its test does not name: nothing is missed before all have looked.
      const isNamed = first.fate === 'caught' && first.unvouched === undefined;
      const last = isNamed || others.length === 0 ? first : await look(others, reaching);
      const row = draw ? { ...(await unlessReplaced(last)), beside: besideOf(fault.name)! } : last;
      kept.add(row);
      rows.set(fault.name, row);
      progress.add(weight);
    }),
  );
  const told = mine.map(({ fault }) => rows.get(fault.name)!);
  tell(told);
  if (values.sound) await compare(told);
  const all = chosenFaults([]).flatMap(({ name }) => rows.get(name) ?? []);
  if (!once && !few && !publicly && !variant && all.length === chosenFaults([]).length) {
    writeRecord(all, world.tests.length, digest);
    await writeTrust();
  }
} finally {
  pool.end();
}

/** A legal difference may take a fault's place, or leave its function without a caller: there nothing is to be seen. */
async function unlessReplaced(row: Row): Promise<Row> {
  if (row.fate === 'caught') return row;
  const own = pool.tests.filter(({ rules }) => rules.includes(row.breaks));
  const tests = own.map(({ id }) => id);
  const seen = await pool.run({ world: `variant.${besideOf(row.fault)}`, tests, watched: true });
  const isMet = seen.some(({ reached }) => reached?.faults.includes(row.fault));
  const why = row.hint ? `; ${row.hint}` : '';
  return isMet
    ? row
    : { ...row, fate: 'never reached', hint: `none that names its rule meets it there${why}` };
}

/** One after the other: such a run takes all cores by itself. */
async function compare(all: readonly Row[]): Promise<void> {
  for (const row of all) {
    const here = [
      ...(row.fate === 'caught' ? [row.breaks] : []),
      ...(row.also ?? []),
      ...(row.wrongly ?? []),
    ].sort();
    const there = await accusedByWholeRun(worldOf(row.fault));
    const isSame = here.join() === there.join();
    if (!isSame) process.exitCode = 1;
    console.log(
      `${isSame ? 'the same' : 'DIFFERENT'}  ${row.fault}: ${here.join(', ') || 'nobody'}${isSame ? '' : ` here, ${there.join(', ') || 'nobody'} in a whole run`}`,
    );
  }
}

function tell(rows: readonly Row[]): void {
  const bad = rows.filter((row) => !isGood(row, publicly));
  const worthALook = rows.filter((row) => row.fate !== 'caught' || bad.includes(row));
  if (worthALook.length > 0) console.log(`\n${worthALook.map(lineOf).join('\n')}`);
  const unvouched = rows.flatMap(({ fault, breaks, unvouched: said }) =>
    said ? [{ fault, breaks, ...said }] : [],
  );
  if (unvouched.length > 0)
    console.log(`\nWhere no profile vouches for anything:\n${unvouched.map(lineOf).join('\n')}`);
  const of = (fate: Row['fate']) => rows.filter((row) => row.fate === fate).length;
  console.log(
    `\n${rows.length} ${rows.length === 1 ? 'fault' : 'faults'} in ${durationInWords((performance.now() - startedAt) / 1_000)}: ${of('caught')} caught by their own rule, ${of('in doubt')} left in doubt, ${of('missed')} missed, ${of('never reached')} never reached; ${rows.filter(({ wrongly }) => wrongly).length} with wrong accusations`,
  );
  console.log(`${rows.length - bad.length} passed, ${bad.length} failed`);
  if (bad.length > 0 || rows.length === 0) process.exitCode = 1;
}

/**
 * Runs the whole suite on a world of the sandbox as users do: with Playwright, its processes and its reports.
 *
 * @returns ids of the rules that its report calls violated, in order
 * @throws Error where it left no report
 */
async function accusedByWholeRun(world: string): Promise<readonly string[]> {
  const root = join(import.meta.dirname, '../..');
  const folder = mkdtempSync(join(tmpdir(), 'assay-sound-'));
  try {
    const child = spawn(
      process.execPath,
      [
        join(root, 'node_modules/@playwright/test/cli.js'),
        'test',
        '--reporter',
        './reports/reporter.ts',
        '--output',
        join(folder, 'results'),
      ],
      {
        cwd: root,
        env: { ...process.env, [EMBEDDED_ENV.world]: world, REPORT_DIR: join(folder, 'report') },
        stdio: 'ignore',
      },
    );
    await new Promise((resolve) => child.on('close', resolve));
    const text = readFileSync(join(folder, 'report/conformance.json'), 'utf8');
    const { rules } = JSON.parse(text) as ConformanceReport;
    return rules.flatMap(({ id, verdict }) => (verdict === 'violated' ? [id] : [])).sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
