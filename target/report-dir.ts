import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the folder that a run writes into: `REPORT_DIR`, else `reports/out`. */
export function reportDir(env: NodeJS.ProcessEnv = process.env): string {
  const chosen = env['REPORT_DIR']?.trim();
  return chosen ? resolve(chosen) : fileURLToPath(new URL('../reports/out', import.meta.url));
}
