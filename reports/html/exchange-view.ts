import { parse, stringify } from 'lossless-json';
import type { RecordedExchange } from '../../suite/journal/types.ts';
import { baseOf, curlOf } from './curl.ts';

/** Longer bodies are cut in the page; exchanges.ndjson has them whole. */
const BODY_SHOWN = 6_000;

export interface ExchangeView {
  readonly id: string;
  readonly label: string;
  /** Method and path below the base URL. */
  readonly short: string;
  readonly request: string;
  readonly requestHeaders: string;
  readonly requestBody?: string;
  /** Status, or why there is no answer. */
  readonly outcome: string;
  readonly answerHeaders?: string;
  readonly answerBody?: string;
  readonly milliseconds: number;
  readonly at: string;
  readonly curl: string;
}

/** One exchange as the texts that the page shows. Nothing is escaped here: the template does it. */
export function exchangeView(exchange: RecordedExchange, baseUrl: string): ExchangeView {
  const { request, response } = exchange;
  return {
    id: exchange.id,
    label: exchange.label,
    short: `${request.method} ${request.url.slice(baseOf(request.url, baseUrl).length)}`,
    request: `${request.method} ${request.url}`,
    requestHeaders: headerLines(request.headers),
    ...(request.body ? { requestBody: readable(request.body) } : {}),
    outcome: response ? String(response.status) : (exchange.failure ?? 'no answer'),
    ...(response ? { answerHeaders: headerLines(response.headers) } : {}),
    ...(response?.body ? { answerBody: readable(response.body) } : {}),
    milliseconds: Math.round(exchange.milliseconds),
    at: exchange.at,
    curl: clipped(curlOf(exchange, baseUrl)),
  };
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Indents JSON without touching a digit of its numbers; everything else stays as it came. */
function readable(body: string): string {
  if (body.length > 20 * BODY_SHOWN) return clipped(body);
  try {
    return clipped(stringify(parse(body), null, 2) ?? body);
  } catch {
    return clipped(body);
  }
}

function clipped(text: string): string {
  const rest = text.length - BODY_SHOWN;
  return rest <= 0 ? text : `${text.slice(0, BODY_SHOWN)}\n… ${rest} more characters in exchanges.ndjson`;
}
