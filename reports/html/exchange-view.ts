import type { RecordedExchange } from '../../journal/types.ts';
import { baseOf, curlOf } from './curl.ts';
import { markedLines, type BodyLine } from './marked.ts';

export interface ExchangeView {
  readonly id: string;
  readonly label: string;
  /** Method and path below the base URL. */
  readonly short: string;
  readonly request: string;
  readonly requestHeaders: string;
  readonly requestBody?: readonly BodyLine[];
  /** Status, or why there is no answer. */
  readonly outcome: string;
  /** The status itself is what is wrong. */
  readonly isStatusMarked: boolean;
  readonly answerHeaders?: readonly BodyLine[];
  readonly answerBody?: readonly BodyLine[];
  readonly milliseconds: number;
  readonly at: string;
  /** Sent by the target itself. */
  readonly arrived: boolean;
  /** Only where nothing has to be prepared or signed before. */
  readonly curl?: string;
}

/**
 * One exchange as the texts that the page shows. Nothing is escaped here: the template does it.
 *
 * @param places where the breach stands, if it stands in this answer
 */
export function exchangeView(
  exchange: RecordedExchange,
  baseUrl: string,
  options: { readonly places?: readonly string[]; readonly plain?: boolean } = {},
): ExchangeView {
  const { request, response } = exchange;
  const { places = [] } = options;
  const headers = places.flatMap((place) =>
    place.startsWith('#header/') ? [place.slice(8).toLowerCase()] : [],
  );
  const inBody = places.filter((place) => place.startsWith('/') || place === '' || place === '#body');
  return {
    id: exchange.id,
    label: exchange.label,
    short: `${request.method} ${request.url.slice(baseOf(request.url, baseUrl).length)}`,
    request: `${request.method} ${request.url}`,
    requestHeaders: headerLines(request.headers)
      .map(({ text }) => text)
      .join('\n'),
    ...(request.body ? { requestBody: markedLines(request.body, []) } : {}),
    outcome: response ? String(response.status) : (exchange.failure ?? 'no answer'),
    isStatusMarked: places.includes('#status') && inBody.length + headers.length === 0,
    ...(response ? { answerHeaders: headerLines(response.headers, headers) } : {}),
    ...(response?.body ? { answerBody: markedLines(response.body, places) } : {}),
    milliseconds: Math.round(exchange.milliseconds),
    at: exchange.at,
    arrived: exchange.arrived === true,
    ...(options.plain ? { curl: curlOf(exchange, baseUrl) } : {}),
  };
}

function headerLines(
  headers: Readonly<Record<string, string>>,
  marked: readonly string[] = [],
): readonly BodyLine[] {
  const lines = Object.entries(headers).map(([name, value]): BodyLine => {
    const text = `${name}: ${value}`;
    return { text, isMarked: marked.includes(name.toLowerCase()) };
  });
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const missing = marked.filter((name) => !names.has(name));
  return [...lines, ...missing.map((name) => ({ text: `no header ${name}`, isMarked: true }))];
}
