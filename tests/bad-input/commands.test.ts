import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { faults } from '../../sandbox/faults/index.ts';
import { whyNotNode } from '../../target/refuse-old-node.ts';
import { evaluate } from '../support/evaluate.ts';
import { root, runNode } from '../support/run-assay.ts';

// Starting a process takes its time on a busy machine.
test.describe.configure({ timeout: 90_000 });

const expectSentence = ({ code, output }: { code: number | null; output: string }, sentence: RegExp) => {
  expect(output.trim()).toMatch(sentence);
  expect(output.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(2);
};

const { name } = faults[0]!;
const SANDBOX = 'sandbox/main.ts';
const MATRIX = 'proof/matrix/main.ts';

for (const [script, args, sentence] of [
  [SANDBOX, ['--prot', '4010'], /^Unknown option '--prot'.*Run with --help to see the options\.$/],
  [SANDBOX, ['stray'], /stray/],
  [SANDBOX, ['--port', 'http'], /^--port must be a whole number from 0 to 65535, not "http"\.$/],
  [SANDBOX, ['--port', '70000'], /^--port must be a whole number from 0 to 65535, not "70000"\.$/],
  [SANDBOX, ['--latency', '-1'], /latency/],
  [SANDBOX, ['--brand', 'Big Bank'], /^--brand must be one word/],
  [SANDBOX, ['--world', 'nonsense'], /^There is no world "nonsense": worlds are default, .*\.$/],
  [
    SANDBOX,
    ['--world', 'fault.scope-not-chekd'],
    /^There is no fault "scope-not-chekd".*--list-faults lists them\.$/,
  ],
  [
    SANDBOX,
    ['--world', 'variant.uuids-is-uper-case'],
    /^There is no variant "uuids-is-uper-case"; did you mean uuids-is-upper-case\? --list-variants lists them\.$/,
  ],
  [
    MATRIX,
    ['NOPE-AT-ALL-XYZ'],
    /^No fault is called NOPE-AT-ALL-XYZ, and none breaks a rule of that name: npm run sandbox -- --list-faults lists them\.$/,
  ],
  [
    MATRIX,
    [`${name}x`],
    new RegExp(`^No fault is called ${name}x, and none breaks a rule of that name; did you mean ${name}\\?$`),
  ],
  [MATRIX, ['--shard', '5/4'], /^--shard must be like 2\/4, the second of four, not "5\/4"\.$/],
  [MATRIX, ['--sound'], /^--sound takes about a minute a fault: name some faults, or draw some/],
  ['proof/mutants/main.ts', ['--sample', '0'], /^--sample must be a whole number from 1 on, not "0"\.$/],
] as const)
  test(`${script} refuses ${args.join(' ')}`, async () =>
    expectSentence(await evaluate({ script, args }), sentence));

test('a port that is in use', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const refused = await evaluate({ script: SANDBOX, args: ['--port', String(port)] });
  expectSentence(refused, new RegExp(`^Port ${port} is in use; choose another one with --port\\.$`));
  await new Promise((resolve) => server.close(resolve));
});

test('an option that is none, in a process of its own, as a user starts it', async () =>
  expectSentence(
    await runNode(['start.js', 'proof/variants/main.ts', '--sedes', '3']),
    /^Unknown option '--sedes'\. Run with --help to see the options\.$/,
  ));

// Every command refuses an old Node before anything else.
for (const [version, isSupported] of [
  ...['20.19.0', '20.20.2', '22.12.0', '22.13.0', '24.0.0', '26.1.0'].map((each) => [each, true] as const),
  ...['18.20.8', '20.18.9', '21.7.3', '22.11.99', '22.0.0'].map((each) => [each, false] as const),
])
  test(`Node ${version} is ${isSupported ? '' : 'not '}supported`, () =>
    expect(whyNotNode(version, '^20.19.0 || >=22.12.0')).toBe(
      isSupported ? undefined : `Node ${version} is not supported: install Node ^20.19.0 or >=22.12.0.`,
    ));

test('every script of package.json that is run by Node gets to that sentence', async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const line of Object.values(scripts))
    expect(line).toMatch(/^(node start\.js|playwright|sh|tsc|eslint|prettier) /);
  const old = `Object.defineProperty(process.versions,'node',{value:'18.20.8'})`;
  const { code, output } = await runNode(['start.js', SANDBOX], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}`,
  });
  expect(output).toMatch(/^Node 18\.20\.8 is not supported: install Node /m);
  expect(output).not.toMatch(/^\s+at .+:\d+/m);
  expect(code).toBe(2);
});
