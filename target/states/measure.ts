import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { yardstick } from '../yardstick.ts';
import { jsonRows } from './json-rows.ts';
import { digest, type MeasuredLine } from './measured.ts';

const USAGE = `Runs the whole suite on the sandbox, about half a minute, and writes down for each rule what has to be prepared for it, and
what the tests cost: after every change of specs/.
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
const file = process.env['ASSAY_MEASURE'] ?? join(folder, 'tests.ndjson');
const { status } = spawnSync(
  process.execPath,
  ['node_modules/@playwright/test/cli.js', 'test', '--reporter', './reports/reporter.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, REPORT_DIR: folder, ASSAY_MEASURE: file } },
);
if (status === 0) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const tests = digest(lines.map((line) => JSON.parse(line) as MeasuredLine));
  const measured = { ...tests, yardMs: (await yardstick()).cpuMs };
  writeFileSync(fileURLToPath(new URL('measured.json', import.meta.url)), jsonRows(measured));
  console.log(`${lines.length} tests measured; npm run docs brings the guide up to date.`);
} else console.error('The run on the sandbox is not conforming, so nothing was measured: mend that first.');
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 2;
