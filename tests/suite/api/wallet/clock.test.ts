import { expect, test } from '@playwright/test';
import { WalletClock } from '../../../../suite/api/wallet/clock.ts';
import type { Clock } from '../../../../suite/clock.ts';
import type { Need } from '../../../../suite/need.ts';
import { answered } from '../../answered.ts';

const expiring = (body: object, headers = {}) =>
  answered(202, { label: 'the challenge', text: JSON.stringify(body), headers });

/** A clock of a target that can be moved. */
function clock(): WalletClock {
  const target = { advance: async (seconds: number) => seconds * 1_000 } as unknown as Clock;
  const that = (value: unknown, otherwise: string) => {
    if (!value) throw new Error(otherwise);
    return value;
  };
  return new WalletClock({ clock: target, need: { that } as unknown as Need }, 'Customer:1');
}

const HOUR_MS = 3_600_000;
const at = (ms: number) => ({ date: new Date(Date.now() + ms).toUTCString() });

test('time that has passed is added to ours', async () => {
  const moved = clock();
  await moved.letPass(3_600);
  await moved.letPass(3_600);
  expect(moved.now().getTime() - Date.now()).toBeGreaterThan(2 * HOUR_MS - 1_000);
  expect(moved.offsetMs).toBe(2 * HOUR_MS);
});

test('of two clocks the one that is behind tells when an answer was given at the earliest', () => {
  const earliest = (headers: Record<string, string>) =>
    clock().earliestNow(expiring({}, headers)).getTime() - Date.now();
  expect(earliest(at(-HOUR_MS))).toBeLessThan(-HOUR_MS / 2);
  for (const headers of [at(HOUR_MS), {}]) expect(earliest(headers)).toBeLessThanOrEqual(0);
});

test('the one that is ahead tells it at the latest, unless it has been moved', async () => {
  const answer = expiring({}, at(HOUR_MS));
  expect(clock().latestNow(answer).getTime()).toBeGreaterThan(Date.now() + HOUR_MS / 2);
  const moved = clock();
  await moved.letPass(60);
  expect(moved.latestNow(answer).getTime()).toBeLessThan(Date.now() + HOUR_MS / 2);
});

test('what is left until an end is counted by the clock of the answer that names it', async () => {
  const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();
  const left = clock().secondsLeft(expiring({ expiresAt }, at(HOUR_MS / 2)));
  expect(Math.abs(left - 1_800)).toBeLessThan(3);
  expect(() => clock().secondsLeft(expiring({}))).toThrow('"the challenge" does not say when it expires');
});
