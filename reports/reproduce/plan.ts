/**
 * A script that makes one defect again without Assay. The plan says what it does, in order; template.ts puts references to
 * what earlier steps give in the place of ids and secrets; reproducers.ts writes the file, which player.js plays.
 */
import type { RecordedExchange, Looked } from '../../journal/types.ts';
import { baseOf } from '../html/exchange-view.ts';
import type { ConformanceReport, Defect, ExchangeIndex } from '../verdicts/model.ts';
import { Template, UnknownSecret } from './template.ts';
import { parsedOrNothing } from '../../schemas/json.ts';

/** One thing that a script does, in order. Texts may hold `⟦references⟧` to what came before. */
export type Step =
  | {
      readonly kind: 'state';
      readonly id: string;
      readonly state: string;
      readonly params: string;
    }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly label: string;
      readonly method: string;
      /** Below the base URL, or absolute. */
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: string;
      /** How it was answered then. */
      readonly status?: number;
      /** When it was sent then, in epoch milliseconds. */
      readonly at: number;
      /** Sent together with the step before. */
      readonly together?: true;
      /** Milliseconds that passed before it, where the test waited. */
      readonly after?: number;
    };

/** All that a script needs to make a breach again. */
export interface Plan {
  readonly rule: string;
  readonly title: string;
  readonly message: string;
  readonly baseUrl?: string;
  readonly needsStates: boolean;
  readonly needsPlatform: boolean;
  readonly steps: readonly Step[];
  /** What the check looked at, and what it saw. */
  readonly seen: readonly Sight[];
}

/** Why no script can do it, in one sentence. */
interface NoPlan {
  readonly why: string;
}

/** A story this long takes too long to be read again. */
const MOST_STEPS = 300;
/** A test that waited less than this did not wait. Milliseconds. */
const NO_PAUSE_MS = 15;
const LONGEST_PAUSE_MS = 5_000;
/** Set by the connection. */
const ID = /^\w+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const OWN_HEADERS = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding']);

/** How to make a defect again without Assay, or why that cannot be. Pure. */
export function planOf(
  defect: Defect,
  exchanges: ExchangeIndex,
  target: ConformanceReport['target'],
): Plan | NoPlan {
  const { story } = defect;
  if (!story || story.exchanges.length === 0) return { why: 'no exchange of its test was recorded.' };
  const all = story.exchanges.flatMap((id) => exchanges.get(id) ?? []);
  const needed = new Set(story.looked.map(({ exchange }) => exchange));
  if (all.some(({ id, arrived }) => arrived && needed.has(id)))
    return { why: 'it is in what the service sends by itself, and the command starts a receiver for that.' };
  const last = all.findLastIndex(({ id }) => needed.has(id));
  const sent = all.slice(0, last < 0 ? all.length : last + 1).filter(({ arrived }) => !arrived);
  if (sent.length > MOST_STEPS) return { why: `it took ${sent.length} requests.` };
  if (story.prepared.some(({ by }) => by === 'fixtures'))
    return { why: 'what it needs was prepared by hand, in the fixtures file, and may be used up.' };
  if (story.prepared.some(({ state }) => state === 'webhook'))
    return { why: 'events are sent to a receiver, which the command starts.' };
  if (sent.slice(0, -1).some(({ response }) => response?.headers['retry-after'] !== undefined))
    return { why: 'how long it waits is what an answer says.' };
  const isClockMoved = story.prepared.some(({ state }) => state === 'clock');
  const looked = lookedAt(story.looked, exchanges, defect.message, sent);
  const isStatus = ABOUT_A_STATUS.test(defect.message.trim());
  const ends = isClockMoved ? endsIn(sent) : [];
  const seen = [...(isStatus ? looked : withSurroundings(looked, sent)), ...ends];
  if (seen.length === 0) return { why: 'its check looked at no recorded answer.' };
  if (isArithmetic(seen)) return { why: 'it stands on amounts that follow the rate of the day.' };
  try {
    const found = plan(defect, sent, seen, target);
    return isRace(sent) ? { why: 'it is a race: which of its calls comes first is chance.' } : found;
  } catch (error) {
    if (!(error instanceof UnknownSecret)) throw error;
    return { why: error.message };
  }
}

function plan(
  defect: Defect,
  sent: readonly RecordedExchange[],
  seen: readonly Sight[],
  target: ConformanceReport['target'],
): Plan {
  const template = new Template();
  const end = sent.at(-1)?.at ?? '';
  const states = (defect.story?.prepared ?? []).filter(({ by, at }) => by === 'provider-states' && at <= end);
  const steps: Step[] = [];
  const related: Sight[] = [];
  let until = 0;
  let pending = [...states];
  for (const exchange of sent) {
    for (const prepared of pending.filter(({ at }) => at <= exchange.at)) {
      steps.push({
        kind: 'state',
        id: prepared.id,
        state: prepared.state,
        params: template.text(JSON.stringify(prepared.params)),
      });
      template.learn(prepared.id, prepared.values);
      until = Math.max(until, Date.parse(prepared.at));
    }
    pending = pending.filter(({ at }) => at > exchange.at);
    const start = Date.parse(exchange.at);
    const together = steps.at(-1)?.kind === 'call' && start + 1 < until;
    const pause = start - until;
    steps.push({
      ...callOf(exchange, template, target.baseUrl),
      ...(together ? { together } : {}),
      ...(until > 0 && pause >= NO_PAUSE_MS ? { after: Math.min(pause, LONGEST_PAUSE_MS) } : {}),
    });
    until = Math.max(until, start + exchange.milliseconds);
    // Of an id it matters whether an earlier step gave it.
    for (const sight of seen.filter((one) => one.exchange === exchange.id))
      related.push({ ...sight, ...('value' in sight ? { value: template.related(sight.value) } : {}) });
    template.learn(exchange.id, parsedOrNothing(exchange.response?.body));
  }
  if (related.some(isOfOthers))
    throw new UnknownSecret('a list shows records of others, and which there are is chance.');
  return {
    rule: defect.rule,
    title: defect.title,
    message: defect.message,
    ...(/^https?:/.test(target.baseUrl) ? { baseUrl: target.baseUrl } : {}),
    needsStates: states.length > 0,
    needsPlatform: template.usesPlatform,
    steps,
    seen: related,
  };
}

/** Several amounts that depend on a rate, none of which is wrong by itself. */
function isArithmetic(seen: readonly Sight[]): boolean {
  const amounts = seen.filter(({ pointer }) => /(?:rate|receiving|multiplier|fee)[A-Za-z]*$/i.test(pointer));
  const isOrdinary = ({ value }: Sight) => typeof value === 'number' && value > 0;
  return amounts.length > 1 && amounts.every(isOrdinary);
}

/** A record in a list that no step has made. */
function isOfOthers({ pointer, value }: Sight): boolean {
  return /\/\d+\/id$/.test(pointer) && typeof value === 'string' && ID.test(value);
}

/** Calls that change the same thing, sent at once. */
function isRace(sent: readonly RecordedExchange[]): boolean {
  const writes = sent.filter(({ request }) => request.method !== 'GET');
  return writes.some((one, index) => {
    const next = writes[index + 1];
    return (
      next?.request.url === one.request.url && Date.parse(next.at) + 1 < Date.parse(one.at) + one.milliseconds
    );
  });
}

function callOf(
  exchange: RecordedExchange,
  template: Template,
  baseUrl: string,
): Extract<Step, { kind: 'call' }> {
  const { request, origins = {}, id, label } = exchange;
  const below = baseOf(request.url, baseUrl);
  const headers = Object.entries(request.headers)
    .filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))
    .map(([name, value]) => [name, template.header(name, value, origins[`header:${name}`])]);
  return {
    kind: 'call',
    id,
    label,
    at: Date.parse(exchange.at),
    method: request.method,
    path: template.text(request.url.slice(below.length)),
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(request.body === undefined ? {} : { body: template.body(request.body, origins) }),
    ...(exchange.response ? { status: exchange.response.status } : {}),
  };
}

/** One place in an answer, and what stood there. */
interface Sight {
  readonly exchange: string;
  /** JSON pointer, `#status`, `#body` or `#header/<name>`. */
  readonly pointer: string;
  /** Absent where nothing stood there. */
  readonly value?: unknown;
  /** Only the names and kinds of what stands there matter. */
  readonly kinds?: true;
}

/** A message that ends with a status stands on that alone. */
const ABOUT_A_STATUS = /\bgot [1-5]\d\d$|\bis answered with [1-5]\d\d\b/;

/**
 * Everything that a check looked at, with what it saw there; what holds a closer place is left out. A check that took its
 * values from answers before it began looked at no place: then their bodies are taken as a whole.
 *
 * @param message what the check said
 */
function lookedAt(
  given: readonly Looked[],
  exchanges: ExchangeIndex,
  message: string,
  sent: readonly RecordedExchange[],
): Sight[] {
  const isBare =
    given.every(({ pointers }) => pointers.every((pointer) => pointer === '#status')) &&
    !ABOUT_A_STATUS.test(message.trim());
  const refused = sent.filter(({ response }) => response && response.status >= 400);
  const looked = isBare
    ? [
        ...given.map(({ exchange }) => ({ exchange, pointers: ['#status', ''] })),
        ...refused
          .filter(({ id }) => !given.some(({ exchange }) => exchange === id))
          .map(({ id }) => ({ exchange: id, pointers: ['#status', '/code'] })),
      ]
    : given;
  return looked.flatMap(({ exchange, pointers }) => {
    const recorded = exchanges.get(exchange);
    if (!recorded?.response) return [];
    const all = [...new Set(['#status', ...pointers])];
    const closest = all.filter((one) => !all.some((other) => other.startsWith(`${one}/`) && one !== other));
    return closest.map((pointer): Sight => {
      const value = valueAt(recorded, pointer);
      return { exchange, pointer, ...(value === undefined ? {} : { value }) };
    });
  });
}

/**
 * Where an answer looks right by itself, the breach lies in what an earlier one said at the same place, or in what is not
 * there: so the answers to the same call, and which members a body has, belong to what was seen.
 */
function withSurroundings(seen: readonly Sight[], sent: readonly RecordedExchange[]): Sight[] {
  const byId = new Map(sent.map((exchange) => [exchange.id, exchange]));
  const has = new Set(seen.map(({ exchange, pointer }) => `${exchange} ${pointer}`));
  const earlier = seen.flatMap(({ exchange, pointer }) => {
    const looked = byId.get(exchange);
    if (!looked || !pointer.startsWith('/')) return [];
    return sent
      .slice(0, sent.indexOf(looked))
      .filter(({ request }) => request.method === looked.request.method && request.url === looked.request.url)
      .flatMap((twin): Sight[] => {
        const value = valueAt(twin, pointer);
        if (value === undefined || has.has(`${twin.id} ${pointer}`)) return [];
        has.add(`${twin.id} ${pointer}`);
        return [{ exchange: twin.id, pointer, value }];
      });
  });
  const kinds = [...new Set(seen.map(({ exchange }) => exchange))].flatMap((exchange): Sight[] => {
    const recorded = byId.get(exchange);
    const body = recorded && valueAt(recorded, '');
    return typeof body === 'object' && body !== null
      ? [{ exchange, pointer: '', value: body, kinds: true }]
      : [];
  });
  return [...seen, ...earlier, ...kinds];
}

/** To where the clock was moved, an earlier answer said. */
function endsIn(sent: readonly RecordedExchange[]): Sight[] {
  return sent.flatMap((exchange): Sight[] => {
    const value = valueAt(exchange, '/expiresAt');
    return value === undefined ? [] : [{ exchange: exchange.id, pointer: '/expiresAt', value }];
  });
}

/** JSON in which a number that is too long for a double is a text: `9007199254740993` must stay what it is. */
function parseExactly(text: string): unknown {
  const exact = text.replace(/"(?:\\.|[^"\\])*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi, (part) =>
    /^-?\d{16,}$/.test(part) ? `"${part}"` : part,
  );
  return JSON.parse(exact) as unknown;
}

/** What stands at a place of an answer; undefined for nothing. */
function valueAt({ response }: RecordedExchange, pointer: string): unknown {
  if (!response) return undefined;
  if (pointer === '#status') return response.status;
  if (pointer.startsWith('#header/'))
    return Object.entries(response.headers).find(
      ([name]) => name.toLowerCase() === pointer.slice('#header/'.length).toLowerCase(),
    )?.[1];
  if (pointer.startsWith('#')) return response.body;
  let node: unknown;
  try {
    node = parseExactly(response.body);
  } catch {
    return pointer === '' ? response.body : undefined;
  }
  for (const key of pointer.split('/').slice(1)) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}
