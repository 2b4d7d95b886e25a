import { execFile } from 'node:child_process';

/** How a script ended, and what it printed. */
interface ScriptEnd {
  readonly code: number;
  readonly output: string;
}

/** Runs a reproducer against one world of a sandbox, as somebody would who has only the file. */
export function runScript(file: string, origin: string, world: string): Promise<ScriptEnd> {
  const env = {
    PATH: process.env['PATH'],
    BASE_URL: `${origin}/${world}/2025-10-13`,
    CLIENT_ID: 'sandbox',
    CLIENT_SECRET: 'sandbox-secret',
    PROVIDER_STATES_URL: `${origin}/${world}/provider-states`,
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}
