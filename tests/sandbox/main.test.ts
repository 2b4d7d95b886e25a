import { expect, test } from '@playwright/test';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { evaluate } from '../support/evaluate.ts';
import { root } from '../support/run-assay.ts';

const script = 'sandbox/main.ts';

function run(args: string[], untilLine?: RegExp): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], { cwd: root });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (untilLine?.test(out)) child.kill('SIGTERM');
    });
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

test('says where it listens and with which credentials, and stops at once', async () => {
  const { code, out } = await run(['--world', 'variant.3'], /listening on .*\n/);
  expect(code).toBe(0);
  expect(out).toMatch(/^assay sandbox listening on http:\/\/127\.0\.0\.1:\d+\/variant\.3\/2025-10-13$/m);
  expect(out).toMatch(
    /client id sandbox, client secret sandbox-secret, provider states http:.*\/variant\.3\/provider-states/,
  );
});

for (const [args, sentence] of [
  [['--prt', '1'], /^Unknown option '--prt'\. Run with --help/],
  [['--port', 'x'], /^--port must be a whole number/],
  [['--port', '70000'], /^--port must be a whole number/],
  [['--latency', '-1'], /latency/],
  [['--brand', 'two words'], /^--brand must be one word/],
  [['stray'], /stray/],
] as const) {
  test(`${args.join(' ')}: one sentence and exit code 2`, async () => {
    // One of them as a process of its own.
    const { code, err, out } = args[0] === '--prt' ? await run([...args]) : await evaluate({ script, args });
    expect(code).toBe(2);
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(out).toBe('');
  });
}

test('a port in use: one sentence and exit code 2', async () => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  const { port } = blocker.address() as { port: number };
  const { code, err } = await evaluate({ script, args: ['--port', String(port)] });
  blocker.close();
  expect(code).toBe(2);
  expect(err.trim()).toBe(`Port ${port} is in use; choose another one with --port.`);
});
