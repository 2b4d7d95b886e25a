import { isLosslessNumber, parse } from 'lossless-json';
import type { RecordedExchange } from '../../journal/types.ts';

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
}

/**
 * One exchange as the texts that the page shows. Nothing is escaped here: the template does it.
 *
 * @param places where the breach stands, if it stands in this answer
 */
export function exchangeView(
  exchange: RecordedExchange,
  baseUrl: string,
  places: readonly string[] = [],
): ExchangeView {
  const { request, response } = exchange;
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

/** One line of a body as a page shows it. */
interface BodyLine {
  readonly text: string;
  /** The line, or the object that it opens, is where the breach stands. */
  readonly isMarked: boolean;
  /** What is missing from the object that the line opens. */
  readonly note?: string;
}

/** Longer bodies are cut in the page; exchanges.ndjson has them whole. */
const LINES_SHOWN = 160;
const CHARACTERS_SHOWN = 6_000;
const LONGEST_READ = 120_000;

/**
 * A body in lines: JSON is indented without touching a digit of its numbers, everything else stays as it came. Lines at
 * the given places are marked; where nothing stands at a place, the object that should hold it says so.
 *
 * @param pointers JSON pointers; others are ignored
 */
export function markedLines(body: string, pointers: readonly string[]): readonly BodyLine[] {
  const places = pointers.filter((pointer) => pointer === '' || pointer.startsWith('/'));
  let value: unknown;
  try {
    if (body.length > LONGEST_READ) throw new Error('too long to be worth it');
    value = parse(body);
  } catch {
    return clipped(body.split('\n').map((text) => ({ text, isMarked: false })));
  }
  // The closest places say it all: what holds them is marked only where nothing closer is.
  const closest = places.filter(
    (one) => !places.some((other) => other !== one && other.startsWith(`${one}/`)),
  );
  const lines: BodyLine[] = [];
  write(value, '', '', '', '', new Set(closest), lines);
  return clipped(lines);
}

function write(
  value: unknown,
  pointer: string,
  key: string,
  indent: string,
  comma: string,
  marks: ReadonlySet<string>,
  lines: BodyLine[],
): void {
  const isMarked = pointer !== '' && marks.has(pointer);
  const isList = Array.isArray(value);
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) {
    const text = isLosslessNumber(value) ? value.toString() : JSON.stringify(value);
    lines.push({ text: `${indent}${key}${text}${comma}`, isMarked });
    return;
  }
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const entries = Object.entries(value);
  const missing = missingFrom(value, pointer, marks);
  const note = missing.length > 0 ? { note: `nothing at ${missing.join(', ')}` } : {};
  if (entries.length === 0) {
    lines.push({ text: `${indent}${key}${open}${close}${comma}`, isMarked, ...note });
    return;
  }
  lines.push({ text: `${indent}${key}${open}`, isMarked, ...note });
  for (const [index, [name, inner]] of entries.entries())
    write(
      inner,
      `${pointer}/${name}`,
      isList ? '' : `${JSON.stringify(name)}: `,
      `${indent}  `,
      index < entries.length - 1 ? ',' : '',
      marks,
      lines,
    );
  lines.push({ text: `${indent}${close}${comma}`, isMarked });
}

/** Names right below an object that somebody looked for. */
function missingFrom(value: object, pointer: string, marks: ReadonlySet<string>): string[] {
  return [...marks]
    .filter((mark) => mark.startsWith(`${pointer}/`))
    .map((mark) => mark.slice(pointer.length + 1))
    .filter((rest) => !Object.hasOwn(value, rest.split('/')[0] as string));
}

function clipped(lines: readonly BodyLine[]): readonly BodyLine[] {
  const shown: BodyLine[] = [];
  let room = CHARACTERS_SHOWN;
  let from = 0;
  // A breach far below must not be cut away with the rest.
  const firstMark = lines.findIndex(({ isMarked, note }) => isMarked || note !== undefined);
  if (firstMark > LINES_SHOWN - 20) {
    from = firstMark - 20;
    shown.push({ text: `… ${from} lines before`, isMarked: false });
  }
  for (const line of lines.slice(from)) {
    if (shown.length > LINES_SHOWN || room <= 0) {
      shown.push({
        text: `… ${lines.length - from - shown.length} more lines in exchanges.ndjson`,
        isMarked: false,
      });
      break;
    }
    const text =
      line.text.length > room ? `${line.text.slice(0, room)}… (more in exchanges.ndjson)` : line.text;
    shown.push({ ...line, text });
    room -= text.length;
  }
  return shown;
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
