import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Recorder } from './recorder.ts';

/** Events, as they come in at an endpoint. */
export async function recordEvents(recorder: Recorder): Promise<void> {
  const endpoint = createServer();
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  try {
    const { customerId } = await recorder.state('customer');
    await recorder.state('webhook', { url, customerId });
    const event = nextEvent(endpoint);
    await recorder.state('incoming-refund', { customerId, to: 'PENDING' });
    recorder.keepRequest(
      'receiveEvent',
      'refundPending',
      'The refund of an incoming payment is pending.',
      await event,
    );
  } finally {
    endpoint.close();
    endpoint.closeAllConnections();
  }
}

async function nextEvent(endpoint: ReturnType<typeof createServer>): Promise<unknown> {
  const [request, response] = (await once(endpoint, 'request')) as [IncomingMessage, ServerResponse];
  const body = Buffer.concat(await request.toArray()).toString();
  response.end();
  return JSON.parse(body);
}
