import assert from 'node:assert';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { Answer, Unanswered } from '../../suite/answer.ts';
import { CounterexampleFound } from '../../suite/thrown.ts';
import { explore } from '../../suite/explore.ts';
import { Reads, withReads } from '../../suite/check-reads.ts';
import { effortOf } from '../../suite/sampling.ts';
import { depthOf } from '../../target/environment-variables.ts';
import { UsageError } from '../../target/usage-error.ts';
import { roundsOf } from '../../suite/test-cost.ts';

const answered = (label: string, status = 200) =>
  new Answer(
    label,
    label,
    {
      at: 0,
      milliseconds: 1,
      request: { method: 'GET', url: 'x', headers: {} },
      response: { status, headers: {}, text: '' },
    },
    undefined,
    [],
  );

/** Runs it as a check does, and gives what was thrown and what was looked at. */
async function run(property: (input: number) => void, runs?: number) {
  const reads = new Reads();
  const thrown: unknown = await withReads(reads, () =>
    explore(
      fc.integer({ min: 0, max: 100_000 }),
      async (input) => property(input),
      runs === undefined ? {} : { runs },
    ),
  ).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { thrown, looked: reads.answers.map((answer) => answer.label) };
}

test('a property that holds passes, with the last answer as evidence', async () => {
  const { thrown, looked } = await run((input) => assert(answered(String(input)).accepted));
  expect(thrown).toBeUndefined();
  expect(looked).toHaveLength(1);
});

test('what fails is shrunk to the smallest input, whose answer is the evidence', async () => {
  const { thrown, looked } = await run((input) =>
    assert(answered(String(input)).accepted && input < 777, `${input} is too much`),
  );
  expect(thrown).toBeInstanceOf(CounterexampleFound);
  expect((thrown as CounterexampleFound).counterexample).toMatchObject({ input: '777' });
  expect((thrown as Error).message).toMatch(
    /^777 is too much\nSmallest input: 777\nTo repeat it: SEED=20251013 REPLAY=\S+ npx playwright test --workers 1 -g '/,
  );
  expect(looked).toEqual(['777']);
});

test('a replay tries the one input that was found, and finds it again', async () => {
  const first = (await run((input) => assert(input < 777))).thrown as CounterexampleFound;
  process.env['REPLAY'] = first.counterexample.path;
  try {
    const tried: number[] = [];
    const again = await run((input) => {
      tried.push(input);
      assert(input < 777);
    });
    expect((again.thrown as CounterexampleFound).counterexample.input).toBe('777');
    expect(tried[0]).toBe(777);
  } finally {
    delete process.env['REPLAY'];
  }
});

test('inputs are tried several at once', async () => {
  let now = 0;
  let most = 0;
  await explore(fc.integer(), async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
  });
  expect(most).toBeGreaterThan(1);
});

test('the same seed finds the same', async () => {
  const find = async () =>
    ((await run((input) => assert(input % 97 !== 3))).thrown as CounterexampleFound).counterexample;
  expect(await find()).toEqual(await find());
});

test("a gateway's answer, no answer and a defect of ours accuse nobody", async () => {
  const between = await run((input) => assert(answered(String(input), 503).accepted));
  expect(between.thrown).toBeInstanceOf(Unanswered);
  const none = await run(() => {
    throw new Unanswered('nothing came');
  });
  expect(none.thrown).toBeInstanceOf(Unanswered);
  const ours = await run(() => {
    throw new TypeError('a mistake');
  });
  expect(ours.thrown).toBeInstanceOf(TypeError);
});

test('an obstacle while shrinking does not hide what was found before', async () => {
  let failed = false;
  const { thrown } = await run((input) => {
    if (failed) throw new Unanswered('gone');
    if (input > 10) {
      failed = true;
      assert.fail('found');
    }
  });
  expect(thrown).toBeInstanceOf(CounterexampleFound);
});

test('inputs that do not fit are left out by fc.pre', async () => {
  const { thrown } = await run((input) => {
    fc.pre(input % 2 === 0);
    assert(input % 2 === 0);
  });
  expect(thrown).toBeUndefined();
});

test('a few runs are enough where few were asked for', async () => {
  expect((await run((input) => assert(answered(String(input)).accepted), 3)).thrown).toBeUndefined();
});

test('a depth that is none is told in one sentence', () => {
  expect(depthOf({})).toBe('standard');
  expect(depthOf({ DEPTH: 'deep' })).toBe('deep');
  expect(() => depthOf({ DEPTH: 'deeper' })).toThrow(UsageError);
  expect(() => depthOf({ DEPTH: 'deeper' })).toThrow(
    'DEPTH is "deeper", which is no depth: set it to quick, standard or deep.',
  );
});

test('quick tries fewer inputs and deep many more', () => {
  const runs = (DEPTH: string) => effortOf(24, undefined, { DEPTH }).runs;
  expect(runs('quick')).toBe(8);
  expect(runs('standard')).toBe(24);
  expect(runs('deep')).toBe(480);
});

test('no depth tries fewer than three inputs, unless fewer were asked for', () => {
  expect(effortOf(4, undefined, { DEPTH: 'quick' }).runs).toBe(3);
  expect(effortOf(2, undefined, { DEPTH: 'quick' }).runs).toBe(2);
});

test('each depth has a budget of time', () => {
  const milliseconds = (DEPTH: string) => effortOf(1, undefined, { DEPTH }).milliseconds;
  expect(milliseconds('quick')).toBeLessThan(milliseconds('standard'));
  expect(milliseconds('standard')).toBeLessThan(milliseconds('deep'));
});

const sent = (atMs: number, milliseconds: number) => ({ at: new Date(atMs).toISOString(), milliseconds });

test('what is sent at the same time is one round, and what follows is another', () => {
  expect(roundsOf([])).toBe(0);
  expect(roundsOf([sent(0, 10), sent(10, 10), sent(25, 5)])).toBe(3);
  expect(roundsOf([sent(0, 10), sent(1, 10), sent(2, 10), sent(30, 10)])).toBe(2);
  // One that takes long beside a row of others adds nothing to the row.
  expect(roundsOf([sent(0, 100), sent(0, 10), sent(20, 10), sent(40, 10)])).toBe(3);
});
