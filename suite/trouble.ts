import type { Exchange, ReceivedAnswer } from '../client/http/http-client.ts';

/**
 * Something that went wrong between us and the target, or with the target for a moment. By itself it breaks no rule: a
 * test that met it is repeated once.
 */
export interface Trouble {
  /** What happened, to follow "was answered": `503`, `no answer (…)`. */
  readonly what: string;
  /**
   * Whether it may accuse when the repeat meets it again: the target's own 500 may. What only something in between
   * can have said (a rate limit, a gateway without a backend, no answer at all) never does.
   */
  readonly mayAccuse: boolean;
  /** Whether another try may well go better. */
  readonly momentary: boolean;
}

/** A rate limit, and what gateways and content networks say when nothing stands behind them. */
const BETWEEN = new Set([429, 502, 503, 504, 598, 599]);
/** Said by services alone, never by what stands before them; which bodies they have is not shown. */
const OF_SERVICES = new Set([409, 422, 423]);
/** Statuses 520 to 530 belong to one content network: the origin is down, unreachable or speaks no HTTP. */
const isOriginDown = (status: number): boolean => status >= 520 && status <= 530;

/**
 * The trouble that an exchange shows, if any.
 *
 * @param parsed its body, where it is JSON
 * @param options.impatient the call is about a limit on requests: its 429 is the answer
 * @param options.isLimited the target may limit this operation (challenges of a credential): another try meets the same
 */
export function troubleIn(
  { response, failure, unsendable }: Pick<Exchange, 'response' | 'failure' | 'unsendable'>,
  parsed: unknown,
  options: { readonly impatient?: boolean | undefined; readonly isLimited?: boolean | undefined } = {},
): Trouble | undefined {
  if (!response) return { what: `no answer (${failure})`, mayAccuse: false, momentary: !unsendable };
  const { status } = response;
  const between = (what: string): Trouble => ({
    what: `${status}${what}`,
    mayAccuse: false,
    momentary: true,
  });
  const moment = (what: string): Trouble => ({
    what: `${status}${what}`,
    mayAccuse: true,
    momentary: true,
  });
  if (BETWEEN.has(status) || isOriginDown(status)) {
    const isTheAnswer = namesLimit(parsed) || (status === 429 && options.impatient);
    if (isTheAnswer) return undefined;
    return { ...between(''), momentary: !(status === 429 && options.isLimited) };
  }
  const encoding = response.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim() !== '' && encoding.trim() !== 'identity')
    return between(` with a compressed body (${encoding.slice(0, 40)}), which nobody asked for`);
  if (status >= 300 && status < 400) return moment(', a redirect');
  if (status >= 500) return moment('');
  if (isPage(response)) return moment(' with a page that is no JSON');
  if (status >= 400 && parsed === undefined && !OF_SERVICES.has(status))
    return moment(' with a body that is no JSON');
  return undefined;
}

/** A limit that the interface names is the service's own word, whatever the status. */
function namesLimit(parsed: unknown): boolean {
  const code = (parsed as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' && code.endsWith('_LIMIT_EXCEEDED');
}

/** Gateways, log-in walls and maintenance pages speak HTML, whatever the status. */
function isPage({ headers, text }: ReceivedAnswer): boolean {
  if (text === '') return false;
  const start = text.slice(0, 200).trimStart();
  return start.startsWith('<') || (/\bhtml\b/i.test(headers['content-type'] ?? '') && !/^[[{"]/.test(start));
}
