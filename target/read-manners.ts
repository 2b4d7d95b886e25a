import type { ProfileFile } from './profile-file.ts';
import type { Profile } from './profile.ts';
import type { Environment } from './target-urls.ts';
import { UsageError } from './usage-error.ts';
import { wholeNumber } from './whole-number.ts';

/** Bounds for a target elsewhere of which nobody has named any: more than any check needs. Smallest unit; requests. */
const REMOTE_CAPS = { amount: 1_000_000_000, requests: 30_000 };
const RATE_LIMIT = { longestSeconds: 35, budgetSeconds: 120 };

/**
 * How much a target takes, and how it is met.
 *
 * @param isRemote true where it is not on this machine
 * @throws UsageError for a number that is none, or an address that is none
 */
export function readManners(
  env: Environment,
  file: ProfileFile,
  isRemote: boolean,
): Pick<Profile, 'caps' | 'manners' | 'sparing' | 'rateLimit' | 'webhooks' | 'eventLog'> {
  const pace = env['PACE'] ? positive('PACE', env['PACE']) : file.pace;
  const concurrency = wholeNumber(env, 'CONCURRENCY', file.concurrency ?? 0, 1) || undefined;
  const caps = { ...(isRemote ? REMOTE_CAPS : {}), ...file.caps };
  if (file.eventLog && (env['WEBHOOK_LISTEN'] || file.webhookListen))
    throw new UsageError(
      'The profile has eventLog, and webhookListen is set too: events are either read or received, so remove one of them.',
    );
  const isStrict = pace !== undefined || concurrency !== undefined;
  return {
    caps: {
      amount: wholeNumber(env, 'MAX_AMOUNT', caps.amount ?? 0, 1) || undefined,
      requests: wholeNumber(env, 'MAX_REQUESTS', caps.requests ?? 0, 1) || undefined,
    },
    ...(isStrict ? { manners: { pace, concurrency } } : {}),
    sparing: file.sparing ?? isStrict,
    rateLimit: { ...RATE_LIMIT, ...file.rateLimit },
    ...(file.eventLog ? { eventLog: file.eventLog } : {}),
    ...webhooks(env['WEBHOOK_LISTEN'] || file.webhookListen, env['WEBHOOK_URL'] || file.webhookUrl),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 10_000) return value;
  throw new UsageError(`${name} must be a number above 0, up to 10000, not "${text}".`);
}

function webhooks(listen: string | undefined, url: string | undefined): Pick<Profile, 'webhooks'> {
  if (listen === undefined && url === undefined) return {};
  if (listen === undefined)
    throw new UsageError(
      'WEBHOOK_URL is set, but WEBHOOK_LISTEN is not: say where this machine listens, such as WEBHOOK_LISTEN=0.0.0.0:8085.',
    );
  const [, host, port] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(listen) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new UsageError(`WEBHOOK_LISTEN must be host:port, such as 0.0.0.0:8085, not "${listen}".`);
  const address = url ?? `http://${listen}`;
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw new UsageError('WEBHOOK_URL is not a URL: write it like https://tunnel.example/events.');
  return {
    webhooks: { host: host.replace(/^\[|\]$/g, ''), port: Number(port), url: address.replace(/\/+$/, '') },
  };
}
