import type { Exchange } from '../../client/http/exchange.ts';
import type { HttpClient } from '../../client/http/http-client.ts';

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
