import { spawn } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { embeddedFromEnvironment, EMBEDDED_ENV } from '../suite/embedded-sandbox.ts';
import { ROOT } from './run-suite.ts';

/** A sandbox in a process of its own, as a run starts it. */
export interface OpenSandbox {
  readonly origin: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Variables that point a run at it. */
  readonly env: (origin: string) => Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function openSandbox(): Promise<OpenSandbox> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', 'tsx', 'sandbox/main.ts', '--port', '0'],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const origin = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, found] = /listening on (https?:\/\/[^/\s]+)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('close', () => reject(new Error('the sandbox ended before it listened')));
  });
  const { clientId, clientSecret } = embeddedFromEnvironment({ [EMBEDDED_ENV.origin]: origin }, '');
  return {
    origin,
    clientId,
    clientSecret,
    env: (at) => {
      const { baseUrl, statesUrl } = embeddedFromEnvironment({ [EMBEDDED_ENV.origin]: at }, '');
      return {
        BASE_URL: baseUrl,
        PROVIDER_STATES_URL: statesUrl,
        CLIENT_ID: clientId,
        CLIENT_SECRET: clientSecret,
        ENVIRONMENT: 'sandbox',
      };
    },
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Stands in front of a service and keeps every answer back.
 *
 * @param latencyMs how long, in milliseconds
 */
export async function keptBack(
  origin: string,
  latencyMs: number,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server: Server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const onward = request(new URL(url ?? '/', origin), { method, headers }, (answer) => {
      void pause(latencyMs).then(() => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      });
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
