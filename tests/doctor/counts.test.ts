import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { doctor } from '../../doctor/doctor.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { runAssay } from '../support/run-assay.ts';

/** A provider-states URL that serves these states as another one does, and no other. */
async function serving(states: readonly string[], whole: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { state = '' } = JSON.parse(text || '{}') as { state?: string };
      asked.push(state);
      if (!states.includes(state)) return void response.writeHead(404).end();
      void fetch(whole, { method: 'POST', body: text }).then(async (answer) =>
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Some that hang on the state `sca-customer`, some that public calls are enough for. */
const SPECS = ['specs/sca', 'specs/agents/approval.spec.ts', 'specs/agents/decisions.spec.ts'];
/** Rules that these specs name, and others show. */
const ELSEWHERE = ['SCA-AUTHORIZE-NOT-APPLICABLE'];

test('the doctor promises what the run brings: by public calls, and with one state more', async () => {
  test.setTimeout(180_000);
  const sandbox = await startSandbox();
  const base = { BASE_URL: sandbox.baseUrl(), CLIENT_ID: 'sandbox', CLIENT_SECRET: 'sandbox-secret' };
  const states = await serving(['sca-customer'], sandbox.statesUrl());
  const outcomes = async (env: Record<string, string>) => {
    const lines: string[] = [];
    const yard = { wallMs: 2_000, cpuMs: 2_000 };
    await doctor(env, (line) => lines.push(line), { namesRules: true, yard });
    const promised = /A run can verify .*\n +(.*)/.exec(lines.join('\n'))?.[1]?.split(', ') ?? [];
    const { report } = await runAssay(env, SPECS);
    const rules = report!.rules.filter((rule) => rule.inScope !== false && rule.excluded === undefined);
    return {
      promised: rules.map(({ id }) => id).filter((id) => promised.includes(id)),
      verified: rules.filter(({ verdict }) => verdict === 'verified').map(({ id }) => id),
      mends: new Set(rules.map(({ mend }) => mend)),
    };
  };
  const alone = await outcomes(base);
  const more = await outcomes({ ...base, PROVIDER_STATES_URL: states.url });
  states.close();
  await sandbox.close();
  for (const { promised, verified } of [alone, more]) {
    expect(promised).toEqual(expect.arrayContaining(verified));
    expect(promised.filter((id) => !verified.includes(id) && !ELSEWHERE.includes(id))).toEqual([]);
  }
  expect(
    states.asked.filter((state) => state === 'agent').length,
    'with the doctor and the preflights',
  ).toBeLessThan(20);
  expect(alone.verified.length).toBeGreaterThan(5);
  expect(more.verified).toEqual(expect.arrayContaining(alone.verified));
  expect(more.verified.length).toBeGreaterThan(alone.verified.length + 10);
  expect(alone.mends).toContain('serve the state `sca-customer`');
  expect([...more.mends]).not.toContain('prepare what the reason names');
});
