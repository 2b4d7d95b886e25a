import { proofDigest } from '../../reports/detection.ts';
import { commit, workerCount, readArguments, shardOf, today, wholeOf } from '../command.ts';
import { Judge } from '../judge-world.ts';
import { KeptRows, Progress, durationInWords } from '../long-run.ts';
import { drawn } from '../matrix/plan.ts';
import { learnDefaultWorld, type DefaultWorld } from '../reach/default-world.ts';
import { WorkerPool } from '../runner/worker-pool.ts';
import { writeTrust } from '../trust/page.ts';
import { mutatedSandbox, type Mutant } from './instrument.ts';
import { type MutantRow, explanationOf, mutantLine, mutantRow, nameable, readSurvivors } from './row.ts';

const USAGE = `Changes the sandbox's behaviour mechanically, one small change at a time: does the suite notice?
Usage: npm run mutants -- [options]
  --sample N    N mutants drawn by lot (default: all of them)
  --lot TEXT    what the lot is drawn with (default: the day)
  --shard I/N   the I-th of N parts, for N machines
  --fresh       begins anew, where a run that was ended would be gone on with
  --help        this text
WORKERS is the number of processes (default: one for each core).`;

const { values } = readArguments(
  {
    sample: { type: 'string' },
    lot: { type: 'string' },
    shard: { type: 'string' },
    fresh: { type: 'boolean' },
  },
  USAGE,
);
const shard = shardOf(values.shard);
const most = values.sample === undefined ? undefined : wholeOf('sample', values.sample);
const survivors = readSurvivors();
const size = workerCount();
const digest = proofDigest();
const kept = new KeptRows<MutantRow>('mutants', digest, shard && `${shard.index}-of-${shard.of}`);
if (values.fresh) kept.clear();

const { folder, mutants } = await mutatedSandbox(digest);
const pool = await WorkerPool.start(size, '', folder);
try {
  const world = await learnDefaultWorld(pool, { digest, kind: 'mutated' });
  const judge = new Judge(world.tests);
  const verified = new Set(
    judge.judge(world.outcomes).rules.flatMap(({ id, verdict }) => (verdict === 'verified' ? [id] : [])),
  );
  const met = testsByMutant(world);
  const awake = mutants.filter(({ id, atLoad }) => !atLoad || met.has(id));
  const lot = most === undefined ? awake : drawn(awake, most, values.lot ?? today(), nameOf);
  const mine = shard ? lot.filter((_mutant, index) => index % shard.of === shard.index - 1) : lot;
  const rows = new Map(kept.all().map((row) => [row.id, row]));
  const open = mine.filter(({ id }) => !rows.has(id));
  const weightOf = ({ id }: Mutant) => (met.get(id) ?? []).length + 1;
  const progress = new Progress(
    'mutants',
    open.length,
    open.reduce((sum, one) => sum + weightOf(one), 0),
  );
  await Promise.all(
    [...open]
      .sort((a, b) => weightOf(b) - weightOf(a))
      .map(async (mutant) => {
        const tests = met.get(mutant.id) ?? [];
        const row = tests.length === 0 ? unreached(mutant) : await metBy(mutant, tests);
        kept.add(row);
        rows.set(row.id, row);
        progress.add(weightOf(mutant));
      }),
  );
  tell(
    mine.map(({ id }) => rows.get(id)!),
    awake.length,
  );
  await writeTrust({
    mutants: {
      date: new Date().toISOString(),
      commit: commit(),
      digest,
      made: awake.length,
      tried: mine.length,
      named: mine.filter(({ id }) => rows.get(id)?.fate === 'named').length,
      rows: mine.map(({ id }) => rows.get(id)!).filter(({ fate }) => fate !== 'named'),
    },
  });

  async function metBy(mutant: Mutant, tests: readonly string[]): Promise<MutantRow> {
    const done = await pool.run({
      world: `world.mutant-${mutant.id}`,
      tests,
      mutant: mutant.id,
      until: 'named',
    });
    const outcomes = new Map([...world.outcomes, ...done.map((outcome) => [outcome.test, outcome] as const)]);
    return mutantRow(mutant, judge.judge(outcomes), verified, tests.length);
  }
} finally {
  pool.end();
}

/** Files and lines move, so the text is what counts. */
function nameOf({ kind, was, becomes }: Mutant): string {
  return `${kind} ${was} ${becomes}`;
}

/** Tests that meet a mutant, those that meet the fewest first: they are the likeliest to be about it. */
function testsByMutant({ tests, outcomes }: DefaultWorld): ReadonlyMap<string, readonly string[]> {
  const meets = (id: string) => outcomes.get(id)?.reached?.mutants ?? [];
  const byMutant = new Map<string, string[]>();
  for (const { id } of [...tests].sort((a, b) => meets(a.id).length - meets(b.id).length))
    for (const mutant of meets(id)) byMutant.set(mutant, [...(byMutant.get(mutant) ?? []), id]);
  return byMutant;
}

function unreached(mutant: Mutant): MutantRow {
  return { ...mutant, fate: 'never reached', tests: 0 };
}

function tell(rows: readonly MutantRow[], made: number): void {
  const quiet = rows.filter(({ fate }) => fate !== 'named');
  const unexplained = quiet.filter((row) => !explanationOf(row, survivors));
  for (const row of quiet.filter(({ fate }) => fate !== 'never reached')) console.log(mutantLine(row));
  const of = (fate: MutantRow['fate']) => rows.filter((row) => row.fate === fate).length;
  console.log(
    `\n${rows.length} of ${made} mutants in ${durationInWords(performance.now() / 1_000)}: ${of('named')} named, ${of('in doubt')} left in doubt, ${of('unnoticed')} unnoticed, ${of('never reached')} never reached; of these ${quiet.length - unexplained.length} explained in proof/mutants/survivors.yaml`,
  );
  console.log(`${of('named')} of the ${nameable(rows.length, quiet, survivors)} that a rule can name`);
  console.log(`${rows.length - unexplained.length} passed, ${unexplained.length} failed`);
  if (unexplained.length > 0 || rows.length === 0) process.exitCode = 1;
}
