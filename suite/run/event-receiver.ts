import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SentRequest } from '../../client/http/http-client.ts';
import type { Profile } from '../../target/profile.ts';
import { UsageError } from '../../target/usage-error.ts';

const LONGEST_BODY = 1_000_000;

/** The run's one public address, and the folder in which receivers are found. */
export interface RelayAddress {
  readonly url: string;
  readonly folder: string;
}

/** Receives on this machine what the target sends. */
export class EventReceiver {
  /** What every delivery is answered. */
  status = 200;
  /** Where the target sends its events to. */
  readonly url: string;
  readonly #server: Server;
  readonly #file: string | undefined;

  private constructor(server: Server, relay?: RelayAddress) {
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    const id = randomBytes(16).toString('hex');
    this.url = relay ? `${relay.url}/${id}` : `http://127.0.0.1:${port}/events`;
    this.#file = relay && receiverFile(relay.folder, id);
    if (this.#file !== undefined) writeFileSync(this.#file, String(port));
  }

  /**
   * @param take is told of each delivery, before it is answered
   * @param relay through which a target elsewhere reaches this machine
   */
  static async open(
    take: (request: SentRequest & { readonly body: string }, status: number) => void,
    relay?: RelayAddress,
  ): Promise<EventReceiver> {
    const server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        const { method = 'POST' } = request;
        take({ method, url: receiver.url, headers: headersOf(request), body }, receiver.status);
        response.writeHead(receiver.status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new EventReceiver(server, relay);
    return receiver;
  }

  async close(): Promise<void> {
    if (this.#file !== undefined) rmSync(this.#file, { force: true });
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Its beginning, where it is endless. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>)
      if ((length += chunk.length) <= LONGEST_BODY) chunks.push(chunk);
  } catch {
    return '';
  }
  return Buffer.concat(chunks).toString('utf8');
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}

/** A path of a receiver: its id is random, so that nobody else finds it. */
const RECEIVER = /\/([0-9a-f]{32})$/;

/** File of the run's folder that names the port of a receiver. */
export function receiverFile(folder: string, id: string): string {
  return join(folder, `receiver-${id}`);
}

/**
 * Listens where the profile says, and passes each delivery on to the receiver of the test that waits for it: one address
 * for all workers of a run.
 *
 * @param folder of the run
 * @throws UsageError where it cannot listen there
 */
export async function openRelay(
  { host, port }: NonNullable<Profile['webhooks']>,
  folder: string,
): Promise<Server> {
  const server = createServer((incoming, answer) => {
    const [, id = ''] = RECEIVER.exec(new URL(incoming.url ?? '/', 'http://relay').pathname) ?? [];
    const file = receiverFile(folder, id);
    if (id === '' || !existsSync(file)) return void answer.writeHead(404).end();
    const { method, headers } = incoming;
    const to = { host: '127.0.0.1', port: readFileSync(file, 'utf8'), path: '/events', method, headers };
    const passed = send(to, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    passed.on('error', () => answer.writeHead(410).end());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new UsageError(
          `WEBHOOK_LISTEN ${host}:${port} cannot be used (${error.code ?? error.message}): choose a free port of this machine.`,
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  return server;
}
