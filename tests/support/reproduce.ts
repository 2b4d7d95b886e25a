import { runNode } from './run-assay.ts';
import type { SandboxProcess } from './sandbox-process.ts';

/** Runs a reproducer against one world of the sandbox, as somebody would who has only the file. */
export function runScript(file: string, { origin }: SandboxProcess, world: string) {
  return runNode([file], {
    BASE_URL: `${origin}/${world}/2025-10-13`,
    CLIENT_ID: 'sandbox',
    CLIENT_SECRET: 'sandbox-secret',
    PROVIDER_STATES_URL: `${origin}/${world}/provider-states`,
  });
}
