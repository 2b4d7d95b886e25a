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
  readonly #log: NonNullable<Profile['eventLog']>;
  readonly #http: Pick<HttpClient, 'send'>;
  readonly #profile: Profile;
  readonly #customerId: string | undefined;
  /** Entries that were there before, or have been told; an entry changes while it is delivered, its event does not. */
  readonly #known = new Set<string>();

  private constructor(
    profile: Profile,
    log: NonNullable<Profile['eventLog']>,
    http: Pick<HttpClient, 'send'>,
    customerId: string | undefined,
  ) {
    this.#profile = profile;
    this.#log = log;
    this.#http = http;
    this.#customerId = customerId;
  }

  /**
   * The log from now on: what stands in it already is no news.
   *
   * @param customerId whose events are meant; those of everybody unless given
   * @returns why it cannot be read, in the rest of a sentence that begins with its path
   */
  static async open(
    profile: Profile,
    http: Pick<HttpClient, 'send'>,
    customerId?: string,
  ): Promise<EventLog | string> {
    if (!profile.eventLog) return 'is not in the profile';
    const log = new EventLog(profile, profile.eventLog, http, customerId);
    const events = await log.look();
    return typeof events === 'string' ? events : log;
  }

  /** Events that have come since the last look, oldest first; or why there is no telling. */
  async look(): Promise<readonly LoggedEvent[] | string> {
    const { baseUrl, clientId, clientSecret } = this.#profile;
    const url = `${baseUrl}${pathFor(this.#log.path, this.#customerId)}`;
    const { response, failure } = await this.#http.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json', authorization: basicAuthorization(clientId, clientSecret) },
    });
    if (!response) return `gave no answer: ${failure}`;
    if (response.status !== 200) return `is answered ${response.status}, and a list was expected`;
    const list = listIn(response.text, this.#log.list);
    if (list === undefined)
      return `holds no list${this.#log.list === undefined ? '' : ` at ${this.#log.list}`}: say in eventLog.list where it is`;
    const mine = this.#customerId;
    const isFiltered = mine === undefined || this.#log.path.includes('{customerId}');
    const fresh = list
      .filter((entry) => isFiltered || JSON.stringify(entry).includes(mine))
      .map((entry) => JSON.stringify(at(entry, this.#log.event)))
      .filter((text): text is string => text !== undefined && !this.#known.has(text));
    for (const text of fresh) this.#known.add(text);
    return fresh.map((text) => ({ text, url }));
  }

  /** Goes on looking, and tells each new event, until it is told to end. @returns ends it */
  follow(tell: (event: LoggedEvent) => void): () => Promise<void> {
    let isOver = false;
    let wake: () => void = () => undefined;
    const going = (async () => {
      while (!isOver) {
        const events = await this.look();
        // An answer that is none of a log is looked past: the next one may be.
        if (!isOver && typeof events !== 'string') events.forEach(tell);
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, LOOK_MS).unref();
          if (isOver) resolve();
        });
      }
    })();
    return async () => {
      isOver = true;
      wake();
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
