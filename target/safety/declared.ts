import type { ProfileFile } from '../profile-file.ts';
import type { Environment } from '../target-urls.ts';
import type { Declared } from './refuse-harm.ts';

/** What the environment and the profile say of a target's harmlessness. The environment wins, but nobody is taken off a deny list. */
export function declared(
  env: Environment,
  file: ProfileFile,
  target: Pick<Declared, 'baseUrl' | 'statesUrl' | 'clientId'>,
): Declared {
  const denied = (env['DENY_HOSTS'] ?? '').split(',').map((host) => host.trim());
  return {
    ...target,
    // Who has written production means it.
    environment: file.environment === 'production' ? 'production' : env['ENVIRONMENT'] || file.environment,
    sandboxHost: (env['SANDBOX_HOST'] || file.sandboxHost)?.trim().toLowerCase(),
    denyHosts: [...denied.filter((host) => host !== ''), ...(file.denyHosts ?? [])],
  };
}
