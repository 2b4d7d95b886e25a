import { proxyFor } from '../client/http/proxies.ts';
import { type Preparation, type Profile, preparations } from '../target/profile.ts';
import type { Depth } from '../target/environment-variables.ts';

const PREPARED: Readonly<Record<Preparation, string>> = {
  'public-calls': 'public calls',
  'provider-states': 'its provider-states URL',
  fixtures: 'a fixtures file',
};

/** What is tested, how it is prepared, and with what it can be repeated: the first line of a run. */
export function firstLine(
  profile: Profile,
  seed: number,
  workers: number,
  depth: Depth = 'standard',
): string {
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
