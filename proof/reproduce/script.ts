import { execFile } from 'node:child_process';

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

/** A defect of a broken world, and what its script said. */
export interface ScriptRow {
  readonly fault: string;
  readonly rule: string;
  /** Why there is no script. */
  readonly why?: string;
  /** Exit code on the broken world: 1 seen again, 0 not seen, 2 could not tell. */
  readonly broken?: number;
  /** Exit code on the right one. */
  readonly right?: number;
  /** The end of what it printed where it was wrong. */
  readonly said?: string;
}

/** A script is right that sees the breach on the broken service and nothing on the right one; where there is none, none is wrong. */
export function isRight({ why, broken, right }: ScriptRow): boolean {
  return why !== undefined || (broken === 1 && right !== 1);
}

/** A script that is wrong, for the terminal. */
export function lineOf({ fault, rule, broken, right, said }: ScriptRow): string {
  return `WRONG  ${fault} (${rule}): ${broken} on the broken service, ${right} on the right one\n${said?.replace(/^/gm, '         ')}`;
}

/** What came of all of them, in one sentence. */
export function summaryOf(rows: readonly ScriptRow[]): string {
  const scripts = rows.filter(({ why }) => why === undefined);
  const count = (of: (row: ScriptRow) => boolean) => scripts.filter(of).length;
  return (
    `${rows.length} defects, ${scripts.length} of them with a script: ${count(isRight)} right, ` +
    `${count(({ broken }) => broken !== 1)} do not see the breach again, ${count(({ right }) => right === 1)} see it on the right service too`
  );
}
