import { setTimeout as pause } from 'node:timers/promises';
import { basicAuthorization } from '../client/authorization.ts';
import type { HttpClient } from '../client/http/http-client.ts';
import type { Profile } from '../target/profile.ts';

/** One event of the log. */
interface LoggedEvent {
  /** The event itself, as JSON: what a webhook endpoint would have been sent. */
  readonly text: string;
  readonly url: string;
}

/** Between two looks at a log, in milliseconds. */
const LOOK_MS = 250;

/**
 * The list in which a service keeps the events that it has sent, where nothing that it sends can reach this machine. Its path
 * and its form are the profile's (`eventLog`).
 */
export class EventLog {
  readonly #read: () => Promise<readonly LoggedEvent[] | string>;

  private constructor(read: () => Promise<readonly LoggedEvent[] | string>) {
    this.#read = read;
  }

  /**
   * The log from now on: what stands in it already is no news.
   *
   * @param customerId whose events are meant; those of everybody unless given
   * @returns why it cannot be read, in the rest of a sentence that begins with its path
   */
  static async open(
    { eventLog, baseUrl, clientId, clientSecret }: Profile,
    http: Pick<HttpClient, 'send'>,
    customerId?: string,
  ): Promise<EventLog | string> {
    if (!eventLog) return 'is not in the profile';
    const url = `${baseUrl}${pathFor(eventLog.path, customerId)}`;
    const authorization = basicAuthorization(clientId, clientSecret);
    const isMine = (entry: unknown) =>
      customerId === undefined ||
      eventLog.path.includes('{customerId}') ||
      JSON.stringify(entry).includes(customerId);
    /** Entries that were there before, or have been told; an entry changes while it is delivered, its event does not. */
    const known = new Set<string>();
    const log = new EventLog(async () => {
      const headers = { accept: 'application/json', authorization };
      const { response, failure } = await http.send({ method: 'GET', url, headers });
      if (!response) return `gave no answer: ${failure}`;
      if (response.status !== 200) return `is answered ${response.status}, and a list was expected`;
      const list = listIn(response.text, eventLog.list);
      if (list === undefined)
        return `holds no list${eventLog.list === undefined ? '' : ` at ${eventLog.list}`}: say in eventLog.list where it is`;
      const fresh = list
        .filter(isMine)
        .map((entry) => JSON.stringify(at(entry, eventLog.event)))
        .filter((text): text is string => text !== undefined && !known.has(text));
      for (const text of fresh) known.add(text);
      return fresh.map((text) => ({ text, url }));
    });
    const events = await log.look();
    return typeof events === 'string' ? events : log;
  }

  /** Events that have come since the last look, oldest first; or why there is no telling. */
  look(): Promise<readonly LoggedEvent[] | string> {
    return this.#read();
  }

  /** Goes on looking, and tells each new event, until it is told to end. @returns ends it */
  follow(tell: (event: LoggedEvent) => void): () => Promise<void> {
    const over = new AbortController();
    const going = (async () => {
      while (!over.signal.aborted) {
        const events = await this.look();
        // An answer that is none of a log is looked past: the next one may be.
        if (!over.signal.aborted && typeof events !== 'string') events.forEach(tell);
        await pause(LOOK_MS, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
      }
    })();
    return async () => {
      over.abort();
      await going;
    };
  }
}

/** A path with the customer in it; without one, the part of the query that would name it is left out. */
export function pathFor(path: string, customerId: string | undefined): string {
  if (customerId !== undefined) return path.replaceAll('{customerId}', encodeURIComponent(customerId));
  const [route = '', query = ''] = path.split('?');
  const kept = query.split('&').filter((part) => part !== '' && !part.includes('{customerId}'));
  return kept.length > 0 ? `${route}?${kept.join('&')}` : route;
}

function listIn(text: string, place: string | undefined): readonly unknown[] | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const list = at(body, place ?? (Array.isArray(body) ? undefined : 'data'));
  return Array.isArray(list) ? list : undefined;
}

/** @param place names with dots between them; the value itself unless given */
function at(value: unknown, place: string | undefined): unknown {
  return (place?.split('.') ?? []).reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null
        ? (inner as Readonly<Record<string, unknown>>)[name]
        : undefined,
    value,
  );
}
