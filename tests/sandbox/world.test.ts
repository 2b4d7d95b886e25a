import { expect, test } from '@playwright/test';
import { CARD_LIFE } from '../../sandbox/areas/platform/records.ts';
import { Alarms, Clock } from '../../sandbox/world/clock.ts';
import { BadPosting, Ledger, outside } from '../../sandbox/world/ledger.ts';
import { changeStatus, IllegalMove, Table, Waiting } from '../../sandbox/world/table.ts';
import { createWorld } from '../../sandbox/world/world.ts';
import { Worlds } from '../../sandbox/worlds.ts';
import { wallTime } from '../../sandbox/areas/conventions/behaviour.ts';
import { decimalsOf, worthIn } from '../../sandbox/areas/quotes/rates.ts';

test('alarms ring when the clock has passed them, in the order of their times, and not after the end', () => {
  const clock = new Clock(() => 1_000_000);
  const alarms = new Alarms(clock);
  const rung: string[] = [];
  alarms.set(1_020_000, () => rung.push('second'));
  alarms.set(1_010_000, () => {
    rung.push('first');
    alarms.set(1_015_000, () => rung.push('set by the first'));
  });
  clock.advance(9);
  expect(rung).toEqual([]);
  clock.advance(11);
  expect(rung).toEqual(['first', 'set by the first', 'second']);
  alarms.set(1_021_000, () => rung.push('too late'));
  alarms.stop();
  alarms.set(1_022_000, () => rung.push('later still'));
  clock.advance(60);
  expect(rung).toHaveLength(3);
});

const of = { currency: 'USD', reason: 'r' };
const usd = (from: string, to: string, amount: bigint) => ({ from, to, amount, ...of });

test('no account goes below zero, and of postings that belong together none is booked when one cannot be', () => {
  const ledger = new Ledger();
  ledger.post(usd(outside('bank'), 'a', 10n));
  expect(() => ledger.post(usd('a', 'b', 4n), usd('a', 'c', 7n))).toThrow(BadPosting);
  expect(() => ledger.post(usd('a', 'b', -1n))).toThrow(BadPosting);
  expect(ledger.balance('a', 'USD')).toBe(10n);
  expect(ledger.postings).toHaveLength(1);
  ledger.post(usd('a', 'b', 10n), usd('b', 'c', 10n));
  expect(['a', 'b', 'c'].map((account) => ledger.balance(account, 'USD'))).toEqual([0n, 0n, 10n]);
});

const config = { clientId: 'c', clientSecret: 's', brand: 'Service', latency: 0, bodyLimit: 1000 };
const world = new Worlds(config).get('default')!;

test('a record moves where the table of its life leads, and nowhere else', () => {
  const moves: Readonly<Record<string, readonly string[]>> = CARD_LIFE.moves;
  for (const from of Object.keys(moves))
    for (const to of Object.keys(moves)) {
      const record = { id: 'Record:1', status: from };
      const move = () => changeStatus(world, CARD_LIFE, record, to);
      const mayGo = moves[from]!.includes(to);
      if (mayGo) move();
      else expect(move, `${from} to ${to}`).toThrow(IllegalMove);
      expect(record.status).toBe(mayGo ? to : from);
    }
});

interface Row {
  readonly id: string;
  readonly customerId: string;
  status: string;
  endsAt: number;
}

/** Records that wait, 50 of them for longer than any test lasts. */
function started() {
  let looks = 0;
  const world = createWorld('test', { wallTime }, config);
  const waiting = new Waiting<Row>('OPEN', (_world, row) => (looks++, row.endsAt));
  const add = (id: string, seconds: number, customerId = 'Customer:1') =>
    waiting.add(world, { id, customerId, status: 'OPEN', endsAt: world.clock.now() + seconds * 1000 });
  /** Those that are late when so many seconds more have passed. */
  const lateAfter = (seconds: number, customerId?: string) => {
    if (seconds > 0) world.clock.advance(seconds, customerId);
    return waiting.late(world).map(({ id }) => id);
  };
  for (let number = 0; number < 50; number++) add(`row ${number}`, 86_400);
  return { looks: () => looks, add, lateAfter };
}

test('time ends each record once, and not before its end', () => {
  const { lateAfter, add } = started();
  add('long', 600);
  add('short', 60);
  expect([0, 61, 0, 600].map((seconds) => lateAfter(seconds))).toEqual([[], ['short'], [], ['long']]);
});

test("a record ends by its own customer's clock", () => {
  const { lateAfter, add } = started();
  add('mine', 60, 'Customer:1');
  add('theirs', 60, 'Customer:2');
  expect(lateAfter(61, 'Customer:2')).toEqual(['theirs']);
});

test('what has happened to a record is not undone by time, and an end that moves on counts', () => {
  const { lateAfter, add } = started();
  add('used', 60).status = 'USED';
  add('row', 60).endsAt += 60_000;
  expect(lateAfter(61)).toEqual([]);
  expect(lateAfter(60)).toEqual(['row']);
});

test('nobody is looked at while nobody can be late', () => {
  const { lateAfter, looks } = started();
  lateAfter(0);
  const before = looks();
  for (let call = 0; call < 100; call++) lateAfter(0);
  expect(looks()).toBe(before);
});

test('rows are found by their group, in order, and leave it with their own', () => {
  const [world, other] = [createWorld('test', {}, config), createWorld('other', {}, config)];
  const table = new Table<{ id: string; account: string }>(({ account }) => account);
  const put = (id: string, account: string) => table.put(world, id, { id, account });
  const idsIn = (account: string) => table.in(world, account).map(({ id }) => id);
  put('a', 'one');
  put('b', 'two');
  put('c', 'one');
  expect(idsIn('one')).toEqual(['a', 'c']);
  put('a', 'two');
  expect([idsIn('one'), idsIn('two')]).toEqual([['c'], ['b', 'a']]);
  table.delete(world, 'b');
  expect(idsIn('two')).toEqual(['a']);
  expect(table.in(other, 'one')).toEqual([]);
});

test('currencies have the minor units that the world has', () => {
  const { behaviour } = world;
  const codes = ['USD', 'VND', 'XOF', 'KWD', 'COP', 'IDR', 'USDC', 'USDT', 'BTC'];
  expect(codes.map((code) => decimalsOf(world, code))).toEqual([2, 0, 0, 3, 2, 2, 6, 6, 8]);
  expect(behaviour.presentCurrency('EUR')).toEqual({ code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 });
  expect(Math.abs(Number(worthIn(world, 1_000_000n, 'USDC', 'USD')) - 100)).toBeLessThan(2);
});
