import { PROXY_FAILURE } from '../../client/http/http-client.ts';
import { proxyFor } from '../../client/http/proxies.ts';
import { parsedOrNothing } from '../../schemas/json.ts';
import { type Probe, hasErrorForm, presentStatuses, statusOf } from './probes.ts';

/** What was asked of a target that has not shown that it can be judged. */
export interface Asked {
  readonly baseUrl: string;
  /** Every documented operation that was asked. */
  readonly probes: readonly Probe[];
  readonly requestTimeoutMs: number;
  /** Another base URL, where the reads do succeed. */
  readonly elsewhere: string | undefined;
  /** True where some call was refused in the interface's own form, and wrong credentials were not refused. */
  readonly anyCredentials: boolean;
  /** Takes secrets out of what the target has sent. */
  readonly mask: (text: string) => string;
}

const TIMED_OUT = /in time$/;

/** One sentence, with the fix, on why a target cannot be judged. The first that is true of it. */
export function whyNot(asked: Asked): string {
  const { baseUrl } = asked;
  const ofProxy = blockedByProxy(asked);
  if (ofProxy !== undefined) return ofProxy;
  const reason =
    silent(asked) ??
    broken(asked) ??
    tooSlow(asked.probes, asked.requestTimeoutMs) ??
    otherVersion(asked) ??
    redirected(asked) ??
    crowded(asked) ??
    credentials(asked);
  if (reason !== undefined) return `BASE_URL ${baseUrl} ${reason}`;
  const said = saidByAll(asked);
  return `BASE_URL ${baseUrl} answers, but has none of the service's operations: check its path, which ends with the version date, such as /2025-10-13.${said === undefined ? '' : ` It says: ${said}`}`;
}

/** Why a target is too slow to be tested: no probe came back in half of the time that a request is given. */
export function tooSlow(probes: readonly Probe[], requestTimeoutMs: number): string | undefined {
  const times = probes.map(({ exchange }) => exchange.milliseconds);
  const fastest = Math.min(...times);
  if (fastest <= requestTimeoutMs / 2 || probes.every((probe) => statusOf(probe) === 0)) return undefined;
  return `is too slow to be tested: its fastest answer took ${Math.round(fastest)} ms of the ${requestTimeoutMs} ms that a request is given; make it faster, or raise requestTimeoutMs in the profile.`;
}

/** Said of the proxy, and not of the service: nobody has met that yet. */
function blockedByProxy({ baseUrl, probes }: Asked): string | undefined {
  const failure = probes[0]?.exchange.failure;
  if (failure?.startsWith(PROXY_FAILURE)) return `${failure[0]!.toUpperCase()}${failure.slice(1)}.`;
  const proxy = proxyFor(baseUrl);
  // What a proxy answers for a plain http address looks like an answer of the service.
  if (proxy === undefined || !baseUrl.startsWith('http:')) return undefined;
  const there = presentStatuses(probes);
  if (there.length === 0 || !there.every((status) => GATEWAY.has(status))) return undefined;
  return `The proxy ${proxy.host} (${proxy.variable}) answers ${list(there)} for BASE_URL ${baseUrl}: check that it may reach this host and that the service runs, or name the host in NO_PROXY.`;
}

/** Answers of somebody who has not reached the next one. */
const GATEWAY = new Set([502, 503, 504]);

function silent({ probes }: Asked): string | undefined {
  if (probes.some((probe) => statusOf(probe) !== 0)) return undefined;
  const failure = probes[0]?.exchange.failure ?? 'no answer came';
  const slow = TIMED_OUT.test(failure) ? ', or raise requestTimeoutMs in the profile' : '';
  if (failure.includes('NODE_EXTRA_CA_CERTS')) return `cannot be tested: ${failure}.`;
  return `cannot be tested: ${failure}. Check the address, and that the service runs${slow}.`;
}

function broken(asked: Asked): string | undefined {
  const there = presentStatuses(asked.probes);
  if (there.length === 0 || there.some((status) => status < 500)) return undefined;
  return `answers ${list(there)} to everything: the service behind it does not run or is broken, start it and try again.`;
}

function otherVersion({ elsewhere }: Asked): string | undefined {
  return (
    elsewhere && `does not answer as the service does, but ${elsewhere} does: set BASE_URL=${elsewhere}.`
  );
}

function redirected({ probes, mask }: Asked): string | undefined {
  const reads = probes.filter((probe) => probe.question.method === 'GET' && statusOf(probe) !== 0);
  if (reads.length === 0 || reads.some((probe) => statusOf(probe) < 300 || statusOf(probe) > 399))
    return undefined;
  const to = shownLocation(reads[0]?.exchange.response?.headers['location'], mask);
  return `redirects${to ? ` to ${to}` : ''}, and redirects are not followed: use the service's own address.`;
}

function crowded(asked: Asked): string | undefined {
  const there = presentStatuses(asked.probes);
  if (there.length === 0 || there.some((status) => status !== 429)) return undefined;
  return 'answers 429 to everything: it takes no more requests for now, wait and try again.';
}

function credentials(asked: Asked): string | undefined {
  const there = presentStatuses(asked.probes);
  if (there.length > 0 && there.every((status) => status === 401 || status === 403))
    return `refuses CLIENT_ID and CLIENT_SECRET (${list(there)}): check that they belong to this address and may use it.`;
  if (asked.anyCredentials)
    return 'refuses what it is asked, and refuses wrong credentials no differently, so nothing shows that it takes CLIENT_ID and CLIENT_SECRET: check them, and that it answers wrong ones with 401.';
  if (there.includes(401) && asked.probes.some((probe) => statusOf(probe) === 401 && hasErrorForm(probe)))
    return `refuses CLIENT_ID and CLIENT_SECRET (401) in all that could be read: check that they belong to this address and may use it.`;
  return undefined;
}

/** The message in the interface's own form that every call was refused with. */
function saidByAll({ probes, mask }: Asked): string | undefined {
  const [message, ...others] = new Set(
    probes.map(
      ({ exchange }) => (parsedOrNothing(exchange.response?.text) as { message?: unknown } | null)?.message,
    ),
  );
  return typeof message === 'string' && message !== '' && others.length === 0
    ? mask(message.replace(/\p{C}/gu, '')).slice(0, 200)
    : undefined;
}

function list(statuses: readonly number[]): string {
  return [...new Set(statuses)].sort((a, b) => a - b).join(' and ');
}

/** Where it leads, without what may be secret or may steer a terminal. Masked before anything could cut a secret in two. */
function shownLocation(location: string | undefined, mask: Asked['mask']): string | undefined {
  return location === undefined
    ? undefined
    : mask(location.replace(/\p{C}/gu, ''))
        .replace(/[?#].*$/s, '')
        .replace(/\/\/[^/]*@/, '//')
        .slice(0, 200);
}
