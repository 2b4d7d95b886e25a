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
import { Worlds } from '../../../sandbox/worlds.ts';
import { IllegalMove, type Life } from '../../../sandbox/world/table.ts';

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
