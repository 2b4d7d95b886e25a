import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { HistoryLine } from '../../reports/history.ts';
import type { ConformanceReport } from '../../reports/model.ts';
import { childEnvironment, root, runAssay, scratch } from '../support/run-assay.ts';

const FAULT = 'fault.approval-threshold-ignored';
const RULE = 'TRANSFER-APPROVAL-PENDING';

interface Night {
  readonly code: number | null;
  readonly output: string;
  readonly folder: string;
  readonly report: ConformanceReport;
}

/** One night, in a folder of its own, with what the last one left as its artefact. */
async function night(
  env: Readonly<Record<string, string>>,
  last: Night | undefined,
  steps: readonly (readonly string[])[] = [[]],
): Promise<Night> {
  const folder = env['REPORT_DIR'] ?? join(scratch('night'), 'nightly');
  const settings = {
    INSTALL: 'no',
    SHARDS: '2',
    REPORT_DIR: folder,
    BLOBS: join(scratch('blobs'), 'blobs'),
    ...(last ? { LAST: last.folder } : {}),
    ...env,
  };
  let output = '';
  let code: number | null = 0;
  for (const args of steps) {
    const child = spawn('sh', ['ci/nightly', ...args], {
      cwd: root,
      env: childEnvironment(settings),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    code = await new Promise((resolve) => child.on('close', resolve));
  }
  const file = join(folder, 'conformance.json');
  expect(existsSync(file), output).toBe(true);
  return { code, output, folder, report: JSON.parse(readFileSync(file, 'utf8')) as ConformanceReport };
}

/** A chat that takes notifications. */
async function webhook() {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      texts.push((JSON.parse(body) as { text: string }).text);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, texts, close: () => server.close() };
}

const history = ({ folder }: Night) =>
  readFileSync(join(folder, 'history.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as HistoryLine);

test('three nights in two parts: green, a new defect, mended; and the merge says what one machine says', async () => {
  const chat = await webhook();
  const NOTIFY_URL = chat.url;
  const summary = join(scratch('step'), 'summary.md');

  const first = await night({ NOTIFY_URL }, undefined);
  expect(first.code, first.output).toBe(0);
  expect(first.report.verdict).toBe('conforming');
  expect(first.report.run.partial).toBe(false);

  // Rule by rule, the merge of the parts is a run on one machine.
  const whole = await runAssay({ WORKERS: '2' });
  const verdicts = (report: ConformanceReport | undefined) =>
    Object.fromEntries(report?.rules.map(({ id, verdict }) => [id, verdict]) ?? []);
  expect(verdicts(first.report)).toEqual(verdicts(whole.report));
  expect(first.report.run.tests).toEqual(whole.report?.run.tests);

  // As separate jobs do it, each on a machine of its own.
  const second = await night({ NOTIFY_URL, ASSAY_WORLD: FAULT, GITHUB_STEP_SUMMARY: summary }, first, [
    ['preflight'],
    ['shard', '1/2'],
    ['shard', '2/2'],
    ['merge'],
  ]);
  expect(second.code, second.output).toBe(1);
  expect(second.report.verdict).toBe('violated');
  expect(second.report.comparison?.startedAt).toBe(first.report.run.startedAt);
  expect(second.report.comparison?.defects?.new).toContain(RULE);
  expect(second.report.defects.find(({ rule }) => rule === RULE)?.since).toMatchObject({ seenIn: 1, of: 1 });
  expect(readFileSync(summary, 'utf8')).toContain(`\`${RULE}\``);
  expect(existsSync(join(second.folder, `reproduce/${RULE}.mjs`))).toBe(true);

  // The third night writes into the folder of the second, as a machine that keeps its disk does.
  const third = await night({ NOTIFY_URL, REPORT_DIR: second.folder }, undefined);
  expect(third.code, third.output).toBe(0);
  expect(third.report.comparison?.defects?.mended.map(({ rule }) => rule)).toContain(RULE);
  const lines = history(third);
  expect(lines.map(({ verdict }) => verdict)).toEqual(['conforming', 'violated', 'conforming']);
  expect(lines.map(({ defects }) => defects.some(({ rule }) => rule === RULE))).toEqual([false, true, false]);

  expect(chat.texts).toHaveLength(3);
  expect(chat.texts[1]).toContain('**new**');
  expect(chat.texts[2]).toMatch(/Mended: .*TRANSFER-APPROVAL-PENDING/);
  chat.close();
});

test('a night whose part left nothing is red, and one on nobody says so at once', async () => {
  const env = { BASE_URL: 'http://127.0.0.1:9/2025-10-13', CLIENT_ID: 'a', CLIENT_SECRET: 'b' };
  const output = await new Promise<{ code: number | null; text: string }>((resolve) => {
    const child = spawn('sh', ['ci/nightly'], {
      cwd: root,
      env: childEnvironment({ INSTALL: 'no', REPORT_DIR: join(scratch('night'), 'n'), ...env }),
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.on('close', (code) => resolve({ code, text }));
  });
  expect(output.code, output.text).toBe(2);
  expect(output.text).not.toContain('Running');
});
