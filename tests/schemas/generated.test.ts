import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startSandbox } from '../../sandbox/start.ts';
import { Caller } from '../sandbox/support/test.ts';
import { NIGHTLY, root, runNode } from '../support/run-assay.ts';

/** What a client developer writes against the generated client. The type errors that it expects are part of the test. */
const PROGRAM = `
import { createClient } from './client/client';
import { createQuote, transferOut } from './client/sdk.gen';
import type { CreateCredentialRequest, VerifyCredentialRequest } from './client/types.gen';

const [baseUrl, token, sourceAccountId, destinationAccountId] = process.argv.slice(2) as [string, string, string, string];
const client = createClient({ baseUrl, auth: token });
const { data, error, response } = await transferOut({
  client,
  headers: { 'Idempotency-Key': 'first-call' },
  body: { source: { accountId: sourceAccountId }, destination: { accountId: destinationAccountId }, amount: 100 },
});
console.log(JSON.stringify({ status: response?.status, action: data?.status, moves: data?.transferDetails?.amount, error }));

export const verify: VerifyCredentialRequest = { type: 'OAUTH', oidcToken: 'a', clientPublicKey: '04ab' };
// @ts-expect-error: a passkey is verified by an assertion
export const wrongVerify: VerifyCredentialRequest = { type: 'PASSKEY', oidcToken: 'a', clientPublicKey: '04ab' };
// @ts-expect-error: an identity is registered with its token
export const wrongCreate: CreateCredentialRequest = { type: 'OAUTH', accountId: 'a' };
export const quoted = createQuote;
`;

test(
  'a client that is generated from openapi.yaml compiles, knows the kinds of each union, and makes the first call',
  NIGHTLY,
  async ({}, testInfo) => {
    const folder = testInfo.outputPath();
    await run([
      join(root, 'node_modules/@hey-api/openapi-ts/bin/run.js'),
      ...['--input', join(root, 'schemas/openapi.yaml'), '--output', join(folder, 'client')],
      ...['--client', '@hey-api/client-fetch', '--silent', '--no-log-file'],
    ]);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: 'es2022',
          module: 'esnext',
          moduleResolution: 'bundler',
          lib: ['es2023', 'dom', 'dom.iterable'],
          types: ['node'],
          typeRoots: [join(root, 'node_modules/@types')],
          skipLibCheck: true,
        },
        files: ['program.ts'],
      }),
    );
    await run([join(root, 'node_modules/@typescript/native/bin/tsc'), '-p', folder]);
    const sandbox = await startSandbox();
    try {
      const agent = await new Caller(sandbox).state('agent');
      const told = await run([
        ...['--import', 'tsx', join(folder, 'program.ts')],
        ...[sandbox.url, agent.accessToken, agent.sourceAccountId, agent.destinationAccountId],
      ]);
      expect(JSON.parse(told)).toEqual({ status: 201, action: 'APPROVED', moves: 100 });
    } finally {
      await sandbox.close();
    }
  },
);

/** What it has printed. */
async function run(args: readonly string[]): Promise<string> {
  const { code, output } = await runNode(args);
  expect(code, output).toBe(0);
  return output;
}
