import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly text: string;
  readonly signature: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly event: any;
}

/** Listens for events. @param status what every event is answered */
export async function receiver(status = 200) {
  const events: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      events.push({
        text,
        signature: String(request.headers['x-service-signature']),
        event: JSON.parse(text),
      });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return { url, events, close: () => server.close() };
}
