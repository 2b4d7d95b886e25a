import { CannotPrepare, type StateParams } from '../state-provider.ts';

/**
 * Refuses params that no public call can bring about.
 *
 * @param understood names that the recipe knows
 * @param ordinary values that need no preparation
 * @throws CannotPrepare with the state and the params to serve
 */
export function refuseOdd(
  state: string,
  params: StateParams,
  understood: ReadonlySet<string>,
  ordinary: Readonly<Record<string, unknown>>,
): void {
  const names = Object.keys(params)
    .filter((name) => !understood.has(name) && ordinary[name] !== params[name])
    .sort();
  if (names.length === 0) return;
  const what = state === 'sca-customer' ? 'an SCA customer' : 'a customer';
  throw new CannotPrepare(
    `${what} with ${names.join(', ')} cannot be prepared by public calls: serve it at PROVIDER_STATES_URL`,
    undefined,
    `serve the state \`${state}\` with ${names.map((name) => `\`${name}\``).join(' and ')}`,
  );
}
