import type { RecordedExchange } from '../../journal/types.ts';

const MASKED = /•{3,}/;
/** Set by curl itself, or tied to the recorded connection. */
const OWN_HEADERS = new Set(['host', 'content-length', 'connection', 'accept-encoding', 'transfer-encoding']);

/**
 * A command that repeats the request in a shell. The base URL and everything that was masked are shell variables,
 * listed first, so that nothing secret is in a report and nothing has to be searched for.
 */
export function curlOf(exchange: RecordedExchange, baseUrl: string): string {
  const variables = new Set<string>();
  const variable = (name: string) => {
    variables.add(name);
    return `"$${name}"`;
  };
  const { method, url, headers, body } = exchange.request;
  const base = baseOf(url, baseUrl);
  const address = base === '' ? quote(url) : variable('BASE_URL') + quoteUnlessEmpty(url.slice(base.length));
  const parts = [`curl -g -i -X ${quoteUnlessPlain(method)} ${address}`];
  for (const [name, value] of Object.entries(headers)) {
    if (!OWN_HEADERS.has(name.toLowerCase())) parts.push(headerOption(name, value, variable));
  }
  if (body !== undefined && body !== '') {
    // Left to itself, curl would call every body a form.
    if (!Object.keys(headers).some((name) => name.toLowerCase() === 'content-type'))
      parts.push("-H 'content-type:'");
    parts.push(`--data-raw ${masksToVariables(body, variable)}`);
  }
  const settings = [...variables].map((name) => `export ${name}=…`);
  return [...settings, parts.join(' \\\n  ')].join('\n');
}

/**
 * The part of an address that is the service's base URL, or '' where it is not below it. An embedded target has no
 * address of its own in a report; there the date that ends every base URL tells.
 */
export function baseOf(url: string, baseUrl: string): string {
  const isBelow = (base: string) => url.startsWith(base) && /^(?:[/?]|$)/.test(url.slice(base.length));
  if (/^https?:/.test(baseUrl)) return isBelow(baseUrl) ? baseUrl : '';
  const dated = /^https?:.*?\/\d{4}-\d{2}-\d{2}(?=[/?]|$)/.exec(url)?.[0] ?? '';
  return baseUrl === '' ? '' : dated;
}

function headerOption(name: string, value: string, variable: (name: string) => string): string {
  if (!MASKED.test(value)) return `-H ${quote(`${name}: ${value}`)}`;
  if (name.toLowerCase() !== 'authorization') {
    const own = variable(shellName(name));
    return `-H ${quote(`${name}: `)}${own}`;
  }
  if (/^basic /i.test(value)) return `-u ${variable('CLIENT_ID')}:${variable('CLIENT_SECRET')}`;
  return `-H ${quote(`${name}: ${value.split(' ')[0]} `)}${variable('ACCESS_TOKEN')}`;
}

/** Quotes a body; where it was masked it takes a variable, named after the JSON key in front of it. */
function masksToVariables(body: string, variable: (name: string) => string): string {
  const pieces = body.split(new RegExp(MASKED, 'g'));
  return pieces
    .map((piece, index) => {
      if (index === pieces.length - 1) return piece === '' && index > 0 ? '' : quote(piece);
      const key = /"([A-Za-z][\w-]*)"\s*:\s*"[^"]*$/.exec(piece)?.[1];
      return quote(piece) + variable(key === undefined ? 'SECRET' : shellName(key));
    })
    .join('');
}

function shellName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function quoteUnlessEmpty(text: string): string {
  return text === '' ? '' : quote(text);
}

function quoteUnlessPlain(text: string): string {
  return /^[A-Z]+$/.test(text) ? text : quote(text);
}
