import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import { EMBEDDED_ENV } from '../../suite/run/embedded-sandbox.ts';

const ROOT = join(import.meta.dirname, '../..');
const PLAYWRIGHT = join(ROOT, 'node_modules/@playwright/test/cli.js');

/**
 * Runs the whole suite on a world of the sandbox as users do: with Playwright, its processes and its reports.
 *
 * @returns ids of the rules that its report calls violated, in order
 * @throws Error where it left no report
 */
export async function accusedByWholeRun(world: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-sound-'));
  try {
    const child = spawn(
      process.execPath,
      [PLAYWRIGHT, 'test', '--reporter', './reports/reporter.ts', '--output', join(folder, 'results')],
      {
        cwd: ROOT,
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
