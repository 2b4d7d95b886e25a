import { readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startSandbox, type Sandbox } from '../../sandbox/start.ts';
import { NIGHTLY, runAssay, scratch } from '../support/run-assay.ts';
import { listening } from '../support/servers.ts';

test('the embedded sandbox takes the brand that a run is given', async () => {
  test.setTimeout(120_000);
  // A header, fields and an event's signature carry the brand.
  const specs = ['quotes/rate-details', 'credentials/stamps', 'events/delivery'];
  const { code, output, report } = await runAssay(
    { BRAND: 'Acme' },
    specs.map((name) => `specs/${name}.spec.ts`),
  );
  expect(code, output).toBe(0);
  expect(report?.target.brand).toBe('Acme');
  expect(report?.rules.filter(({ verdict }) => verdict === 'verified').length).toBeGreaterThan(5);
});

const EVENT_LOG = `
eventLog:
  path: /sandbox/webhooks/deliveries?customerId={customerId}&limit=100
  event: event
  test: POST /sandbox/webhooks/test?customerId={customerId}
`;

test.describe(() => {
  let sandbox: Sandbox;
  test.beforeAll(async () => void (sandbox = await startSandbox()));
  test.afterAll(() => sandbox.close());

  const target = (profile?: string) => {
    const PROFILE = profile && join(scratch('profile'), 'profile.yaml');
    if (PROFILE) writeFileSync(PROFILE, profile);
    return {
      BASE_URL: sandbox.baseUrl(),
      CLIENT_ID: sandbox.clientId,
      CLIENT_SECRET: sandbox.clientSecret,
      ...(PROFILE ? { PROFILE, PROVIDER_STATES_URL: sandbox.statesUrl() } : {}),
    };
  };

  test(
    'a test that any session serves costs no challenge, and shows its rule all the same',
    NIGHTLY,
    async () => {
      test.setTimeout(120_000);
      const specs = ['specs/credentials/wallet.spec.ts', '-g', 'WALLET-EXPORT-COMPLETES'];
      // The setting says nothing any more, and is taken all the same.
      const { report, folder } = await runAssay(target('sparing: false'), specs);
      expect(report?.rules.find(({ id }) => id === 'WALLET-EXPORT-COMPLETES')?.verdict).toBe('verified');
      const exchanges = readFileSync(join(folder, 'exchanges.ndjson'), 'utf8');
      expect(exchanges.split('"operation":"challengeCredential"')).toHaveLength(1);
    },
  );

  test('an event that does not come where others come at once is a defect, though no profile says how long one takes', async () => {
    test.setTimeout(120_000);
    const world = 'fault.failed-refund-not-told';
    const env = {
      ...target(),
      BASE_URL: sandbox.baseUrl(world),
      PROVIDER_STATES_URL: sandbox.statesUrl(world),
    };
    const { report } = await runAssay(env, ['specs/events/transactions.spec.ts', '-g', 'EVENT-REFUND']);
    const verdicts = ['FAILED', 'COMPLETED'].map(
      (to) => report?.rules.find(({ id }) => id === `EVENT-REFUND-${to}`)?.verdict,
    );
    expect(verdicts).toEqual(['violated', 'verified']);
  });

  test('a run ends when its requests are used up, and accuses nobody', async () => {
    const { code, output, report } = await runAssay({ ...target(), MAX_REQUESTS: '12' }, [
      'specs/agents/approval.spec.ts',
    ]);
    expect(output).toContain('the run has sent the 12 requests that it may (MAX_REQUESTS');
    expect(report?.defects).toEqual([]);
    expect(code).toBe(2);
  });

  test('an amount above the bound is not sent, what it is for stays open, and what was made is listed', async () => {
    const { code, output, report, folder } = await runAssay({ ...target(), MAX_AMOUNT: '5000' }, [
      'specs/agents/acceptance.spec.ts',
      '-g',
      'TRANSFER-ACCEPTED',
    ]);
    const rule = report?.rules.find(({ id }) => id === 'TRANSFER-ACCEPTED');
    expect(rule?.verdict).toBe('not verified');
    expect(rule?.reason).toMatch(
      /its amount \d+ is above the largest that this run may send, 5000 \(MAX_AMOUNT/,
    );
    expect(code).toBe(2);
    expect(output).toMatch(/Left on the target: \d+ Customer/);
    const { records } = JSON.parse(readFileSync(join(folder, 'left-behind.json'), 'utf8')) as {
      records: Record<string, string[]>;
    };
    expect(Object.keys(records)).not.toContain('Agent');
    expect(existsSync(join(folder, 'conformance.json'))).toBe(true);
  });

  test(
    'a target that sends its events elsewhere is judged by the log that it keeps of them',
    NIGHTLY,
    async () => {
      test.setTimeout(180_000);
      await using elsewhere = await listening((_, response) => response.end());
      const set = await fetch(`${sandbox.baseUrl()}/config`, {
        method: 'PATCH',
        headers: {
          authorization: `Basic ${btoa(`${sandbox.clientId}:${sandbox.clientSecret}`)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ webhookEndpoint: elsewhere.origin }),
      });
      expect(set.status).toBe(200);
      const { report } = await runAssay(target(EVENT_LOG), ['specs/events']);
      const events = report!.rules.filter(
        ({ area, excluded }) => area === 'events' && excluded === undefined,
      );
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
    },
  );
});
