import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request, type Dispatcher } from 'undici';
import { basicAuthorization } from '../client/authorization.ts';
import { scratch } from '../tests/support/run-assay.ts';
import { spawnSandbox } from '../tests/support/sandbox-process.ts';
import { runPlaywright, type SuiteRun } from './run-suite.ts';

/**
 * Sends the requests of a run once more, bare, with so many under way at once.
 *
 * The record is masked: the platform's credentials are put back, other secrets are not, and ids are those of the first
 * run. So the sandbox refuses many of them, and has less to do than in the run.
 *
 * @returns seconds
 */
export async function replay({ journal }: SuiteRun, atOnce: number): Promise<number> {
  const exchanges = journal.filter((one) => one.arrived === undefined && one.response !== undefined);
  await using sandbox = await spawnSandbox();
  const dispatcher = new Agent({ connections: atOnce });
  const basic = basicAuthorization('sandbox', 'sandbox-secret');
  let next = 0;
  const takeTurns = async () => {
    while (next < exchanges.length) {
      const { method, url, headers, body } = exchanges[next++]!.request;
      const { pathname, search } = new URL(url);
      const authorization = headers['authorization'];
      const answer = await request(`${sandbox.origin}${pathname}${search}`, {
        method: method as Dispatcher.HttpMethod,
        headers: {
          ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, sendable(value)])),
          ...(authorization?.startsWith('Basic ') ? { authorization: basic } : {}),
        },
        body: body ?? null,
        dispatcher,
      });
      await answer.body.text();
    }
  };
  try {
    const started = performance.now();
    await Promise.all(Array.from({ length: atOnce }, takeTurns));
    return (performance.now() - started) / 1_000;
  } finally {
    await dispatcher.close();
  }
}

/** What stands for a secret is no character of a header: its bytes are. */
function sendable(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}

/** So many tests that do nothing, in so many files, with Playwright as it is. @returns seconds */
export async function emptyTests(tests: number, files: number, workers: number): Promise<number> {
  const folder = scratch('empty');
  try {
    mkdirSync(join(folder, 'specs'));
    for (let file = 0; file < files; file += 1) {
      const here = Math.floor(((file + 1) * tests) / files) - Math.floor((file * tests) / files);
      const lines = Array.from({ length: here }, (_, at) => `test('test ${at}', async () => {});`);
      const text = ["import { test } from '@playwright/test';", ...lines].join('\n');
      writeFileSync(join(folder, `specs/${file}.spec.ts`), text);
    }
    writeFileSync(
      join(folder, 'playwright.config.ts'),
      `export default { testDir: 'specs', fullyParallel: true, workers: ${workers}, reporter: 'dot', outputDir: 'results' };`,
    );
    return (await runPlaywright(['test', '--config', folder], {})).wall;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
