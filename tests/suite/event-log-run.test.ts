import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startSandbox } from '../../sandbox/start.ts';
import { runAssay, scratch } from '../support/run-assay.ts';

const PROFILE = `
eventLog:
  path: /sandbox/webhooks/deliveries?customerId={customerId}&limit=100
  event: event
  test: POST /sandbox/webhooks/test?customerId={customerId}
`;

test('a target that sends its events elsewhere is judged by the log that it keeps of them', async () => {
  test.setTimeout(180_000);
  const sandbox = await startSandbox();
  const elsewhere = createServer(
    (request, response) => void request.resume().on('end', () => response.end()),
  );
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const webhookEndpoint = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
  const set = await fetch(`${sandbox.baseUrl()}/config`, {
    method: 'PATCH',
    headers: {
      authorization: `Basic ${btoa('sandbox:sandbox-secret')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ webhookEndpoint }),
  });
  expect(set.status).toBe(200);
  const profile = join(scratch('event-log'), 'profile.yaml');
  writeFileSync(profile, PROFILE);
  const { report } = await runAssay(
    {
      BASE_URL: sandbox.baseUrl(),
      CLIENT_ID: 'sandbox',
      CLIENT_SECRET: 'sandbox-secret',
      PROVIDER_STATES_URL: sandbox.statesUrl(),
      PROFILE: profile,
    },
    ['specs/events'],
  );
  elsewhere.closeAllConnections();
  elsewhere.close();
  await sandbox.close();
  const events = report!.rules.filter(({ area, excluded }) => area === 'events' && excluded === undefined);
  const open = events.filter(({ verdict }) => verdict !== 'verified');
  expect(events.length).toBeGreaterThan(8);
  // To fail a delivery, it would have to come here.
  expect(open.map(({ id, verdict, reason }) => ({ id, verdict, reason }))).toEqual([
    {
      id: 'EVENT-DELIVERY-ERROR',
      verdict: 'not verified',
      reason: expect.stringContaining('none is delivered to this machine') as unknown,
    },
  ]);
});
