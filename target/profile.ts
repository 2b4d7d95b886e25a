/**
 * The service under test as a run sees it. read-settings.ts makes it of the environment and the profile's file, safety.ts
 * refuses where harm could be done, preflight.ts asks whether it can be judged, and `providers/` prepares its states.
 */
import type { MannersOptions } from '../client/http/manners.ts';
import { loadCapabilities } from '../schemas/rules.ts';
import type { Dialect } from './dialect/keys.ts';

/** Who prepares the situations that checks need, in the order in which they are asked. */
const PREPARATIONS = ['provider-states', 'public-calls', 'fixtures'] as const;
export type Preparation = (typeof PREPARATIONS)[number];

/** The service under test: what it is, how to reach it and what it supports. */
export interface Profile {
  readonly name: string;
  /** No trailing slash; its last path segment is the version date. */
  readonly baseUrl: string;
  /** The word in `Service-Wallet-Signature` and its kin. */
  readonly brand: string;
  /** What a run may do at most; absent: no bound. */
  readonly caps: { readonly amount?: number | undefined; readonly requests?: number | undefined };
  /** Requests per second, and under way at once, of all processes of this machine; absent: no bound. */
  readonly manners?: MannersOptions | undefined;
  /** How long a test waits for rate limits, in seconds: at a time, and in all. */
  readonly rateLimit: { readonly longestSeconds: number; readonly budgetSeconds: number };
  /** Where events of a target elsewhere arrive; absent: on a free port of this machine, for itself alone. */
  readonly webhooks?: { readonly host: string; readonly port: number; readonly url: string } | undefined;
  /** Where the target lists the events that it has sent; present: they are read there, and none is received. */
  readonly eventLog?:
    | {
        /** Below the base URL, of a GET as the platform; `{customerId}` is filled in. */
        readonly path: string;
        /** Where in the answer the list is; by default the answer itself, or its `data`. */
        readonly list?: string;
        /** Where in an entry of the list the event is; by default the entry itself. */
        readonly event?: string;
        /** Method and path of the request that sends a test event. */
        readonly test?: string;
      }
    | undefined;
  /** Requests that remove what public calls have made, by type of record. */
  readonly cleanUp: Readonly<Record<string, string>>;
  /** True for the sandbox that Assay ships. */
  readonly embedded: boolean;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly capabilities: readonly Capability[];
  /** Who is asked first: whoever comes after him in the order gets what he does not have. */
  readonly preparation: Preparation;
  readonly providerStates?: { readonly url: string; readonly token?: string };
  /** Path of a file with prepared ids. */
  readonly fixtures?: string;
  /** Path of a file with rules that are known to be broken. */
  readonly knownFailures?: string;
  /** Path of a file with rules that need not be verified. */
  readonly accepted?: string;
  /** Whose time the state `clock` moves. */
  readonly clock: 'customer' | 'target' | 'none';
  /** Allows checks that wait for real time to pass. */
  readonly slow: boolean;
  readonly requestTimeoutMs: number;
  readonly currency: string;
  readonly gate: { readonly should: 'allow' | 'fail' };
  /** How it speaks where the interface is silent. */
  readonly dialect: Dialect;
  /** Keys of the dialect that are known to hold; the others are defaults that nobody has confirmed. */
  readonly vouchedFor: 'all' | readonly string[];
}

/** Id of a row of schemas/capabilities.yaml. */
export type Capability = string;

let all: readonly Capability[] | undefined;

/** Every capability that a target can have, in the catalogue's order. */
export function allCapabilities(): readonly Capability[] {
  return (all ??= loadCapabilities().map(({ id }) => id));
}

/**
 * Who prepares for this target, in the order in which they are asked. The file comes last, as tests share what stands in it;
 * the sandbox that Assay ships serves every state.
 */
export function preparations({
  preparation,
  fixtures,
  embedded,
}: Pick<Profile, 'preparation' | 'fixtures' | 'embedded'>): readonly [Preparation, ...Preparation[]] {
  const after = embedded ? [] : PREPARATIONS.slice(PREPARATIONS.indexOf(preparation) + 1);
  return [preparation, ...after.filter((one) => one !== 'fixtures' || fixtures !== undefined)];
}
