import { existsSync, readFileSync } from 'node:fs';
import { createServer, request as send, type Server } from 'node:http';
import { join } from 'node:path';
import type { Profile } from '../../target/profile.ts';
import { UsageError } from '../../target/usage-error.ts';

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
    const to = id !== '' && existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
    if (to === undefined) return void answer.writeHead(404).end();
    const passed = send(
      { host: '127.0.0.1', port: to, path: '/events', method: incoming.method, headers: incoming.headers },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(answer);
      },
    );
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
