import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { audit } from './support/money/books.ts';
import { Client, setScene } from './support/money/scene.ts';
import { batches, make } from './support/money/steps.ts';

/** Bounds of one test: so many sequences at least (`SEQUENCES=1000` for a long walk), and no new one after so many milliseconds. */
const SEQUENCES = Number(process.env['SEQUENCES'] ?? 20);
const TIME = 5_000;

const server = new Client('default');
let worlds = 0;

/** Plays random sequences in worlds of their own; each is audited after every batch. @returns how many were played */
async function play(fault = '', sequences = 200): Promise<{ played: number; error: string | undefined }> {
  const until = Date.now() + TIME;
  let played = 0;
  const outcomes = new Map<number, number>();
  const result = await fc.check(
    fc.asyncProperty(batches, async (sequence) => {
      if (played >= SEQUENCES && Date.now() > until) return;
      const name = fault === '' ? `world.${++worlds}` : `fault.${fault}`;
      const scene = await setScene(new Client(name, fault === '' ? server : undefined));
      for (const batch of sequence) {
        const answers = await Promise.all(batch.map((one) => make(scene, one)));
        for (const answer of answers) {
          if (!answer) continue;
          outcomes.set(answer.status, (outcomes.get(answer.status) ?? 0) + 1);
          if (answer.status >= 500) throw new Error(JSON.stringify(answer.body));
        }
        await audit(scene);
      }
      played++;
    }),
    { numRuns: sequences, ...(fault === '' ? {} : { seed: 7, endOnFailure: true }) },
  );
  const error = result.failed ? fc.defaultReportMessage(result) : undefined;
  if (!result.failed && fault === '')
    for (const status of [200, 201, 400, 403, 409]) expect(outcomes.get(status)).toBeGreaterThan(0);
  return { played, error };
}

test('money adds up, and records agree, whatever anybody does', async () => {
  test.setTimeout(60_000 + SEQUENCES * 500);
  const { played, error } = await play('', Math.max(200, SEQUENCES));
  expect(error).toBeUndefined();
  expect(played).toBeGreaterThanOrEqual(SEQUENCES);
});

for (const fault of [
  'approval-moves-money-twice',
  'failed-quote-keeps-the-money',
  'failed-execution-stays-approved',
  'approved-action-can-be-rejected',
  'daily-limit-not-checked',
])
  test(`the audit sees ${fault}`, async () => {
    test.setTimeout(60_000);
    expect((await play(fault, 100)).error).toBeDefined();
  });
