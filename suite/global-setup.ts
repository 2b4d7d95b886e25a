import type { FullConfig } from '@playwright/test';
import { HttpClient } from '../client/http/http-client.ts';
import { writeNotJudged } from '../reports/not-judged.ts';
import { loadProfile } from '../target/load-profile.ts';
import { preflight } from '../target/preflight.ts';
import { UsageError } from '../target/usage-error.ts';
import { embeddedFromEnvironment } from './embedded.ts';

/** Before any test: can this target be judged at all? If not, one sentence and exit code 2. */
export default async function globalSetup(config: FullConfig): Promise<void> {
  const profile = loadProfile(process.env, embeddedFromEnvironment(process.env, ''));
  const http = new HttpClient({ timeoutMs: profile.requestTimeoutMs, giveUpAfter: Number.POSITIVE_INFINITY });
  try {
    for (const warning of await preflight(profile, http)) console.warn(`Warning: ${warning}`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    writeNotJudged(config, error.message);
    console.error(error.message);
    process.exit(2);
  } finally {
    await http.close();
  }
}
