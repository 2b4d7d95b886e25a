import { expect, test } from '@playwright/test';
import { doctor } from '../../doctor/doctor.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { runAssay } from '../support/run-assay.ts';
import { listening } from '../support/servers.ts';

/** Some that hang on the state `sca-customer`, some that public calls are enough for. */
const SPECS = ['specs/sca', 'specs/agents/approval.spec.ts', 'specs/agents/decisions.spec.ts'];
/** Rules that these specs name, and others show. */
const ELSEWHERE = ['SCA-AUTHORIZE-NOT-APPLICABLE'];

test('the doctor promises what the run brings: by public calls, and with one state more', async () => {
  test.setTimeout(180_000);
  const sandbox = await startSandbox();
  const base = { BASE_URL: sandbox.baseUrl(), CLIENT_ID: 'sandbox', CLIENT_SECRET: 'sandbox-secret' };
  const asked: string[] = [];
  // Serves this state as the sandbox does, and no other.
  await using states = await listening((_request, response, body) => {
    const { state = '' } = JSON.parse(body || '{}') as { state?: string };
    asked.push(state);
    if (state !== 'sca-customer') return void response.writeHead(404).end();
    void fetch(sandbox.statesUrl(), { method: 'POST', body }).then(async (answer) =>
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
    );
  });
  const outcomes = async (env: Record<string, string>) => {
    const lines: string[] = [];
    const speed = { wallMs: 2_000, cpuMs: 2_000 };
    await doctor(env, (line) => lines.push(line), { namesRules: true, speed, tries: false });
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
  const more = await outcomes({ ...base, PROVIDER_STATES_URL: states.origin });
  await sandbox.close();
  for (const { promised, verified } of [alone, more]) {
    expect(promised).toEqual(expect.arrayContaining(verified));
    expect(promised.filter((id) => !verified.includes(id) && !ELSEWHERE.includes(id))).toEqual([]);
  }
  // By the doctor and the preflights.
  expect(asked.filter((state) => state === 'agent').length).toBeLessThan(20);
  expect(alone.verified.length).toBeGreaterThan(5);
  expect(more.verified).toEqual(expect.arrayContaining(alone.verified));
  expect(more.verified.length).toBeGreaterThan(alone.verified.length + 10);
  expect(alone.mends).toContain('serve the state `sca-customer`');
  expect([...more.mends]).not.toContain('prepare what the reason names');
});
