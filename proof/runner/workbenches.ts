import { HttpClient } from '../../client/http/http-client.ts';
import { Secrets } from '../../client/secrets/secrets.ts';
import { loadContract, type Contract } from '../../schemas/contract.ts';
import { Validator } from '../../schemas/validator.ts';
import { EMBEDDED_ENV, embeddedFromEnvironment } from '../../suite/run/embedded-sandbox.ts';
import { ClockOffsets } from '../../suite/clock.ts';
import { RunFolder } from '../../suite/run/run-folder.ts';
import { StatesWatch } from '../../suite/watch/states-watch.ts';
import { TargetWatch } from '../../suite/watch/target-watch.ts';
import type { Workbench } from '../../suite/run/workbench.ts';
import { type DialectInFile, readDialect, withPaths } from '../../target/dialect/read-dialect.ts';
import { HEALTH_READ_ENV, healthReadFrom } from '../../target/environment-variables.ts';
import { loadProfile } from '../../target/read-settings.ts';
import { preflight } from '../../target/preflight.ts';
import { Spares } from '../../target/providers/public-calls/spares.ts';
import type { Profile } from '../../target/profile.ts';
import { KnownFailures } from '../../target/known-list.ts';
import { preparesPublicly } from '../command.ts';

/** The sandbox's secrets are worth nothing, and what is written of these runs is the names of rules. */
class NoSecrets extends Secrets {
  override add(): void {}
  override addBytes(): void {}
  override addPair(): void {}
  override addFrom(): void {}
  override addFromState(): void {}
  override addHeaders(): void {}
  override mask(text: string, most = text.length): string {
    return text.slice(0, most);
  }
  override maskDeep<T>(value: T): T {
    return value;
  }
  override maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
    return { ...headers };
  }
}

/** The workbench of one world. */
export type Bench = Workbench & { close(): Promise<void> };

/** Workbenches for the worlds of one sandbox: as suite/run/workbench.ts makes them, with the costly parts made once. */
export class Benches {
  readonly #origin: string;
  readonly #contract: Contract;
  readonly #validator = new Validator();
  readonly #http = new HttpClient({ timeoutMs: 10_000 });
  readonly #secrets = new NoSecrets();

  private constructor(origin: string, contract: Contract) {
    this.#origin = origin;
    this.#contract = contract;
  }

  /** @param origin scheme, host and port of a sandbox; its default world must pass the preflight of a run */
  static async open(origin: string): Promise<Benches> {
    const profile = profileOf(origin, 'default');
    const benches = new Benches(origin, await loadContract(profile.brand));
    const { healthRead } = await preflight(profile, benches.#http);
    process.env[HEALTH_READ_ENV] = JSON.stringify(healthRead);
    return benches;
  }

  profile(world: string): Profile {
    return profileOf(this.#origin, world);
  }

  /**
   * The bench of a world, which its tests share.
   *
   * @param told how the world speaks where the interface is silent, as a profile says it
   * @param masks secrets, as a run does whose exchanges are read
   */
  bench(world: string, told: DialectInFile = {}, masks = false): Bench {
    const { dialect } = readDialect(told);
    const profile: Profile = { ...this.profile(world), dialect };
    const secrets = masks ? new Secrets() : this.#secrets;
    secrets.addPair(profile.clientId, profile.clientSecret);
    const folder = new RunFolder(undefined);
    const watch = new TargetWatch(profile, healthReadFrom(process.env), folder);
    let underWay = Promise.resolve();
    return {
      profile,
      // An object of its own: what the suite learns about a target, it keeps by its contract.
      contract: { ...withPaths(this.#contract, dialect.paths) },
      validator: masks ? new Validator((text) => secrets.mask(text)) : this.#validator,
      http: this.#http,
      secrets,
      watch,
      states: new StatesWatch(this.#http, profile.providerStates?.url, folder),
      known: new KnownFailures([]),
      offsets: new ClockOffsets(),
      refusals: new Map(),
      spares: new Spares(),
      later: (work) => void (underWay = underWay.then(() => work)),
      close: () => underWay.then(() => watch.close()),
    };
  }

  close(): Promise<void> {
    return this.#http.close();
  }
}

function profileOf(origin: string, world: string): Profile {
  const profile = loadProfile({}, embeddedFromEnvironment({ [EMBEDDED_ENV.origin]: origin }, world));
  return preparesPublicly() ? { ...profile, preparation: 'public-calls' } : profile;
}
