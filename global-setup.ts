import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { HttpClient, runId } from './client/http/http-client.ts';
import { proxyFor } from './client/http/proxies.ts';
import { Manners } from './client/http/manners.ts';
import { settleColours } from './reports/colours.ts';
import { ownOutput } from './reports/command-line.ts';
import { claimFolder, reportDir } from './reports/folder/folder.ts';
import { LEFT_SO_FAR, writeLeftBehind } from './reports/folder/left-behind.ts';
import { writeNotJudged } from './reports/write/report-files.ts';
import { compileAhead } from './schemas/compiled.ts';
import { loadContract } from './schemas/contract.ts';
import { HEALTH_READ_ENV, depthOf, wholeNumber } from './target/environment-variables.ts';
import { loadProfile } from './target/read-settings.ts';
import { preflight } from './target/preflight.ts';
import { type Preparation, type Profile, preparations } from './target/profile.ts';
import { UsageError } from './target/usage-error.ts';
import { embeddedFromEnvironment } from './suite/run/embedded-sandbox.ts';
import { DEFAULT_SEED } from './suite/run/sampling.ts';
import { LEFT_FILE_ENV } from './suite/run/left-behind.ts';
import { RUN_FOLDER_ENV } from './suite/run/run-folder.ts';
import { openRelay } from './suite/run/event-receiver.ts';

/**
 * Before any test: can this target be judged at all? If not, one sentence and exit code 2.
 *
 * @returns clears up when the run has ended
 */
export default async function globalSetup(config: FullConfig): Promise<() => Promise<void>> {
  const profile = loadProfile(process.env, embeddedFromEnvironment(process.env, ''));
  const manners = profile.manners && new Manners(profile.baseUrl, profile.manners);
  const http = new HttpClient({ timeoutMs: profile.requestTimeoutMs, manners });
  try {
    const { warnings, healthRead } = await preflight(profile, http);
    process.env[HEALTH_READ_ENV] = JSON.stringify(healthRead);
    await compileAhead(profile.brand, () => loadContract(profile.brand));
    tell(firstLine(profile, config.workers));
    for (const warning of warnings) console.warn(`Warning: ${warning}`);
    if (!profile.embedded) tell(`Its requests say "assay (run ${runId()})".`);
    return await makeRunFolder(profile, config.shard !== null);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    writeNotJudged(config, error.message);
    console.error(error.message);
    return process.exit(2);
  } finally {
    await http.close();
  }
}

/** Workers are processes of their own, and learn from each other here. */
async function makeRunFolder(
  { embedded, webhooks, preparation }: Profile,
  isShard: boolean,
): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-'));
  process.env[RUN_FOLDER_ENV] = folder;
  if (!embedded) {
    claimFolder(reportDir());
    process.env[LEFT_FILE_ENV] = join(reportDir(), LEFT_SO_FAR);
  }
  const relay = webhooks && (await openRelay(webhooks, folder));
  return async () => {
    relay?.closeAllConnections();
    await new Promise((resolve) => (relay ? relay.close(resolve) : resolve(undefined)));
    const left = embedded ? undefined : writeLeftBehind(reportDir(), isShard);
    const more =
      preparation === 'provider-states' ? ' What the teardown of its states has removed is among them.' : '';
    if (left !== undefined) tell(`${left}${more}`);
    rmSync(folder, { recursive: true, force: true });
    // The last moment before the reporters are told that the run has ended, whoever stands first among them.
    settleColours();
  };
}

function tell(line: string): void {
  ownOutput().write(`${line}\n`);
}

const PREPARED: Readonly<Record<Preparation, string>> = {
  'public-calls': 'public calls',
  'provider-states': 'its provider-states URL',
  fixtures: 'a fixtures file',
};

/** What is tested, how it is prepared, and with what it can be repeated: the first line of a run. */
function firstLine(profile: Profile, workers: number): string {
  const seed = wholeNumber(process.env, 'SEED', DEFAULT_SEED, Number.NEGATIVE_INFINITY);
  const depth = depthOf();
  return `Assay tests ${[
    target(profile),
    `prepared by ${preparations(profile)
      .map((name) => PREPARED[name])
      .join(', else by ')}`,
    `seed ${seed}`,
    ...(depth === 'standard' ? [] : [`depth ${depth}`]),
    `${workers} worker${workers === 1 ? '' : 's'}`,
  ].join(', ')}.`;
}

function target({ embedded, name, baseUrl }: Profile): string {
  if (embedded) return 'the embedded sandbox';
  // Without a name of its own a target is called by its host, which the address says anyway.
  const shown = name === new URL(baseUrl).host ? baseUrl : `${name} at ${baseUrl}`;
  const proxy = proxyFor(baseUrl);
  return proxy ? `${shown} through the proxy ${proxy.host}` : shown;
}
