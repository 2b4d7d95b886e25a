import { randomUUID } from 'node:crypto';
import { parsedOrNothing } from '../../schemas/json.ts';
import type { Exchange, HttpClient } from '../../client/http/http-client.ts';

/** What the preflight asks. Nothing of it creates or changes anything in a service that keeps the interface. */
export interface Questions {
  /** Documented reads, and reads that deployments are known to have. One that succeeds is proof enough. */
  readonly reads: readonly Question[];
  /** Documented calls that a service must refuse, in the interface's own form. */
  readonly refused: readonly Question[];
  /** A route that no service has, in both methods: a server may have words of its own for each. */
  readonly undefinedRoutes: readonly [Question, Question];
}

/** New questions about records that nobody has. */
export function questions(): Questions {
  const id = randomUUID();
  return {
    reads: [
      { method: 'GET', path: `/auth/credentials?accountId=InternalAccount:${id}` },
      { method: 'GET', path: '/customers/end-user-terms' },
      { method: 'GET', path: `/customers/internal-accounts?customerId=Customer:${id}` },
      { method: 'GET', path: '/agents/approvals' },
      { method: 'GET', path: `/auth/sessions?accountId=InternalAccount:${id}` },
    ],
    refused: [
      { method: 'POST', path: '/quotes', body: '{}' },
      { method: 'POST', path: `/agents/Agent:${id}/actions/AgentAction:${id}/approve` },
      { method: 'POST', path: '/agents/me/transfer-out', body: '{}', ofAgents: true },
    ],
    undefinedRoutes: [
      { method: 'GET', path: `/assay-no-such-route-${id}` },
      { method: 'POST', path: `/assay-no-such-route-${id}`, body: '{}' },
    ],
  };
}

/** One request of the preflight, below a base URL. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** True where the interface takes an agent's token, so that a platform's credentials are rightly refused. */
  readonly ofAgents?: boolean;
}

/** A question with what came back. */
export interface Probe {
  readonly question: Question;
  readonly exchange: Exchange;
}

/**
 * Asks a question.
 *
 * @param authorization value of that header, or undefined for none
 * @param milliseconds longest wait; less than the client's own where little of the preflight's time is left
 */
export async function ask(
  http: HttpClient,
  baseUrl: string,
  question: Question,
  authorization: string | undefined,
  milliseconds: number,
): Promise<Probe> {
  const { method, path, body } = question;
  const request = {
    method,
    url: `${baseUrl}${path}`,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(authorization === undefined ? {} : { authorization }),
    },
    ...(body === undefined ? {} : { body }),
  };
  // The client's own time begins when a request is sent.
  if (http.holdsBack) return { question, exchange: await http.send(request) };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Exchange>((resolve) => {
    timer = setTimeout(
      () => resolve({ at: Date.now(), milliseconds, request, failure: 'no answer came in time' }),
      milliseconds,
    );
  });
  try {
    return { question, exchange: await Promise.race([http.send(request), late]) };
  } finally {
    clearTimeout(timer);
  }
}

/** HTTP status of the answer; 0 where none came. */
export function statusOf({ exchange }: Probe): number {
  return exchange.response?.status ?? 0;
}

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

/** The error code of an answer, where it has one. */
export function codeOf({ exchange }: Probe): unknown {
  return (json(exchange) as { code?: unknown } | null | undefined)?.code;
}

function json({ response }: Exchange): unknown {
  return parsedOrNothing(response?.text);
}
