import { HttpClient } from '../client/http/http-client.ts';
import { loadContract, type Contract } from '../schemas/contract.ts';
import { Validator } from '../schemas/validator.ts';
import { readKnownFailures } from '../target/known-failures.ts';
import type { Profile } from '../target/profile.ts';
import { Leads } from './leads.ts';

/** What all tests of a worker share: the contract compiled once, connections, the target's profile. */
export interface Workbench {
  readonly profile: Profile;
  readonly contract: Contract;
  readonly validator: Validator;
  readonly http: HttpClient;
  readonly known: ReadonlyMap<string, string>;
  readonly leads: Leads;
}

/** Requests in a row without an answer, after which the rest of a worker's requests fail at once. */
const GIVE_UP_AFTER = 4;

/** Builds the bench of one worker; `close` drops its connections. */
export async function openWorkbench(profile: Profile): Promise<Workbench & { close(): Promise<void> }> {
  const http = new HttpClient({ timeoutMs: profile.requestTimeoutMs, giveUpAfter: GIVE_UP_AFTER });
  return {
    profile,
    contract: await loadContract(profile.brand),
    validator: new Validator(),
    http,
    known: readKnownFailures(profile.knownFailures),
    leads: new Leads(),
    close: () => http.close(),
  };
}
