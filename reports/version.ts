import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Assay's own version, from package.json. */
export function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Variables in which CI servers name the commit, after the one that is ours. */
const NAMES = ['COMMIT', 'GITHUB_SHA', 'CI_COMMIT_SHA', 'GIT_COMMIT', 'BUILD_SOURCEVERSION'];

/**
 * The commit that a run belongs to: `COMMIT`, what a CI server says, or that of the folder where it runs.
 *
 * @returns undefined outside of any repository
 */
export function commitOf(env: NodeJS.ProcessEnv = process.env): string | undefined {
  for (const name of NAMES) {
    const value = env[name]?.trim();
    if (value && /^[\w.+/-]{1,64}$/.test(value)) return value;
  }
  try {
    const text = execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2_000,
    });
    return text.trim() || undefined;
  } catch {
    return undefined;
  }
}
