import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { WalletClock } from '../../suite/api/wallet/clock.ts';
import { ClockOffsets, type Clock } from '../../suite/clock.ts';
import type { Need } from '../../suite/need.ts';
import { ClockTurns, type Move } from '../../suite/run/clock-turns.ts';
import { scratch } from '../support/run-assay.ts';
import { answered } from './answered.ts';

/** Whether something has not happened within so much time that it would have. */
async function waits(promise: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  void promise.then(() => (isDone = true));
  // Whoever waits looks each 20 ms.
  await new Promise((resolve) => setTimeout(resolve, 150));
  return !isDone;
}

/** One clock for all, and what it was moved by. */
function oneClock() {
  const moves: number[] = [];
  const folder = scratch('run');
  return {
    moves,
    folder,
    begin: (id: string) => ClockTurns.begin(folder, id),
    move: async (seconds: number): Promise<Move> => {
      moves.push(seconds);
      return { ahead: undefined, isOfCustomer: false };
    },
  };
}

test('a clock for all moves only while every test that has begun waits for it', async () => {
  const { begin, move, moves } = oneClock();
  const [mover, other] = [await begin('a'), await begin('b')];
  const passed = mover.pass(60, move);
  expect(await waits(passed)).toBe(true);
  other.end();
  expect(await passed).toBeLessThan(2_000);
  expect(moves).toEqual([60]);
});

test('no test sees more time pass than it asked for', async () => {
  const { begin, move, moves } = oneClock();
  const [short, long] = [await begin('short'), await begin('long')];
  const halfAYear = long.pass(15_000_000, move);
  const minute = short.pass(60, move);
  await minute;
  expect(await waits(halfAYear)).toBe(true);
  expect(short.moved.by).toBe(60_000);
  short.end();
  await halfAYear;
  expect(moves).toHaveLength(2);
  expect(Math.abs(long.moved.by - 15_000_000_000)).toBeLessThan(2_000);
});

test('tests that wait for about the same time get one move', async () => {
  const { begin, move, moves } = oneClock();
  const turns = await Promise.all(['a', 'b', 'c'].map((id) => begin(id)));
  await Promise.all(turns.map((turn, index) => turn.pass(300 + index, move)));
  expect(moves).toEqual([302]);
});

test('where each customer has a clock, nobody waits any more', async () => {
  const { begin, move, moves } = oneClock();
  const [mover, , third] = [await begin('a'), await begin('b'), await begin('c')];
  const passed = mover.pass(60, move);
  expect(await waits(passed)).toBe(true);
  third.tellApart();
  await passed;
  await third.pass(300, move);
  expect(moves).toEqual([60, 300]);
});

test('a move that fails is told to whoever made it, and the others go on', async () => {
  const { begin, move, moves } = oneClock();
  const [mover, other] = [await begin('a'), await begin('b')];
  const failed = mover.pass(60, () => Promise.reject(new Error('no clock')));
  const passed = other.pass(300, move);
  await expect(failed).rejects.toThrow('no clock');
  mover.end();
  await passed;
  expect(moves).toEqual([300]);
});

test('a worker that died keeps nobody waiting', async () => {
  const { begin, move, moves, folder } = oneClock();
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  mkdirSync(join(folder, 'clock'));
  for (const mark of ['running-b', 'moving']) writeFileSync(join(folder, 'clock', mark), String(pid));
  writeFileSync(join(folder, 'clock', 'waiting-c'), `${pid} 0`);
  await (await begin('a')).pass(60, move);
  expect(moves).toEqual([60]);
});

const FIVE_MINUTES_MS = 300_000;
const HOUR_MS = 3_600_000;

test('a Date that is hours away shows no clock', () => {
  const shown = new ClockOffsets();
  const date = new Date(Date.now() - HOUR_MS).toUTCString();
  shown.see({ ...answered(200, { headers: { date } }).exchange, at: Date.now() });
  expect(shown.shownMs).toBe(0);
});

for (const [aheadMs, by] of [
  [FIVE_MINUTES_MS, 'Date'],
  [-FIVE_MINUTES_MS, 'Date'],
  [-FIVE_MINUTES_MS, 'createdAt'],
] as const) {
  test(`a target's clock is reckoned with, ${aheadMs > 0 ? 'ahead of' : 'behind'} ours, by its ${by}`, async () => {
    const theirs = new Date(Date.now() + aheadMs);
    const headers = by === 'Date' ? { date: theirs.toUTCString() } : {};
    const shown = new ClockOffsets();
    const made = answered(201, { headers, text: JSON.stringify({ createdAt: theirs }) });
    shown.see({ ...made.exchange, at: Date.now() });
    const clock = { advance: async (seconds: number) => seconds * 1_000, shownMs: shown.shownMs } as Clock;
    const need = { that: (value: unknown) => expect(value).toBeTruthy() } as unknown as Need;
    const wallet = new WalletClock({ clock, need }, 'Customer:1');
    const text = JSON.stringify({ expiresAt: new Date(Date.now() + 2 * HOUR_MS) });
    const answer = answered(200, { text, headers });
    const near = (ms: number, expected: number) => expect(Math.abs(ms - expected)).toBeLessThan(5_000);
    const from = (at: Date) => at.getTime() - Date.now();

    near(from(wallet.earliestNow(answer)), Math.min(0, aheadMs));
    near(from(wallet.latestNow()), Math.max(0, aheadMs));
    // Fresh for both, where both can have it: not old for the one ahead, and not of the future for the target.
    near(from(wallet.issuingTime()), aheadMs > 0 ? aheadMs - 30_000 : aheadMs);
    near(wallet.secondsLeft(answer) * 1_000, 2 * HOUR_MS - aheadMs);

    await wallet.letPass(60);
    near(from(wallet.latestNow()), 60_000);
    near(wallet.secondsLeft(answer) * 1_000, 2 * HOUR_MS - 60_000);
  });
}
