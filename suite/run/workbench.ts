import { HttpClient } from '../../client/http/http-client.ts';
import { Manners } from '../../client/http/manners.ts';
import { Secrets } from '../../client/secrets/secrets.ts';
import { loadContract, type Contract } from '../../schemas/contract.ts';
import { Validator } from '../../schemas/validator.ts';
import { readKnownFailures, KnownFailures } from '../../target/known-list.ts';
import type { Profile } from '../../target/profile.ts';
import { withPaths } from '../../target/dialect/read-dialect.ts';
import { healthReadFrom } from '../../target/environment-variables.ts';
import type { Refusals } from '../../target/providers/ladder.ts';
import { Spares } from '../../target/providers/public-calls/spares.ts';
import { ClockOffsets } from '../clock.ts';
import { RUN_FOLDER_ENV, RunFolder } from './run-folder.ts';
import { StatesWatch } from '../watch/states-watch.ts';
import { TargetWatch } from '../watch/target-watch.ts';

/** What all tests of a worker share: the contract compiled once, connections, the target's profile. */
export interface Workbench {
  readonly profile: Profile;
  readonly contract: Contract;
  readonly validator: Validator;
  readonly http: HttpClient;
  /** Every secret that this worker has met: what one test learned, a later answer may repeat. */
  readonly secrets: Secrets;
  readonly watch: TargetWatch;
  readonly states: StatesWatch;
  readonly known: KnownFailures;
  readonly offsets: ClockOffsets;
  /** States that nobody has here. */
  readonly refusals: Refusals;
  /** Customers that may serve another test. */
  readonly spares: Spares;
  /** Keeps the worker until this has ended. */
  readonly later: (work: Promise<void>) => void;
}

/** Builds the bench of one worker; `close` drops its connections. */
export async function openWorkbench(profile: Profile): Promise<Workbench & { close(): Promise<void> }> {
  const manners = profile.manners && new Manners(profile.baseUrl, profile.manners);
  const http = new HttpClient({ timeoutMs: profile.requestTimeoutMs, manners });
  const { clientId, clientSecret, providerStates } = profile;
  const secrets = new Secrets();
  secrets.addPair(clientId, clientSecret);
  secrets.add(providerStates?.token);
  const folder = new RunFolder(process.env[RUN_FOLDER_ENV]);
  const watch = new TargetWatch(profile, healthReadFrom(process.env), folder, undefined, manners);
  let underWay = Promise.resolve();
  return {
    profile,
    contract: withPaths(await loadContract(profile.brand), profile.dialect.paths),
    validator: new Validator((text) => secrets.mask(text)),
    http,
    secrets,
    watch,
    states: new StatesWatch(http, providerStates?.url, folder),
    known: new KnownFailures(readKnownFailures(profile.knownFailures)),
    offsets: new ClockOffsets(),
    refusals: new Map(),
    spares: new Spares(),
    later: (work) => void (underWay = underWay.then(() => work)),
    close: async () => {
      await underWay;
      await Promise.all([http.close(), watch.close()]);
    },
  };
}
