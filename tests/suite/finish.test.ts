import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type TestInfo } from '@playwright/test';
import { Secrets } from '../../client/secrets/secrets.ts';
import { JournalWriter } from '../../journal/journal-writer.ts';
import { COLOURS_ENV, JOURNAL_ATTACHMENT, type Journal } from '../../journal/types.ts';
import { finish } from '../../suite/run/finish.ts';
import type { Recorder } from '../../suite/answers/recorder.ts';
import { RUN_FOLDER_ENV } from '../../suite/run/run-folder.ts';
import type { Workbench } from '../../suite/run/workbench.ts';

const RULE = 'TRANSFER-ACCEPTED';
const FINDING = { rule: RULE, place: RULE, message: 'expected 201, got 400', exchanges: ['x.1'] };
const WORKERS = 2;

/** A test of a run with two workers, of which so many had to be replaced by now. */
function testAfter(restarts: number, { retry = 0 } = {}) {
  const told = { expectedToFail: undefined as string | undefined, skipped: undefined as string | undefined };
  const attached: Journal[] = [];
  const info = {
    workerIndex: WORKERS + restarts,
    config: { workers: WORKERS },
    retry,
    status: 'passed',
    expectedStatus: 'passed',
    errors: [],
    attachments: {
      push: ({ name, body }: { name: string; body: Buffer }) => {
        if (name === JOURNAL_ATTACHMENT) attached.push(JSON.parse(body.toString('utf8')) as Journal);
      },
    },
    timeout: 60_000,
    fail: (_is: boolean, why: string) => (told.expectedToFail = why),
    skip: (_is: boolean, why: string) => (told.skipped = why),
  };
  return { info: info as unknown as TestInfo, told, attached };
}

const recorder = { exchanges: () => [], waitedMs: 0 } as unknown as Recorder;

function benchOf(isWell = true): Workbench {
  const watch = { isWell: async () => isWell, ready: async () => undefined, wasAwaySince: () => false };
  return { secrets: new Secrets(), watch } as unknown as Workbench;
}

const journalWith = (known?: string) => {
  const journal = new JournalWriter([RULE], () => known);
  journal.find(FINDING);
  return journal;
};

test('a finding makes its test red, and is in the journal', async () => {
  const { info, told, attached } = testAfter(0);
  await expect(finish(benchOf(), journalWith(), recorder, 0, info)).rejects.toThrow(
    `${RULE}: expected 201, got 400`,
  );
  expect(told.expectedToFail).toBeUndefined();
  expect(attached.map(({ findings }) => findings)).toEqual([[FINDING]]);
});

test('where reporters read journals, a finding costs a new worker only to be repeated, once for each defect', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-finish-'));
  const before = { ...process.env };
  Object.assign(process.env, { [COLOURS_ENV]: '1', [RUN_FOLDER_ENV]: folder });
  try {
    const expected: string[] = [];
    for (const { retry } of [{ retry: 0 }, { retry: 1 }, { retry: 0 }]) {
      const { info, attached } = testAfter(0, { retry });
      await expect(finish(benchOf(), journalWith(), recorder, 0, info)).rejects.toThrow(RULE);
      expected.push(info.expectedStatus);
      expect(attached[0]?.findings).toEqual([FINDING]);
    }
    expect(expected).toEqual(['passed', 'failed', 'failed']);
  } finally {
    process.env = before;
    rmSync(folder, { recursive: true });
  }
});

test('a known finding is expected to fail, whatever the number of workers', async () => {
  const { info, told } = testAfter(100);
  await expect(finish(benchOf(), journalWith('it is on its way'), recorder, 0, info)).rejects.toThrow(RULE);
  expect(told.expectedToFail).toBe('known: it is on its way');
});

/** Trouble that left a check open. */
const troubled = () => {
  const journal = new JournalWriter([RULE], () => undefined);
  journal.meetTrouble('a 503');
  journal.check({ rule: RULE, outcome: 'inconclusive', reason: 'a 503', exchanges: ['x.1'], trouble: true });
  return journal;
};

test('trouble asks for a second try, once, and not after very many new workers', async () => {
  const first = finish(benchOf(), troubled(), recorder, 0, testAfter(0).info);
  await expect(first).rejects.toThrow('repeated after trouble: a 503');
  for (const { info, told } of [testAfter(0, { retry: 1 }), testAfter(200)]) {
    await finish(benchOf(), troubled(), recorder, 0, info);
    expect(told.skipped).toBe('inconclusive: a 503');
  }
});

test('where the target is not well at the end, the finding waits for a second try', async () => {
  const { info, attached } = testAfter(0);
  await expect(finish(benchOf(false), journalWith(), recorder, 0, info)).rejects.toThrow(
    'repeated after trouble: the target was not well when the test ended',
  );
  expect(attached[0]?.unwell).toBe(true);
});

test('a test that found nothing stays as it is', async () => {
  const { info, told, attached } = testAfter(0);
  await finish(benchOf(), new JournalWriter([RULE], () => undefined), recorder, 0, info);
  expect(told).toEqual({ expectedToFail: undefined, skipped: undefined });
  expect(attached).toHaveLength(1);
});
