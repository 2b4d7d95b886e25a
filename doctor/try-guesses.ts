import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConformanceReport, Guess } from '../reports/verdicts/model.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** A rule for each key of the dialect that a request can carry: together their tests send every guess once. */
const RULES = [
  'CREDENTIAL-CREATE-OAUTH',
  'VERIFY-EMAIL-OTP-ACCEPTED',
  'VERIFY-SMS-OTP-FLOW',
  'VERIFY-OAUTH-ACCEPTED',
  'VERIFY-PASSKEY-ACCEPTED',
  'SESSION-KEY-SEALED-TO-CLIENT',
  'SCA-AUTHORIZE-ACCEPTED',
  'TRANSFER-ACCEPTED',
  'QUOTE-CREATE-ACCEPTED',
];
/** What belongs to a whole run, and would be read or written by this part of one. */
const OF_RUNS = ['ACCEPTED', 'BASELINE', 'KNOWN_FAILURES', 'NOTIFY_URL', 'REPLAY', 'GITHUB_STEP_SUMMARY'];
const LONGEST = 300_000;

/** What the tests of a few rules say of the guesses that they stood on. */
interface TriedGuesses {
  readonly guesses: readonly Guess[];
  /** MUST rules of the tests that were verified; 0 where nothing was shown. */
  readonly verified: number;
}

/**
 * Runs the tests that stand on the dialect, as a part of the suite, and keeps nothing of it but the guesses.
 *
 * @param env of the run: names the target and its profile
 * @returns undefined where the part could not run
 */
export async function tryGuesses(
  env: Readonly<Record<string, string | undefined>>,
): Promise<TriedGuesses | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-doctor-'));
  try {
    const own = Object.fromEntries(Object.entries(env).filter(([name]) => !OF_RUNS.includes(name)));
    const cli = join(root, 'node_modules/@playwright/test/cli.js');
    const rules = `@(${RULES.join('|')})(\\s|$)`;
    const child = spawn(process.execPath, [cli, 'test', '-g', rules, '--output', join(folder, 'results')], {
      cwd: root,
      env: { ...own, REPORT_DIR: join(folder, 'report') },
      stdio: 'ignore',
      timeout: LONGEST,
    });
    await new Promise((resolve) => child.on('close', resolve));
    const file = join(folder, 'report/conformance.json');
    if (!existsSync(file)) return undefined;
    const report = JSON.parse(readFileSync(file, 'utf8')) as ConformanceReport;
    return report.run.usageError === undefined
      ? { guesses: report.guesses, verified: report.totals.MUST.verified }
      : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
