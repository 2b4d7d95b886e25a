import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { yardstick } from '../yardstick.ts';
import { digest, type MeasuredLine } from './measured.ts';

/**
 * `npm run states:measure`, after every change of specs/: runs the suite on the sandbox, and writes down for each rule what
 * has to be prepared for it, and what the tests cost.
 */
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
  writeFileSync(fileURLToPath(new URL('measured.json', import.meta.url)), `${JSON.stringify(measured)}\n`);
  console.log(`${lines.length} tests measured; npm run docs brings the guide up to date.`);
} else console.error('The run on the sandbox is not conforming, so nothing was measured: mend that first.');
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 2;
