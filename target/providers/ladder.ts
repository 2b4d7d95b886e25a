/**
 * Who prepares a situation: a provider-states URL, the service's own endpoints (`public-calls/`), or a file with ids. Each is
 * a StateProvider (state-provider.ts); here they are asked one after the other.
 */
import type { HttpClient } from '../../client/http/http-client.ts';
import { type Preparation, type Profile, preparations } from '../profile.ts';
import { FixturesFile } from './fixtures-file.ts';
import { ProviderStates } from './provider-states.ts';
import { type LeftOver, PublicCalls, type PlatformCall } from './public-calls/public-calls.ts';
import { CannotPrepare, type StateParams, type StateProvider, type StateValues } from './state-provider.ts';

/** What a worker has learned not to ask again: reasons, by who was asked for what. */
export type Refusals = Map<string, CannotPrepare>;

/** Statuses that say the same the next time. */
const NOT_THERE = new Set([404, 405, 501]);
/** Who has prepared which values. */
const makers = new WeakMap<object, StateProvider>();

/** Who has prepared these values of a state; undefined for others. */
export function preparedBy(values: object): string | undefined {
  return makers.get(values)?.name;
}

/** Whether who prepared these values has promised what was asked for: public calls can only ask for it. */
export function isPromised(values: object): boolean {
  return preparedBy(values) !== 'public-calls';
}

/** Whether other tests may stand on the same values. */
export function isShared(values: object): boolean {
  return preparedBy(values) === 'fixtures';
}

/**
 * Asks one provider after the other: who has no such state leaves it to the next one. What was asked for in vain and will be
 * so again is not asked for a second time.
 */
export class Ladder implements StateProvider {
  readonly name: string;
  readonly #rungs: readonly StateProvider[];
  readonly #refusals: Refusals;
  #isMixed = false;

  /** @param refusals shared by the tests of a worker */
  constructor(rungs: readonly [StateProvider, ...StateProvider[]], refusals: Refusals = new Map()) {
    this.name = rungs[0].name;
    this.#rungs = rungs;
    this.#refusals = refusals;
  }

  async setUp(state: string, params: StateParams): Promise<StateValues> {
    const reasons: CannotPrepare[] = [];
    for (const rung of this.#rungs) {
      const values = await this.#ask(rung, state, params);
      if (!(values instanceof CannotPrepare)) {
        makers.set(values, rung);
        if (rung.handOn === undefined) this.#isMixed = true;
        return values;
      }
      reasons.push(values);
    }
    const [first] = reasons as [CannotPrepare];
    const text = reasons.map(({ message }) => message).join('; ');
    throw new CannotPrepare(text, first.status, reasons.findLast(({ mend }) => mend !== undefined)?.mend);
  }

  forbids(operation: string): string | undefined {
    return this.#rungs.map((rung) => rung.forbids?.(operation)).find((why) => why !== undefined);
  }

  async tearDown(state: string, values: StateValues): Promise<void> {
    await makers.get(values)?.tearDown(state, values);
  }

  handOn(values: StateValues): void {
    // Others may have changed what public calls have made: a clock, a limit.
    if (!this.#isMixed) makers.get(values)?.handOn?.(values);
  }

  async #ask(rung: StateProvider, state: string, params: StateParams): Promise<StateValues | CannotPrepare> {
    const any = `${rung.name} ${state}`;
    const these = `${any} ${JSON.stringify(params)}`;
    const known = this.#refusals.get(any) ?? this.#refusals.get(these);
    if (known) return known;
    try {
      return await rung.setUp(state, params);
    } catch (error) {
      if (!(error instanceof CannotPrepare)) throw error;
      const { status } = error;
      // Of a URL a 404 is about the state; what public calls meet may be about the params.
      if (rung.name === 'provider-states') {
        if (status === 404) this.#refusals.set(any, error);
      } else if (status === undefined || NOT_THERE.has(status)) this.#refusals.set(these, error);
      return error;
    }
  }
}

/**
 * Who prepares states for the profile.
 *
 * @param refusals what the tests of this worker have asked for in vain
 * @param leftOver what they have left for others
 */
export function openProvider(
  profile: Profile,
  http: Pick<HttpClient, 'send'>,
  call: PlatformCall,
  refusals?: Refusals,
  leftOver?: LeftOver,
): StateProvider {
  const open: Readonly<Record<Preparation, () => StateProvider>> = {
    'provider-states': () => {
      const { url, token } = profile.providerStates as NonNullable<Profile['providerStates']>;
      return new ProviderStates(http, url, token);
    },
    'public-calls': () => new PublicCalls(profile, call, leftOver),
    fixtures: () => new FixturesFile(profile.fixtures as string),
  };
  const [first, ...others] = preparations(profile);
  return new Ladder([open[first](), ...others.map((name) => open[name]())], refusals);
}
