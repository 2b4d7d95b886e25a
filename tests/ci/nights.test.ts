import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { stringify } from 'yaml';
import type { ConformanceReport } from '../../reports/verdicts/model.ts';
import { claimFolder } from '../../reports/folder/folder.ts';
import { loadRules } from '../../schemas/rules.ts';
import { evaluate } from '../support/evaluate.ts';
import { listening } from '../support/servers.ts';
import { runAssay, scratch } from '../support/run-assay.ts';
import {
  type Killer,
  type Night,
  baseline,
  history,
  leftBehind,
  night,
  type Service,
  startService,
} from './night.ts';

const FAULT = 'fault.approval-threshold-ignored';
const RULE = 'TRANSFER-APPROVAL-PENDING';
/** A part of the suite that sees it, and is soon done. */
const SPECS = ['specs/agents/approval.spec.ts', 'specs/agents/decisions.spec.ts'];
/** Customers that a kill may have come between. */
const UNDER_WAY = 4;

/** `npm run known`, which must go well. */
const listOf = async (...args: readonly string[]) => {
  const { code, output } = await evaluate({ script: 'reports/known/main.ts', args });
  expect(code, output).toBe(0);
};
const verdictOf = (report: ConformanceReport | undefined, id = RULE) =>
  report?.rules.find((rule) => rule.id === id)?.verdict;

/** A chat that takes notifications. */
async function chat() {
  const texts: string[] = [];
  const server = await listening((_request, response, text) => {
    texts.push((JSON.parse(text) as { text: string }).text);
    response.end();
  });
  return { NOTIFY_URL: server.origin, texts, close: () => server[Symbol.asyncDispose]() };
}

/**
 * Nights on a service of somebody's own: killed in its second part, green, and a new defect.
 *
 * @param specs what runs; all of the suite where it is empty
 * @param ACCEPTED list of the rules that public calls cannot show
 */
async function playNights(service: Service, specs: readonly string[], ACCEPTED: string) {
  const { NOTIFY_URL, texts, close } = await chat();
  const WORKERS = specs.length > 0 ? '1' : '2';
  const env = { ...service.settings, ACCEPTED, NOTIFY_URL, WORKERS };
  let from = service.customers.length;

  const killed = await killedNight(service, env, specs);
  expect(killed.code).toBe(null);
  expect(existsSync(join(killed.folder, 'conformance.json'))).toBe(false);

  const green = await night({ ...env, REPORT_DIR: killed.folder, BLOBS: killed.blobs }, [['all', ...specs]]);
  expect(green.code, green.output).toBe(0);
  expect(green.report?.verdict).toBe('conforming');
  expect(history(green)).toHaveLength(1);
  expect(baseline(green)?.run.startedAt).toBe(green.report?.run.startedAt);
  // Both parts of both nights.
  expect(leftBehind(green).runs).toHaveLength(4);
  expectAllTold(green, service.customers.slice(from), UNDER_WAY);
  from = service.customers.length;

  // As separate jobs do it, each on a machine of its own.
  service.world = FAULT;
  const summary = join(scratch('step'), 'summary.md');
  const broken = await night({ ...env, LAST: green.folder, GITHUB_STEP_SUMMARY: summary }, [
    ...[['preflight'], ['shard', '1/2', ...specs], ['shard', '2/2', ...specs], ['merge']],
  ]);
  expect(broken.code, broken.output).toBe(1);
  expect(broken.report?.verdict).toBe('violated');
  expect(broken.report?.comparison?.startedAt).toBe(green.report?.run.startedAt);
  expect(broken.report?.comparison?.defects?.new).toContain(RULE);
  expect(broken.report?.defects.find(({ rule }) => rule === RULE)?.since).toMatchObject({ seenIn: 1, of: 1 });
  expect(readFileSync(summary, 'utf8')).toContain(`\`${RULE}\``);
  expect(leftBehind(broken).runs).toHaveLength(2);
  expectAllTold(broken, service.customers.slice(from));

  const KNOWN_FAILURES = join(scratch('known'), 'known.yaml');
  await listOf('--report', broken.folder, '--out', KNOWN_FAILURES, '--reason', 'in work');
  expect(readFileSync(KNOWN_FAILURES, 'utf8')).not.toMatch(/SEED|REPLAY/);
  // Another seed, in one spec of the suite.
  const part = await runAssay({ ...env, KNOWN_FAILURES, SEED: '77' }, [SPECS[0] as string]);
  // What the known breach keeps from being shown is on no list yet, but where all is.
  expect(part.code, part.output).toBe(specs.length > 0 ? 0 : 2);
  expect(part.report?.because).not.toContain('list of known failures');
  expect(verdictOf(part.report)).toBe('known');

  // The night that was killed told nobody.
  expect(texts).toHaveLength(2);
  expect(texts[1]).toContain('**new**');
  await close();
  return { green, broken, env };
}

/** A night that is killed when it is in its second part. */
async function killedNight(
  service: Service,
  env: Readonly<Record<string, string>>,
  specs: readonly string[],
): Promise<Night> {
  const killer: Killer = {};
  const blobs = join(scratch('blobs'), 'blobs');
  let requests = 0;
  service.onRequest = () => {
    if (existsSync(join(blobs, '1.zip'))) requests += 1;
    // Late enough that something is left, and not at each request: looking for processes takes its time.
    if (requests >= 40 && requests % 10 === 0) killer.kill?.();
  };
  const killed = await night({ ...env, BLOBS: blobs }, [['all', ...specs]], killer);
  service.onRequest = () => undefined;
  expect(killer.kill, `nothing was killed: ${killed.output}`).toBeUndefined();
  return killed;
}

/** @param underWay as many may be missing: they were being made when a run was killed */
function expectAllTold(played: Night, made: readonly string[], underWay = 0): void {
  const told = leftBehind(played).records['Customer'] ?? [];
  expect(new Set(told).size).toBe(told.length);
  expect(made).toEqual(expect.arrayContaining([...told]));
  expect(made.length - told.length).toBeLessThanOrEqual(underWay);
  expect(told.length).toBeGreaterThan(2);
}

test('in short: nights on a part of the suite', async () => {
  test.setTimeout(300_000);
  await using service = await startService();
  const accepted = join(scratch('accepted'), 'accepted.yaml');
  const rules = loadRules().filter(({ level }) => level === 'MUST');
  writeFileSync(accepted, stringify(rules.map(({ id }) => ({ rule: id, reason: 'not in this part' }))));
  await playNights(service, SPECS, accepted);
});

test('nights on the whole suite; what was mended is told, and a merge says what one part says', async () => {
  await using service = await startService();
  const first = await night({ ...service.settings, WORKERS: '2' });
  expect(first.code, first.output).toBe(2);
  const accepted = join(scratch('accepted'), 'accepted.yaml');
  await listOf('--open', '--report', first.folder, '--out', accepted);
  const { green, broken, env } = await playNights(service, [], accepted);

  service.world = 'world.healthy';
  const { NOTIFY_URL, texts, close } = await chat();
  const from = service.customers.length;
  // As a machine does it that keeps its disk.
  const mended = await night({ ...env, NOTIFY_URL, REPORT_DIR: broken.folder, BLOBS: broken.blobs });
  await close();
  expect(mended.code, mended.output).toBe(0);
  expect(mended.report?.comparison?.defects?.mended.map(({ rule }) => rule)).toContain(RULE);
  const lines = history(mended);
  expect(lines.map(({ verdict }) => verdict)).toEqual(['conforming', 'violated', 'conforming']);
  expect(lines.map(({ defects }) => defects.some(({ rule }) => rule === RULE))).toEqual([false, true, false]);
  expectAllTold(mended, service.customers.slice(from));
  expect(texts).toEqual([expect.stringMatching(/Mended: .*TRANSFER-APPROVAL-PENDING/)]);

  const whole = await night({ ...service.settings, ACCEPTED: accepted, SHARDS: '1', WORKERS: '2' });
  expect(whole.code, whole.output).toBe(0);
  const verdicts = (report: ConformanceReport | undefined) =>
    Object.fromEntries(report?.rules.map(({ id, verdict }) => [id, verdict]) ?? []);
  expect(verdicts(green.report)).toEqual(verdicts(whole.report));
  expect(green.report?.run.tests).toEqual(whole.report?.run.tests);
});

test('a night on nobody says so at once, and tells nothing of the night before', async () => {
  const { NOTIFY_URL, texts, close } = await chat();
  const folder = join(scratch('night'), 'nightly');
  const nobody = {
    ...{ BASE_URL: 'http://127.0.0.1:9/2025-10-13', CLIENT_ID: 'a', CLIENT_SECRET: 'b', NOTIFY_URL },
    REPORT_DIR: folder,
  };
  mkdirSync(folder, { recursive: true });
  claimFolder(folder);
  writeFileSync(join(folder, 'summary.md'), 'Conforming, last night.');
  const { code, output } = await night(nobody);
  expect(code, output).toBe(2);
  expect(output).not.toContain('Running');
  expect(texts).toEqual([expect.stringMatching(/Not judged.*127\.0\.0\.1:9[\s\S]*Exit code 2/)]);
  await close();
});
