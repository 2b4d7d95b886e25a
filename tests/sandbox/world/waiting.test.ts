import { expect, test } from '@playwright/test';
import { Waiting } from '../../../sandbox/world/table.ts';
import { createWorld, type World } from '../../../sandbox/world/world.ts';

interface Row {
  readonly id: string;
  readonly customerId: string;
  status: string;
  endsAt: number;
}

const config = { clientId: 'c', clientSecret: 's', brand: 'Service', latency: 0, bodyLimit: 1000 };

function started(): {
  readonly world: World;
  readonly waiting: Waiting<Row>;
  readonly looks: () => number;
  readonly add: (id: string, seconds: number, customerId?: string) => Row;
} {
  let looks = 0;
  const world = createWorld('test', {}, config);
  const waiting = new Waiting<Row>('OPEN', (_world, row) => (looks++, row.endsAt));
  return {
    world,
    waiting,
    looks: () => looks,
    add: (id, seconds, customerId = 'Customer:1') =>
      waiting.add(world, { id, customerId, status: 'OPEN', endsAt: world.clock.now() + seconds * 1000 }),
  };
}

const idsOf = (rows: readonly Row[]): readonly string[] => rows.map(({ id }) => id);

test('time ends each record once, and not before its end', () => {
  const { world, waiting, add } = started();
  add('long', 600);
  add('short', 60);
  expect(idsOf(waiting.late(world))).toEqual([]);
  world.clock.advance(61);
  expect(idsOf(waiting.late(world))).toEqual(['short']);
  expect(idsOf(waiting.late(world))).toEqual([]);
  world.clock.advance(600);
  expect(idsOf(waiting.late(world))).toEqual(['long']);
});

test("a record ends by its own customer's clock", () => {
  const { world, waiting, add } = started();
  add('mine', 60, 'Customer:1');
  add('theirs', 60, 'Customer:2');
  world.clock.advance(61, 'Customer:2');
  expect(idsOf(waiting.late(world))).toEqual(['theirs']);
});

test('what has happened to a record is not undone by time', () => {
  const { world, waiting, add } = started();
  const used = add('used', 60);
  used.status = 'USED';
  world.clock.advance(61);
  expect(idsOf(waiting.late(world))).toEqual([]);
});

test('an end that moves on while a record waits counts', () => {
  const { world, waiting, add } = started();
  const row = add('row', 60);
  row.endsAt += 60_000;
  world.clock.advance(61);
  expect(idsOf(waiting.late(world))).toEqual([]);
  world.clock.advance(60);
  expect(idsOf(waiting.late(world))).toEqual(['row']);
});

test('nobody is looked at while nobody can be late', () => {
  const { world, waiting, looks, add } = started();
  for (let number = 0; number < 50; number++) add(`row ${number}`, 600);
  waiting.late(world);
  const before = looks();
  for (let call = 0; call < 100; call++) waiting.late(world);
  expect(looks()).toBe(before);
});
