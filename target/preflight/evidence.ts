import type { Exchange } from '../../client/http/exchange.ts';
import { statusOf, type Probe } from './probe.ts';

/** Statuses of routes that are not there. */
const ABSENT = new Set([404, 405, 501]);

/**
 * True where a read was answered with data. A server that has data for a route that does not exist has it for every
 * route, and shows nothing.
 */
export function succeeds(read: Probe, undefinedRoute: Probe): boolean {
  return holdsData(read.exchange) && !holdsData(undefinedRoute.exchange);
}

/**
 * True where an operation was refused in the interface's own words (section Errors), and not in those that this server
 * has for every route. A 401 shows nothing yet: it may be the words of a gate in front of everything.
 */
export function isRefusedInForm(probe: Probe, undefinedRoutes: readonly Probe[]): boolean {
  const status = statusOf(probe);
  if (status < 400 || status > 499 || status === 401 || !hasErrorForm(probe)) return false;
  return undefinedRoutes.every(
    (other) => other.exchange.response && (status !== statusOf(other) || codeOf(probe) !== codeOf(other)),
  );
}

/**
 * Statuses of the platform's operations that are there. An agent's operation rightly refuses a platform, and says nothing
 * about its credentials.
 */
export function presentStatuses(probes: readonly Probe[]): readonly number[] {
  const ours = probes.filter((probe) => !probe.question.ofAgents);
  return ours.map(statusOf).filter((status) => status !== 0 && !ABSENT.has(status));
}

/** True where an answer is JSON with at least two of `status`, `code` and `message`. */
export function hasErrorForm({ exchange }: Probe): boolean {
  const body = json(exchange);
  if (typeof body !== 'object' || body === null) return false;
  return ['status', 'code', 'message'].filter((key) => key in body).length >= 2;
}

function holdsData(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  const body = json(exchange);
  return status >= 200 && status < 300 && typeof body === 'object' && body !== null;
}

function codeOf({ exchange }: Probe): unknown {
  return (json(exchange) as { code?: unknown } | null | undefined)?.code;
}

function json({ response }: Exchange): unknown {
  try {
    return JSON.parse(response?.text ?? '');
  } catch {
    return undefined;
  }
}
