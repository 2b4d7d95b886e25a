import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machineSpeed } from '../machine-speed.ts';
import { digest, leftByFile, type MeasuredLine } from './measured.ts';
import { jsonRows } from '../../schemas/json.ts';

const USAGE = `Runs the whole suite on the sandbox, three times in some minutes, and writes down for each rule what has to be prepared for it, and
what the tests cost and leave behind: after every change of specs/.
Usage: npm run states:measure`;

/** Anything but --help is a mistake, and must not start a run. */
function readArguments(): void {
  try {
    if (!parseArgs({ options: { help: { type: 'boolean' } } }).values.help) return;
    console.log(USAGE);
    process.exit(0);
  } catch (error) {
    console.error(
      `${(error as Error).message.split('. ')[0]}; npm run states:measure takes none but --help.`,
    );
    process.exit(2);
  }
}

readArguments();
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'assay-measure-'));
const byPublicCalls = join(folder, 'profile.yaml');
writeFileSync(byPublicCalls, 'baseUrl: embedded\npreparation: public-calls\n');

/** A run of the whole suite, and what each of its tests took. */
function run(kind: string, env: Readonly<Record<string, string>>) {
  const file = join(folder, `${kind}.ndjson`);
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'test', '--reporter', './reports/reporter.ts'],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env, REPORT_DIR: join(folder, kind), ASSAY_MEASURE: file },
    },
  );
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return { status, lines: lines.map((line) => JSON.parse(line) as MeasuredLine) };
}

const states = run('states', {});
// Public calls alone prepare less than the whole.
const standard = run('public-calls', { PROFILE: byPublicCalls });
const quick = run('quick', { PROFILE: byPublicCalls, DEPTH: 'quick' });
if (states.status === 0) {
  const measured = {
    ...digest(states.lines),
    byPublicCalls: [...new Set(standard.lines.flatMap(({ rules }) => rules))].sort(),
    left: leftByFile({ states: states.lines, standard: standard.lines, quick: quick.lines }),
    workMs: (await machineSpeed()).cpuMs,
  };
  writeFileSync(fileURLToPath(new URL('measured.json', import.meta.url)), jsonRows(measured));
  console.log(`${states.lines.length} tests measured; npm run docs brings the guide up to date.`);
} else console.error('The run on the sandbox is not conforming, so nothing was measured: mend that first.');
rmSync(folder, { recursive: true, force: true });
process.exitCode = states.status ?? 2;
