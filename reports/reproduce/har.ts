import type { RecordedExchange } from '../../journal/types.ts';

/** The story as HTTP Archive 1.2, which browsers' developer tools and API clients open. Secrets are masked, as recorded. */
export function harOf(exchanges: readonly RecordedExchange[], version: string): string {
  const log = {
    version: '1.2',
    creator: { name: 'Assay', version },
    pages: [],
    entries: exchanges.filter(({ arrived }) => !arrived).map(entryOf),
  };
  return `${JSON.stringify({ log }, null, 1)}\n`;
}

function entryOf({ label, at, milliseconds, request, response, failure }: RecordedExchange) {
  const type = contentType(response?.headers ?? {});
  return {
    startedDateTime: at,
    time: milliseconds,
    comment: failure === undefined ? label : `${label}: ${failure}`,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: queryOf(request.url),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body ?? ''),
      ...(request.body === undefined
        ? {}
        : { postData: { mimeType: contentType(request.headers), text: request.body } }),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response?.headers ?? {}),
      content: { size: Buffer.byteLength(response?.body ?? ''), mimeType: type, text: response?.body ?? '' },
      redirectURL: '',
      headersSize: -1,
      bodySize: Buffer.byteLength(response?.body ?? ''),
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
  };
}

function pairs(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function queryOf(url: string) {
  try {
    return [...new URL(url).searchParams].map(([name, value]) => ({ name, value }));
  } catch {
    return [];
  }
}

function contentType(headers: Readonly<Record<string, string>>): string {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  return found?.[1] ?? 'application/octet-stream';
}
