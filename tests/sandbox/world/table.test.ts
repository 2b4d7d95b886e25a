import { expect, test } from '@playwright/test';
import { CARD_LIFE } from '../../../sandbox/areas/cards/records.ts';
import { CHALLENGE_LIFE, CREDENTIAL_LIFE } from '../../../sandbox/areas/credentials/records.ts';
import { REFUND_LIFE } from '../../../sandbox/areas/events/records.ts';
import { QUOTE_LIFE } from '../../../sandbox/areas/quotes/records.ts';
import { SCA_CHALLENGE_LIFE } from '../../../sandbox/areas/sca/records.ts';
import { SESSION_LIFE } from '../../../sandbox/areas/sessions/records.ts';
import { REQUEST_LIFE } from '../../../sandbox/areas/signed-requests/records.ts';
import { ISSUE_LIFE } from '../../../sandbox/areas/stablecoins/records.ts';
import { ACTION_LIFE, TRANSACTION_LIFE } from '../../../sandbox/areas/transfers/records.ts';
import { IllegalMove, type Life, Waiting } from '../../../sandbox/world/table.ts';
import { createWorld, type World } from '../../../sandbox/world/world.ts';
import { Worlds } from '../../../sandbox/worlds.ts';

const config = { clientId: 'c', clientSecret: 's', brand: 'Service', latency: 0, bodyLimit: 1000 };
const world = new Worlds(config).get('default')!;
const lives: readonly Life[] = [
  QUOTE_LIFE,
  TRANSACTION_LIFE,
  ACTION_LIFE,
  REFUND_LIFE,
  CARD_LIFE,
  ISSUE_LIFE,
  CREDENTIAL_LIFE,
  SESSION_LIFE,
  REQUEST_LIFE,
  CHALLENGE_LIFE,
  SCA_CHALLENGE_LIFE,
];

for (const life of lives)
  test(`a ${life.kind} moves where its table leads, and nowhere else`, () => {
    const statuses = Object.keys(life.moves);
    for (const from of statuses)
      for (const to of statuses) {
        const record = { id: 'Record:1', status: from };
        const move = () => world.rules.changeStatus(life, record, to);
        if (life.moves[from]!.includes(to)) move();
        else expect(move, `${from} to ${to}`).toThrow(IllegalMove);
        expect(record.status).toBe(life.moves[from]!.includes(to) ? to : from);
      }
    expect(statuses.filter((status) => life.moves[status]!.length === 0).length).toBeGreaterThan(0);
  });

interface Row {
  readonly id: string;
  readonly customerId: string;
  status: string;
  endsAt: number;
}

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
