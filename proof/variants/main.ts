import { proofDigest } from '../../reports/detection.ts';
import { commit, preparePublicly, workerCount, readArguments, stop, today, wholeOf } from '../command.ts';
import { Judge } from '../judge-world.ts';
import { KeptRows, Progress, durationInWords } from '../long-run.ts';
import { drawn } from '../matrix/plan.ts';
import { learnDefaultWorld } from '../reach/default-world.ts';
import { WorkerPool } from '../runner/worker-pool.ts';
import { writeTrust } from '../trust/page.ts';
import { coveringSeeds, factors, pairsIn, seeds, type Seed } from './covering.ts';
import {
  type JudgedRow,
  type VariantRow,
  isFair,
  judged,
  readShowsLess,
  variantLines,
  variantRow,
} from './row.ts';
import { leftOpenAlone } from './parts.ts';

const USAGE = `Runs the suite against services that differ in what the interface leaves open: is anybody accused, is anything lost?
Usage: npm run variants -- [options]
  --seeds N     N worlds; the first ones cover all pairs of differences (default: as many as that takes)
  --only N      the N-th world alone
  --sample N    N of the worlds, drawn by lot
  --lot TEXT    what the lot is drawn with (default: the day)
  --specs PATH  only specs whose path below specs/ begins like this, such as agents/sequences
  --public-calls  prepares by public calls: is anybody accused? What is lost is told, and no failure
  --fresh       begins anew, where a run that was ended would be gone on with
  --help        this text
Each world draws its inputs from the seed of its number; SEED is added to it, and draws others.
WORKERS is the number of processes (default: one for each core).`;

const { values } = readArguments(
  {
    seeds: { type: 'string' },
    only: { type: 'string' },
    sample: { type: 'string' },
    lot: { type: 'string' },
    specs: { type: 'string' },
    'public-calls': { type: 'boolean' },
    fresh: { type: 'boolean' },
  },
  USAGE,
);
const publicly = values['public-calls'] === true;
if (publicly) preparePublicly();
const worlds = chosenSeeds();
const showsLess = readShowsLess();
const digest = proofDigest();
const only = values.specs ?? '';
// Rows of other inputs are of no use.
const inputs = process.env['SEED'] === undefined ? '' : `-seed-${process.env['SEED']}`;
const way = publicly ? '-public' : '';
const kept = new KeptRows<VariantRow>(`variants${way}${slug(only)}${inputs}`, digest);
if (values.fresh) kept.clear();
const pool = await WorkerPool.start(workerCount(), only);
if (pool.tests.length === 0) {
  pool.end();
  stop(`No spec below specs/ begins with ${only}.`);
}
try {
  const world = await learnDefaultWorld(pool, { digest, kind: `default${slug(only)}`, once: true });
  const judge = new Judge(world.tests);
  const whole = judge.judge(world.outcomes);
  const open = publicly ? [] : leftOpenAlone(judge, world);
  // Of a part of the specs only the rules that its tests name: what else it shows, it shows by chance.
  const named = new Set(pool.tests.flatMap(({ rules }) => rules));
  const byDefault = only === '' ? whole : { ...whole, rules: whole.rules.filter(({ id }) => named.has(id)) };
  const rows = new Map(kept.all().map((row) => [row.seed, row]));
  const left = worlds.filter(({ number }) => !rows.has(number));
  const progress = new Progress('worlds', left.length, left.length);
  await Promise.all(
    left.map(async (seed) => {
      const done = await pool.run({
        world: `world.seed-${seed.number}`,
        tests: world.tests.map(({ id }) => id),
        seed,
      });
      const row = variantRow(
        seed.number,
        [...seed.options, ...seed.dialects],
        judge.judge(new Map(done.map((outcome) => [outcome.test, outcome]))),
        byDefault,
      );
      kept.add(row);
      rows.set(row.seed, row);
      const seen = judged(row, showsLess);
      if (!isFair(seen, publicly)) console.log(variantLines(seen).join('\n'));
      progress.add(1);
    }),
  );
  const all = worlds.map(({ number }) => judged(rows.get(number)!, showsLess));
  tell(all, open);
  if (only === '' && !publicly && worlds.length >= coveringSeeds().length)
    await writeTrust({
      variants: {
        date: new Date().toISOString(),
        commit: commit(),
        digest,
        differences: factors.length,
        pairs: pairsIn(worlds),
        rows: all.map(({ differences: _differences, ...row }) => row),
      },
    });
} finally {
  pool.end();
}

function slug(path: string): string {
  return path.replace(/[^a-z]+/g, '-').replace(/^(?=.)/, '-');
}

function chosenSeeds(): readonly Seed[] {
  const all = values.seeds === undefined ? coveringSeeds() : seeds(wholeOf('seeds', values.seeds));
  if (values.only !== undefined) {
    const number = wholeOf('only', values.only);
    return seeds(number).filter((seed) => seed.number === number);
  }
  return values.sample === undefined
    ? all
    : drawn(all, wholeOf('sample', values.sample), values.lot ?? today(), ({ number }) => `${number}`);
}

function tell(rows: readonly JudgedRow[], open: readonly string[]): void {
  const bad = rows.filter((row) => !isFair(row, publicly));
  const { shown, all } = pairsIn(worlds);
  if (bad.length > 0) console.log(`\n${bad.flatMap(variantLines).join('\n')}`);
  if (open.length > 0) console.log(`\n${open.join('\n')}`);
  console.log(
    `\n${rows.length} worlds that differ in ${factors.length} things, ${shown} of ${all} pairs of ways, in ${durationInWords(performance.now() / 1_000)}: ${rows.filter(({ accused }) => accused.length > 0).length} accused, ${rows.filter(({ lost }) => lost.length > 0).length} less verified than by default`,
  );
  console.log(`${rows.length - bad.length} passed, ${bad.length + open.length} failed`);
  if (bad.length + open.length > 0 || rows.length === 0) process.exitCode = 1;
}
