import assert from 'node:assert';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { Check } from '../../suite/check.ts';
import { survey, type Walk } from '../../suite/survey.ts';
import { answered } from './answered.ts';
import type { CounterexampleFound } from '../../doubt/check.ts';

/** What was checked: nothing thrown means kept. */
async function surveyed<T>(
  inputs: fc.Arbitrary<T> | readonly T[],
  walk: (input: T, on: Walk) => Promise<void>,
) {
  const results = new Map<string, { readonly thrown: unknown; readonly evidence: readonly string[] }>();
  const check: Check = async (rule, run, about = []) => {
    const shown = 'length' in about ? about : (about.evidence ?? []);
    const thrown: unknown = await (async () => run())().then(
      () => undefined,
      (error: unknown) => error,
    );
    results.set(rule, { thrown, evidence: shown.map(({ label }) => label) });
    return thrown === undefined;
  };
  await survey(check, inputs, walk, {});
  return results;
}

const NUMBERS = fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 6 });
const hold = (on: Walk, rule: string, isKept: boolean, label: string) =>
  on.hold(rule, () => assert(isKept && answered(200, { label }).accepted, `${label} breaks ${rule}`));

test('the story of the smallest walk is told, with a command that repeats it', async () => {
  const results = await surveyed(NUMBERS, async (numbers, on) => {
    for (const number of numbers) {
      const answer = on.told(answered(200, { label: `adding ${number}` }));
      await on.hold('small', () => assert(answer.accepted && number < 40, 'too much'));
    }
  });
  expect((results.get('small')?.thrown as Error).message).toMatch(
    /^too much\n1\. adding 40: 200\nTo repeat it: SEED=20251013 REPLAY=\S+ npx playwright test --workers 1 -g 'the story/,
  );
  expect(results.get('small')?.evidence).toEqual(['adding 40']);
});

test('two rules that break are both found, each with its own smallest input', async () => {
  const results = await surveyed(fc.nat({ max: 100 }), async (number, on) => {
    await hold(on, 'few', number < 20 || number >= 50, `${number}`);
    await hold(on, 'small', number < 50, `${number}`);
  });
  const input = (rule: string) => (results.get(rule)?.thrown as CounterexampleFound).counterexample.input;
  expect(input('few')).toBe('20');
  expect(input('small')).toBe('50');
});

test('every value of a list is tried, the plainest is told, and each is as small as it can be', async () => {
  const tried: string[] = [];
  const results = await surveyed(['a', 'b', 'c', 'd'], async (letter, on) => {
    tried.push(letter);
    await hold(on, 'early', letter < 'b', letter);
  });
  expect(tried.sort()).toEqual(['a', 'b', 'c', 'd']);
  expect((results.get('early')?.thrown as CounterexampleFound).counterexample.input).toBe('"b"');
});

test('a defect of ours ends the survey, and no walk goes on behind its back', async () => {
  let running = 0;
  const failing = surveyed(fc.nat(), async (number) => {
    running += 1;
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (number >= 0) throw new TypeError('a mistake');
  });
  await expect(failing).rejects.toThrow(TypeError);
  expect(running).toBe(0);
});

test('a condition that is not met ends its walk alone, and accuses nobody', async () => {
  const results = await surveyed([1, 2, 3], async (number, on) => {
    on.need(answered(number === 2 ? 500 : 200)).accepted();
    await hold(on, 'kept', number !== 2, `${number}`);
  });
  expect([...results.keys()]).toEqual(['kept']);
  expect(results.get('kept')?.thrown).toBeUndefined();
});
