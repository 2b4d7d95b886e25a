import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { faults } from '../../sandbox/faults/index.ts';
import { whyNotNode } from '../../target/refuse-old-node.ts';
import { evaluate } from '../support/evaluate.ts';
import { root, runNode } from '../support/run-assay.ts';

async function scriptRefuses(script: string, args: readonly string[], sentence: RegExp): Promise<void> {
  // Starting a process takes its time on a busy machine.
  test.setTimeout(90_000);
  const { code, output } = await evaluate({ script, args });
  expect(output.trim()).toMatch(sentence);
  expect(output).not.toMatch(/^\s+at .+:\d+/m);
  expect(code).toBe(2);
}

const sandboxRefuses = (args: readonly string[], sentence: RegExp) =>
  scriptRefuses('sandbox/main.ts', args, sentence);
const refuses = (command: string, args: readonly string[], sentence: RegExp) =>
  scriptRefuses(`proof/${command}/main.ts`, args, sentence);

test('an unknown flag', () =>
  sandboxRefuses(['--prot', '4010'], /^Unknown option '--prot'.*Run with --help to see the options\.$/));
test('a port that is none', () =>
  sandboxRefuses(['--port', 'http'], /^--port must be a whole number from 0 to 65535, not "http"\.$/));
test('a port that is too large', () =>
  sandboxRefuses(['--port', '70000'], /^--port must be a whole number from 0 to 65535, not "70000"\.$/));
test('a brand of two words', () => sandboxRefuses(['--brand', 'Big Bank'], /^--brand must be one word/));

test('a world that is none', () =>
  sandboxRefuses(['--world', 'nonsense'], /^There is no world "nonsense": worlds are default, .*\.$/));
test('a fault that nobody has planted', () =>
  sandboxRefuses(
    ['--world', 'fault.scope-not-chekd'],
    /^There is no fault "scope-not-chekd".*--list-faults lists them\.$/,
  ));
test('a variant that there is not', () =>
  sandboxRefuses(
    ['--world', 'variant.uuids-is-uper-case'],
    /^There is no variant "uuids-is-uper-case"; did you mean uuids-is-upper-case\? --list-variants lists them\.$/,
  ));

test('a port that is in use', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await sandboxRefuses(
    ['--port', String(port)],
    new RegExp(`^Port ${port} is in use; choose another one with --port\\.$`),
  );
  await new Promise((resolve) => server.close(resolve));
});

test('a name that means no fault', () =>
  refuses(
    'matrix',
    ['NOPE-AT-ALL-XYZ'],
    /^No fault is called NOPE-AT-ALL-XYZ, and none breaks a rule of that name: npm run sandbox -- --list-faults lists them\.$/,
  ));

test('a name with a slip of the pen', () => {
  const { name } = faults[0]!;
  return refuses(
    'matrix',
    [`${name}x`],
    new RegExp(`^No fault is called ${name}x, and none breaks a rule of that name; did you mean ${name}\\?$`),
  );
});

test('a shard that is none', () =>
  refuses('matrix', ['--shard', '5/4'], /^--shard must be like 2\/4, the second of four, not "5\/4"\.$/));

test('an option that is none', async () => {
  test.setTimeout(90_000);
  // In a process of its own, as a user starts it.
  const { code, output } = await runNode(['start.js', 'proof/variants/main.ts', '--sedes', '3']);
  expect(output.trim()).toMatch(/^Unknown option '--sedes'\. Run with --help to see the options\.$/);
  expect(code).toBe(2);
});

test('a sample of nothing', () =>
  refuses('mutants', ['--sample', '0'], /^--sample must be a whole number from 1 on, not "0"\.$/));

test('soundness of everything', () =>
  refuses('matrix', ['--sound'], /^--sound takes about a minute a fault: name some faults, or draw some/));

// Every command refuses an old Node before anything else.
const ENGINES = '^20.19.0 || >=22.12.0';

for (const version of ['20.19.0', '20.20.2', '22.12.0', '22.13.0', '24.0.0', '26.1.0'])
  test(`Node ${version} is supported`, () => expect(whyNotNode(version, ENGINES)).toBeUndefined());

for (const version of ['18.20.8', '20.18.9', '21.7.3', '22.11.99', '22.0.0'])
  test(`Node ${version} is not`, () =>
    expect(whyNotNode(version, ENGINES)).toBe(
      `Node ${version} is not supported: install Node ^20.19.0 or >=22.12.0.`,
    ));

test('every script of package.json that is run by Node gets to that sentence', async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const line of Object.values(scripts))
    expect(line).toMatch(/^(node start\.js|playwright|sh|tsc|eslint|prettier) /);
  const old = `Object.defineProperty(process.versions,'node',{value:'18.20.8'})`;
  const { code, output } = await runNode(['start.js', 'sandbox/main.ts'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}`,
  });
  expect(output).toMatch(/^Node 18\.20\.8 is not supported: install Node /m);
  expect(output).not.toMatch(/^\s+at .+:\d+/m);
  expect(code).toBe(2);
});

test('the range is that of package.json', () => {
  expect(whyNotNode(process.versions.node)).toBeUndefined();
  expect(whyNotNode('18.0.0')).toMatch(/^Node 18\.0\.0 is not supported/);
});
