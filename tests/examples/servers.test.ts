import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { HttpClient } from '../../client/http/http-client.ts';
import { checkStates, servedParts } from '../../doctor/states-check.ts';
import { startSandbox, type Sandbox } from '../../sandbox/start.ts';
import { ProviderStates } from '../../target/providers/provider-states.ts';
import { childEnvironment, root } from '../support/run-assay.ts';

const FOLDER = 'examples/provider-states';
const PYTHON = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
const TEMPLATES: readonly (readonly [file: string, command: string | undefined, args: readonly string[]])[] =
  [
    ['server.ts', process.execPath, ['--import', 'tsx']],
    ['server.py', PYTHON, []],
  ];

let sandbox: Sandbox;
test.beforeAll(async () => void (sandbox = await startSandbox()));
test.afterAll(() => sandbox.close());

for (const [file, command, args] of TEMPLATES)
  test(`${file} serves its states rightly, and asks for its token`, async () => {
    test.skip(command === undefined, 'there is no Python on this machine');
    const child = spawn(command!, [...args, join(FOLDER, file)], {
      cwd: root,
      env: childEnvironment({
        BASE_URL: sandbox.baseUrl(),
        CLIENT_ID: sandbox.clientId,
        CLIENT_SECRET: sandbox.clientSecret,
        STATES_TOKEN: 'token',
        PORT: '0',
      }),
    });
    const http = new HttpClient({ timeoutMs: 10_000 });
    try {
      const url = await announced(child);
      expect(await new ProviderStates(http, url, undefined).obstacle()).toContain(
        'set PROVIDER_STATES_TOKEN',
      );
      const provider = new ProviderStates(http, url, 'token');
      expect(await provider.obstacle()).toBeUndefined();
      const tried = await checkStates(provider);
      expect(tried.filter((one) => one.outcome === 'wrong')).toEqual([]);
      const parts = [...servedParts(tried)];
      for (const part of ['agent.approvalThreshold', 'agent.permissions=VIEW_TRANSACTIONS', 'agent.balance'])
        expect(parts).toContain(part);
      expect(parts).toEqual(expect.arrayContaining(['execution-failure', 'foreign-accounts']));
    } finally {
      await http.close();
      child.kill();
    }
  });

/** The address that a server prints when it listens. */
function announced(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const hear = (chunk: Buffer) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec((output += chunk.toString())) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('close', (code) => reject(new Error(`it ended with ${code}: ${output}`)));
  });
}
