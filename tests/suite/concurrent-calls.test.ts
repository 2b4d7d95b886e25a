import { expect, test } from '@playwright/test';
import {
  type Event,
  type SerialModel,
  atOnce,
  overlapped,
  someOrderExplains,
} from '../../suite/concurrent-calls.ts';

/** A purse of 10 that never gives more than it holds. */
const purse: SerialModel<number, number, boolean> = {
  start: 10,
  next: (left, amount, given) => (given ? (amount <= left ? [left - amount] : []) : [left]),
};
/** A number that is written and read. */
const register: SerialModel<number, { write: number } | 'read', number | undefined> = {
  start: 0,
  next: (value, call, answer) => (call === 'read' ? (answer === value ? [value] : []) : [call.write]),
};

const event = <C, A>(call: C, answer: A, begun: number, ended: number): Event<C, A> => ({
  call,
  answer,
  begun,
  ended,
});

test('two payments that do not fit into one purse are explained only where one was refused', () => {
  expect(someOrderExplains(purse, [event(6, true, 0, 5), event(6, false, 0, 5)])).toBe(true);
  expect(someOrderExplains(purse, [event(6, true, 0, 5), event(6, true, 0, 5)])).toBe(false);
});

test('the order of calls that did not overlap is kept', () => {
  const write = event({ write: 1 }, undefined, 0, 2);
  expect(someOrderExplains(register, [write, event('read' as const, 0, 1, 3)])).toBe(true);
  expect(someOrderExplains(register, [write, event('read' as const, 0, 3, 4)])).toBe(false);
});

test('two reads must agree on the order of a write', () => {
  const write = event({ write: 1 }, undefined, 0, 10);
  const reads = (first: number, second: number) => [
    write,
    event('read' as const, first, 1, 2),
    event('read' as const, second, 3, 4),
  ];
  expect(someOrderExplains(register, reads(0, 1))).toBe(true);
  expect(someOrderExplains(register, reads(1, 0))).toBe(false);
});

test('calls at once overlap, and calls in turn do not', async () => {
  const all = await atOnce([1, 2, 3], async (call) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return call;
  });
  expect(overlapped(all)).toBe(true);
  expect(overlapped([event(1, 1, 0, 1), event(2, 2, 2, 3)])).toBe(false);
  expect(overlapped([event(1, 1, 0, 1)])).toBe(false);
});
