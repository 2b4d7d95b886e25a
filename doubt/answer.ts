/**
 * When does an answer accuse? The one policy of doubt, in three steps: an answer (here), a check that looked at answers
 * (check.ts), and the attempts of a test within a run (run.ts). Trouble breaks no rule by itself; what may be trouble of the
 * moment accuses only where the repeat of its test shows it again; and a control that fails accuses nobody but who answers a
 * request that obeys with a fault of its own.
 */
import type { Exchange, ReceivedAnswer } from '../client/http/http-client.ts';
import { isWalletSigned } from '../client/signed-retry.ts';
import type { GiveUpKind } from '../journal/journal-writer.ts';
import type { Finding } from '../journal/types.ts';
import type { Operation } from '../schemas/contract.ts';

/** Something that went wrong between us and the target, or with the target for a moment: its test is repeated once. */
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

/** An answer as far as doubt goes. */
export interface Witness {
  readonly id: string;
  readonly label: string;
  readonly exchange: Exchange;
  readonly operation: Operation | undefined;
  readonly trouble: Trouble | undefined;
  /** Breaches of its own shape, already blamed. */
  readonly breaches: readonly { readonly rule: string; readonly pointer: string; readonly message: string }[];
  /** A fault inside the service: a 5xx that nothing in between gives. */
  readonly isFault: boolean;
  /** Status and what the answer says of it, for messages. */
  readonly told: string;
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
  const { status, headers } = response;
  const trouble = (what: string, mayAccuse: boolean) => ({
    what: `${status}${what}`,
    mayAccuse,
    momentary: true,
  });
  if (BETWEEN.has(status) || isOriginDown(status)) {
    const isTheAnswer = namesLimit(parsed) || (status === 429 && options.impatient);
    if (isTheAnswer) return undefined;
    return { ...trouble('', false), momentary: !(status === 429 && options.isLimited) };
  }
  const encoding = headers['content-encoding']?.trim();
  if (encoding && encoding !== 'identity')
    return trouble(` with a compressed body (${encoding.slice(0, 40)}), which nobody asked for`, false);
  if (status >= 300 && status < 400) return trouble(', a redirect', true);
  if (status >= 500) return trouble('', true);
  if (isPage(response)) return trouble(' with a page that is no JSON', true);
  if (status >= 400 && parsed === undefined && !OF_SERVICES.has(status))
    return trouble(' with a body that is no JSON', true);
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

/** What frameworks answer, in whatever form, for an operation that is not there. */
const ABSENT = new Set([404, 405, 501]);

/**
 * How a test ends over a control that was not accepted: the target's own refusal closes what stands on this variant of the
 * request alone, anything else leaves all rules of the test open.
 */
export function endOfControl({ exchange, trouble }: Witness): GiveUpKind {
  const isRefusal = Math.floor((exchange.response?.status ?? 0) / 100) === 4 && trouble?.momentary !== true;
  return isRefusal ? 'refused' : 'inconclusive';
}

/** The same over something that a target may lack: only trouble leaves it open whether it is there. */
export function endOfOffer({ exchange, trouble }: Witness): GiveUpKind {
  return trouble && !ABSENT.has(exchange.response?.status ?? 0) ? 'inconclusive' : 'unprepared';
}

/**
 * What it shows when a control is answered with a fault of the service (section Errors, 500 codes): a request that obeys was
 * not answered. The rule that says so of its operation is blamed.
 *
 * @returns undefined for any other answer, and where no rule speaks of the operation
 */
export function findingOfControl(answer: Witness): (Finding & { readonly trouble: string }) | undefined {
  const { id, label, told, trouble, operation } = answer;
  if (!answer.isFault || !operation?.faultRule) return undefined;
  const { rule, signed = rule, guess = operation.factsOnly } = operation.faultRule;
  const blamed = isWalletSigned(answer.exchange.request) ? signed : rule;
  return {
    rule: blamed,
    place: blamed,
    message: `"${label}", with nothing wrong in it: expected an answer, got ${told}, a fault inside the service`,
    exchanges: [id],
    looked: [{ exchange: id, pointers: ['#status'] }],
    trouble: `"${label}" was answered ${trouble?.what}`,
    faultOf: operation.id,
    ...(guess ? { assumes: [`paths.${operation.id}`, `bodies.${operation.id}`] } : {}),
  };
}
