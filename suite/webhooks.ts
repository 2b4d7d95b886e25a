import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './answers/answer.ts';
import { type Platform, type StateRequest, sendRequest } from './api/platform.ts';
import type { HttpClient } from '../client/http/http-client.ts';
import type { Profile } from '../target/profile.ts';
import { EventLog, pathFor } from './event-log.ts';
import { eventually } from './eventually.ts';
import type { Given } from './given.ts';
import type { Recorder } from './answers/recorder.ts';
import { receiverFile } from './run/webhook-relay.ts';

/** How long to go on looking for an event that ought not to come. */
const WATCH_MS = 500;
const NOT_DELIVERED = "events are read from the target's log, so that none is delivered to this machine";
const LONGEST_BODY = 1_000_000;

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

/** The run's one public address, and the folder in which receivers are found. */
interface RelayAddress {
  readonly url: string;
  readonly folder: string;
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

  /**
   * A receiver that is registered as the webhook endpoint.
   *
   * @param about whose events come here; without a customer, those of the platform
   */
  async receive(
    about: { readonly customerId?: string; readonly clientId?: string; readonly clientSecret?: string } = {},
  ): Promise<Webhook> {
    const { recorder, given, relay, profile } = this.#parts;
    if (profile.eventLog) return this.#read(about);
    const webhook = await Webhook.listen(recorder, given.platformOf(about), relay);
    this.#open.push(webhook);
    const { customerId, clientId } = about;
    webhook.values = await given.state<WebhookValues>('webhook', { url: webhook.url, customerId, clientId });
    return webhook;
  }

  /** The target's own log in the place of a receiver. Its endpoints are left as they are. */
  async #read(about: { readonly customerId?: string; readonly clientId?: string }): Promise<Webhook> {
    const { recorder, given, profile, http, leave } = this.#parts;
    const { path = '', test } = profile.eventLog ?? {};
    const log = await EventLog.open(profile, http, about.customerId);
    if (typeof log === 'string') return leave(`the log of events at ${path} ${log}`);
    const webhook = Webhook.reading(log, recorder, given.platformOf(about), leave);
    this.#open.push(webhook);
    const [method = '', template = ''] = test?.split(' ') ?? [];
    if (test !== undefined) webhook.values = { test: { method, path: pathFor(template, about.customerId) } };
    return webhook;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((webhook) => webhook.end()));
  }
}

/** A webhook endpoint on this machine. */
export class Webhook {
  /** What the state has told: the key of the signatures, and the request that sends a test event. */
  values: WebhookValues = {};
  readonly #server: Server | undefined;
  readonly #platform: Platform;
  /** How long to go on looking for an event that ought to come. The interface names no time. */
  readonly patienceMs: number;
  readonly #deliveries: Delivery[] = [];
  #status = 200;
  #public: { readonly url: string; readonly file: string } | undefined;

  /** Ends the reading of a log. */
  #endReading: (() => Promise<void>) | undefined;
  /** Ends a test that would have this machine answer a delivery, where none comes. */
  #leave: ((reason: string) => never) | undefined;

  private constructor(server: Server | undefined, platform: Platform, patienceMs: number) {
    this.#server = server;
    this.#platform = platform;
    this.patienceMs = patienceMs;
  }

  static async listen(recorder: Recorder, platform: Platform, relay?: RelayAddress): Promise<Webhook> {
    const server = createServer();
    const webhook = new Webhook(server, platform, recorder.dialect.eventSeconds * 1_000);
    server.on('request', (request, response) => {
      void read(request).then((text) => {
        webhook.#take(recorder, request, text);
        response.writeHead(webhook.#status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    if (relay) webhook.#announce(relay);
    return webhook;
  }

  static reading(
    log: EventLog,
    recorder: Recorder,
    platform: Platform,
    leave: (reason: string) => never,
  ): Webhook {
    const webhook = new Webhook(undefined, platform, recorder.dialect.eventSeconds * 1_000);
    webhook.#leave = leave;
    webhook.#endReading = log.follow(({ url, text }) => {
      const sent = { method: 'GET', url, headers: {}, body: text };
      webhook.#deliveries.push({
        answer: recorder.arrived("an event stands in the target's log", sent, 200),
        headers: {},
        text,
      });
    });
    return webhook;
  }

  /** Where the target sends its events to. */
  get url(): string {
    return this.#public?.url ?? `http://127.0.0.1:${this.#port}/events`;
  }

  get #port(): number {
    return (this.#server?.address() as AddressInfo).port;
  }

  #announce({ url, folder }: RelayAddress): void {
    const id = randomBytes(16).toString('hex');
    const file = receiverFile(folder, id);
    writeFileSync(file, String(this.#port));
    this.#public = { url: `${url}/${id}`, file };
  }

  get deliveries(): readonly Delivery[] {
    return this.#deliveries;
  }

  /** Answers all further deliveries with this status. */
  answerWith(status: number): void {
    this.#leave?.(NOT_DELIVERED);
    this.#status = status;
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

  /** Watches for a while whether more than so many events of a type come; those that have come. */
  watch(type: EventFilter, count: number): Promise<readonly Delivery[]> {
    return eventually(
      async () => this.of(type),
      (seen) => seen.length > count,
      WATCH_MS,
    );
  }

  /**
   * Whether events do arrive here: one has, or the target's test event does. Without it the absence of an event proves
   * nothing, as the target may not reach this machine.
   *
   * @returns the proof, or undefined
   */
  async works(): Promise<Answer | undefined> {
    const [earlier] = this.#deliveries;
    if (earlier) return earlier.answer;
    const sent = await this.sendTest();
    if (!sent?.exchange.response || !sent.accepted) return undefined;
    const [first] = await eventually(
      async () => this.#deliveries,
      (seen) => seen.length > 0,
      this.patienceMs,
    );
    return first?.answer;
  }

  /** Has the target send a test event; undefined where no operation for it is known. */
  async sendTest(): Promise<Answer | undefined> {
    const { test } = this.values;
    if (!test) return undefined;
    const known = this.#deliveries.length;
    const sent = await sendRequest(this.#platform, test, 'sending a test event');
    // A log is looked at now and then, where a receiver has got the event before the answer.
    if (this.#endReading && sent.exchange.response && sent.accepted)
      await eventually(
        async () => this.#deliveries.length,
        (count) => count > known,
        this.patienceMs,
      );
    return sent;
  }

  /** Whether the signature of a delivery is right; undefined where there is no key, or none in a known form. */
  signed(delivery: Delivery): boolean | undefined {
    const header = Object.entries(delivery.headers).find(([name]) => /^x-\w+-signature$/.test(name))?.[1];
    const { publicKey } = this.values;
    if (header === undefined || publicKey === undefined) return undefined;
    try {
      const text = header.trim().startsWith('{') ? (JSON.parse(header) as { s: string }).s : header;
      return verify(
        'sha256',
        Buffer.from(delivery.text, 'utf8'),
        createPublicKey(publicKey),
        Buffer.from(text, 'base64'),
      );
    } catch {
      return false;
    }
  }

  /** Nobody listens here any more. */
  async close(): Promise<void> {
    this.#leave?.(NOT_DELIVERED);
    await this.end();
  }

  /** The same, and a log is read no more. */
  async end(): Promise<void> {
    await this.#endReading?.();
    const server = this.#server;
    if (!server) return;
    if (this.#public) rmSync(this.#public.file, { force: true });
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  #take(recorder: Recorder, request: IncomingMessage, text: string): void {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    );
    const sent = { method: request.method ?? 'POST', url: this.url, headers, body: text };
    this.#deliveries.push({
      answer: recorder.arrived('an event is delivered', sent, this.#status),
      headers,
      text,
    });
  }
}

/** What an event is called: any text of its envelope or headers that is written as types are. */
export function typesOf(delivery: Delivery): readonly string[] {
  const body: unknown = delivery.answer.body;
  const texts = [...Object.values(delivery.headers), ...envelopeTexts(body)];
  return texts.filter((text) => /^[A-Z][A-Z_]*(\.[A-Z_]+)*$/.test(text));
}

/** Texts of the envelope: the payload of an event has states and types of its own. */
function envelopeTexts(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const own = Object.values(body as object).filter((value): value is string => typeof value === 'string');
  const nested = Object.values(body as object).flatMap((value: unknown) =>
    typeof value === 'object' && value !== null
      ? Object.values(value).filter((one): one is string => typeof one === 'string' && one.includes('.'))
      : [],
  );
  return [...own, ...nested];
}

function read(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      if ((length += chunk.length) <= LONGEST_BODY) chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', () => resolve(''));
  });
}
