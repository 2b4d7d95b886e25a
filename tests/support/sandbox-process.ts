import { spawn } from 'node:child_process';
import { childEnvironment, root, runNode } from './run-assay.ts';

/** The reference sandbox in a process of its own. */
export interface SandboxProcess extends AsyncDisposable {
  readonly origin: string;
}

/** Starts one; its worlds keep tests apart. @param options of `npm run sandbox` */
export async function spawnSandbox(...options: readonly string[]): Promise<SandboxProcess> {
  const args = [
    ...['--disable-warning=ExperimentalWarning', 'sandbox/bundled.js', '--port', '0'],
    ...options,
  ];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: childEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const origin = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /listening on (https?:\/\/[^/\s]+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', () => reject(new Error(`the sandbox ended: ${text}`)));
  });
  return {
    origin,
    async [Symbol.asyncDispose]() {
      child.kill();
    },
  };
}

/** Environment variables that name one world of the sandbox, as somebody would who has it as a service. */
export function settingsOf({ origin }: SandboxProcess, world: string) {
  return {
    BASE_URL: `${origin}/${world}/2025-10-13`,
    CLIENT_ID: 'sandbox',
    CLIENT_SECRET: 'sandbox-secret',
    PROVIDER_STATES_URL: `${origin}/${world}/provider-states`,
  };
}

/** Runs a reproducer against one world of the sandbox, as somebody would who has only the file. */
export function runScript(file: string, sandbox: SandboxProcess, world: string) {
  return runNode([file], settingsOf(sandbox, world));
}
