import { Agent, createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { runNode, scratch } from '../support/run-assay.ts';
import { spawnSandbox } from '../support/sandbox-process.ts';

/** Somebody's service: the sandbox in a process of its own, at one address, prepared by public calls. */
export interface Service extends AsyncDisposable {
  /** What a run is told of it: its address, its keys, and a profile that `npm run init` has written. */
  readonly settings: Readonly<Record<string, string>>;
  /** World of the sandbox that answers from now on, such as `fault.approval-threshold-ignored`. */
  world: string;
  /** Ids of the customers that it has made so far. */
  readonly customers: readonly string[];
  /** Called before each request is answered. */
  onRequest: () => void;
}

/** Starts one. */
export async function startService(): Promise<Service> {
  const sandbox = await spawnSandbox();
  // A connection that is kept may be closed at the moment in which it is used again.
  const agent = new Agent({ keepAlive: false });
  const customers: string[] = [];
  const server = createServer((request, response) => {
    service.onRequest();
    const path = request.url?.replace(/^\/pay\//, `/${service.world}/`);
    const isCreation = request.method === 'POST' && /\/customers$/.test(request.url ?? '');
    const onward = forward(
      sandbox.origin + path,
      { method: request.method, headers: request.rawHeaders, agent },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.rawHeaders);
        answer.pipe(response);
        if (!isCreation || answer.statusCode !== 201) return;
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('end', () => customers.push((JSON.parse(text) as { id: string }).id));
      },
    );
    onward.on('error', () => response.destroy());
    request.on('error', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay/2025-10-13`;
  const profile = join(scratch('service'), 'assay.yaml');
  const { code, output } = await runNode([
    ...['--disable-warning=ExperimentalWarning', '--import', 'tsx', 'doctor/init.ts'],
    ...['--base-url', base, '--environment', 'sandbox', '--name', 'A service', '--out', profile, '--yes'],
  ]);
  expect(code, output).toBe(0);
  const service: Service = {
    settings: { BASE_URL: base, CLIENT_ID: 'sandbox', CLIENT_SECRET: 'sandbox-secret', PROFILE: profile },
    world: 'world.healthy',
    customers,
    onRequest: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
      await sandbox[Symbol.asyncDispose]();
    },
  };
  return service;
}
