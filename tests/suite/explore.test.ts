import { Unanswered, CounterexampleFound, Reads, withReads } from '../../doubt/check.ts';
import assert from 'node:assert';
import fc from 'fast-check';
import { expect, test } from '@playwright/test';
import { explore } from '../../suite/explore.ts';
import { answered } from './answered.ts';

const accepted = (input: number, status = 200) => answered(status, { label: String(input) }).accepted;

/** Runs it as a check does, and gives what was thrown and what was looked at. */
async function run(property: (input: number) => void) {
  const reads = new Reads();
  const thrown: unknown = await withReads(reads, () =>
    explore(fc.integer({ min: 0, max: 100_000 }), async (input) => property(input), {}),
  ).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { thrown, looked: reads.answers.map((answer) => answer.label) };
}

test('what fails is shrunk to the smallest input, whose answer is the evidence', async () => {
  const { thrown, looked } = await run((input) =>
    assert(accepted(input) && input < 777, `${input} is too much`),
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

test("a gateway's answer, no answer and a defect of ours accuse nobody", async () => {
  const between = await run((input) => assert(accepted(input, 503)));
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
