import { createPublicKey, verify } from 'node:crypto';
import { succeeded, type Answer } from './answers/answer.ts';
import { type Platform, type StateRequest, sendRequest } from './api/platform.ts';
import type { HttpClient, SentRequest } from '../client/http/http-client.ts';
import type { Profile } from '../target/profile.ts';
import { EventLog, pathFor } from './event-log.ts';
import { EventReceiver, type RelayAddress } from './run/event-receiver.ts';
import { afterwards, eventually } from './eventually.ts';
import type { Given } from './given.ts';
import type { Recorder } from './answers/recorder.ts';

/** How long to go on looking for an event that ought not to come. */
const WATCH_MS = 500;

/** One event as it was delivered. Its envelope is not shown in the interface. */
export interface Delivery {
  /** The recorded delivery: its `body` is what the target sent. */
  readonly answer: Answer;
  readonly headers: Readonly<Record<string, string>>;
  /** Exact text of the body. */
  readonly text: string;
}

/** Which events are meant: those of a type, or whatever a function picks. */
export type EventFilter = string | RegExp | ((delivery: Delivery) => boolean);

/** Whose events are meant; those of the platform without a customer. */
interface About {
  readonly customerId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

interface WebhookValues {
  readonly publicKey?: string;
  readonly test?: StateRequest;
}

interface WebhooksParts {
  readonly recorder: Recorder;
  readonly given: Given;
  /** Where a target elsewhere sends its events; absent where it runs on this machine. */
  readonly relay?: RelayAddress | undefined;
  readonly profile: Profile;
  readonly http: Pick<HttpClient, 'send'>;
  /** Ends the test as `not verified`. */
  readonly leave: (reason: string) => never;
}

/** Starts receivers of events, each for the events about one customer. */
export class Webhooks {
  readonly #parts: WebhooksParts;
  readonly #open: Webhook[] = [];

  constructor(parts: WebhooksParts) {
    this.#parts = parts;
  }

  /** A receiver that is registered as the webhook endpoint, or the target's own log in its place. */
  async receive({ customerId, clientId, clientSecret }: About = {}): Promise<Webhook> {
    const { recorder, given, relay, profile, leave } = this.#parts;
    const own = clientId === undefined || clientSecret === undefined ? {} : { clientId, clientSecret };
    const webhook = new Webhook(recorder, given.platformOf(own), leave);
    this.#open.push(webhook);
    if (profile.eventLog) webhook.values = await this.#read(webhook, profile.eventLog, customerId);
    else {
      const { url } = await webhook.listen(relay);
      webhook.values = await given.state<WebhookValues>('webhook', { url, customerId, clientId });
    }
    return webhook;
  }

  /** The target's endpoints are left as they are. */
  async #read(
    webhook: Webhook,
    { path, test }: NonNullable<Profile['eventLog']>,
    customerId: string | undefined,
  ): Promise<WebhookValues> {
    const { profile, http, leave } = this.#parts;
    const log = await EventLog.open(profile, http, customerId);
    if (typeof log === 'string') return leave(`the log of events at ${path} ${log}`);
    webhook.follow(log);
    const [method = '', template = ''] = test?.split(' ') ?? [];
    return test === undefined ? {} : { test: { method, path: pathFor(template, customerId) } };
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((webhook) => webhook.end()));
  }
}

/** A webhook endpoint on this machine, or the reader of a log in its place. */
export class Webhook {
  /** What the state has told: the key of the signatures, and the request that sends a test event. */
  values: WebhookValues = {};
  /** How long to go on looking for an event that ought to come. The interface names no time. */
  readonly patienceMs: number;
  readonly #recorder: Recorder;
  readonly #platform: Platform;
  readonly #leave: (reason: string) => never;
  readonly #deliveries: Delivery[] = [];
  #receiver: EventReceiver | undefined;
  /** Ends the reading of a log. */
  #endReading: (() => Promise<void>) | undefined;

  /** @param leave ends a test that would have this machine answer a delivery, where none comes */
  constructor(recorder: Recorder, platform: Platform, leave: (reason: string) => never) {
    this.#recorder = recorder;
    this.#platform = platform;
    this.#leave = leave;
    this.patienceMs = recorder.dialect.eventSeconds * 1_000;
  }

  async listen(relay?: RelayAddress): Promise<EventReceiver> {
    const take = this.#take.bind(this, 'an event is delivered');
    return (this.#receiver = await EventReceiver.open(take, relay));
  }

  follow(log: EventLog): void {
    this.#endReading = log.follow(({ url, text }) =>
      this.#take("an event stands in the target's log", { method: 'GET', url, headers: {}, body: text }, 200),
    );
  }

  #take(label: string, sent: SentRequest & { readonly body: string }, status: number): void {
    const { headers, body: text } = sent;
    this.#deliveries.push({ answer: this.#recorder.arrived(label, sent, status), headers, text });
  }

  get deliveries(): readonly Delivery[] {
    return this.#deliveries;
  }

  get #endpoint(): EventReceiver {
    return (
      this.#receiver ??
      this.#leave("events are read from the target's log, so that none is delivered to this machine")
    );
  }

  /** Answers all further deliveries with this status. */
  answerWith(status: number): void {
    this.#endpoint.status = status;
  }

  /** Deliveries that carry an event type, or are wanted otherwise; equal ones that were delivered again count once. */
  of(type: EventFilter): readonly Delivery[] {
    const found = this.#deliveries.filter((delivery) =>
      typeof type === 'function'
        ? type(delivery)
        : typesOf(delivery).some((one) => (typeof type === 'string' ? one === type : type.test(one))),
    );
    // An `id` may be that of the record, which further events are about too.
    return [...new Map(found.map((delivery) => [delivery.text, delivery])).values()];
  }

  /** Waits for so many events of a type; those that have come, whether or not they are enough. */
  until(type: EventFilter, count = 1): Promise<readonly Delivery[]> {
    return eventually(
      async () => this.of(type),
      (seen) => seen.length >= count,
      this.patienceMs,
    );
  }

  /** The events of a type that have come after a while. */
  afterwards(type: EventFilter): Promise<readonly Delivery[]> {
    return afterwards(async () => this.of(type), WATCH_MS);
  }

  /** Waits for a delivery beyond so many, of whatever it is; the last one of those that came. */
  async later(known: number): Promise<Delivery | undefined> {
    await eventually(
      async () => this.#deliveries.length,
      (count) => count > known,
      this.patienceMs,
    );
    return this.#deliveries.slice(known).at(-1);
  }

  /**
   * Whether events do arrive here: one has, or the target's test event does. Without it the absence of an event proves
   * nothing, as the target may not reach this machine.
   *
   * @returns the proof, or undefined
   */
  async works(): Promise<Answer | undefined> {
    const sent = this.#deliveries.length > 0 ? undefined : await this.sendTest();
    if (sent && succeeded(sent)) await this.later(0);
    return this.#deliveries[0]?.answer;
  }

  /** Has the target send a test event; undefined where no operation for it is known. */
  async sendTest(): Promise<Answer | undefined> {
    const { test } = this.values;
    if (!test) return undefined;
    const known = this.#deliveries.length;
    const sent = await sendRequest(this.#platform, test, 'sending a test event');
    // A log is looked at now and then, where a receiver has got the event before the answer.
    if (this.#endReading && succeeded(sent)) await this.later(known);
    return sent;
  }

  /** Whether the signature of a delivery is right; undefined where there is no key, or none in a known form. */
  signed({ headers, text }: Delivery): boolean | undefined {
    const header = Object.entries(headers).find(([name]) => /^x-\w+-signature$/.test(name))?.[1];
    const { publicKey } = this.values;
    if (header === undefined || publicKey === undefined) return undefined;
    try {
      const signature = header.trim().startsWith('{') ? (JSON.parse(header) as { s: string }).s : header;
      const key = createPublicKey(publicKey);
      return verify('sha256', Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'));
    } catch {
      return false;
    }
  }

  /** Nobody listens here any more. */
  close(): Promise<void> {
    return this.#endpoint.close();
  }

  /** The same, and a log is read no more. */
  async end(): Promise<void> {
    await this.#endReading?.();
    await this.#receiver?.close();
  }
}

/** What an event is called: any text of its envelope or headers that is written as types are. */
export function typesOf({ answer, headers }: Delivery): readonly string[] {
  const texts = (value: unknown): string[] =>
    typeof value === 'object' && value !== null
      ? Object.values(value).filter((one): one is string => typeof one === 'string')
      : [];
  const body: unknown = answer.body;
  // The payload of an event has states and types of its own.
  const nested = typeof body === 'object' && body !== null ? Object.values(body).flatMap(texts) : [];
  const all = [...texts(headers), ...texts(body), ...nested.filter((one) => one.includes('.'))];
  return all.filter((text) => /^[A-Z][A-Z_]*(\.[A-Z_]+)*$/.test(text));
}
