import fc from 'fast-check';
import { refunds } from '../../../../sandbox/areas/events/records.ts';
import { cards, cardTransactions } from '../../../../sandbox/areas/platform/records.ts';
import { quotes } from '../../../../sandbox/areas/quotes/records.ts';
import { actions } from '../../../../sandbox/areas/transfers/records.ts';
import type { Answered, Party, Scene } from './scene.ts';

const which = fc.nat(40);
const who = fc.nat(5);
const amount = fc.constantFrom(1, 90, 500, 900, 1_500, 2_500, 3_000, 3_001);
const key = fc.option(fc.constantFrom('k1', 'k2'), { nil: undefined });

/** One call of anybody. Numbers choose among what there is when its turn comes. */
const call = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('transfer-out' as const), who, amount, key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('transfer-in' as const), who, amount, key }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('quote' as const), who, amount }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('execute' as const), who, which, key }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('approve' as const, 'reject' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('authorize' as const), which, right: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.constantFrom(1, 30, 30, 130, 130, 1_000, 90_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('card' as const), which, amount }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'partial-settlement' as const,
        'settlement' as const,
        'refund' as const,
        'exception' as const,
      ),
      which,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('refund-in' as const, 'refund-out' as const), who }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end-refund' as const), which, fails: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('mint' as const, 'burn' as const), amount }) },
);

/** Calls in the order in which they are made; those of one batch are under way together. */
export const batches = fc.array(fc.array(call, { minLength: 1, maxLength: 3, size: 'max' }), {
  minLength: 12,
  maxLength: 30,
  size: 'max',
});

type Call = (typeof batches extends fc.Arbitrary<infer Batches> ? Batches : never) extends (infer Batch)[]
  ? Batch extends (infer One)[]
    ? One
    : never
  : never;

const pick = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(all.length, 1)];

/** Makes a call; undefined where there is nothing yet that it could be about. */
export async function make(scene: Scene, one: Call): Promise<Answered | undefined> {
  const { client, parties } = scene;
  const { world } = client;
  const party = 'who' in one ? parties[one.do.startsWith('transfer') ? one.who % 3 : one.who]! : parties[0]!;
  switch (one.do) {
    case 'transfer-out':
    case 'transfer-in':
      return transfer(scene, party, one.do, one.amount, one.key);
    case 'quote': {
      const body = { ...party.quote, lockedCurrencyAmount: one.amount };
      return party.token === undefined
        ? client.platform('POST', '/quotes', body)
        : client.agent(party.token, '/agents/me/quotes', body);
    }
    case 'execute': {
      // Newest first, and mostly of the caller's own customer.
      const all = quotes.all(world).reverse();
      const own = all.filter(({ customerId }) => customerId === party.customerId);
      const quote = pick(one.which < 35 ? own : all, one.which);
      if (!quote) return undefined;
      const path = `/quotes/${quote.id}/execute`;
      return party.token === undefined
        ? client.platform('POST', path)
        : client.agent(party.token, `/agents/me${path}`, undefined, one.key);
    }
    case 'approve':
    case 'reject': {
      const all = actions.all(world);
      const pending = all.filter(({ status }) => status === 'PENDING_APPROVAL');
      const action = pick(one.which < 30 ? pending : all, one.which);
      return action && client.platform('POST', `/agents/${action.agentId}/actions/${action.id}/${one.do}`);
    }
    case 'authorize': {
      const waiting = quotes.all(world).filter(({ status }) => status === 'PENDING_AUTHORIZATION');
      const quote = pick(waiting, one.which);
      const code = one.right ? '123456' : '000000';
      return quote && client.platform('POST', `/quotes/${quote.id}/authorize`, { code });
    }
    case 'wait':
      return { status: 200, body: await client.state('clock', { advanceSeconds: one.seconds }) };
    case 'card':
      return spendByCard(scene, one.which, one.amount);
    case 'partial-settlement':
    case 'settlement':
    case 'refund':
    case 'exception': {
      const transaction = pick(cardTransactions.all(world), one.which);
      if (!transaction) return undefined;
      const path = `/sandbox/cards/${transaction.cardId}/simulate/${one.do}`;
      return client.platform('POST', path, { cardTransactionId: transaction.id });
    }
    case 'refund-in':
    case 'refund-out': {
      const state = one.do === 'refund-in' ? 'incoming-refund' : 'outgoing-refund';
      return { status: 200, body: await client.state(state, { customerId: party.customerId }) };
    }
    case 'end-refund': {
      const refund = pick(refunds.all(world), one.which);
      if (!refund) return undefined;
      const to = one.fails ? 'FAILED' : 'COMPLETED';
      const state = `${refund.direction.toLowerCase()}-refund`;
      return { status: 200, body: await client.state(state, { refundId: refund.id, to }) };
    }
    case 'mint':
    case 'burn':
      return issue(scene, one.do, one.amount);
  }
}

function transfer({ client }: Scene, party: Party, way: string, amount: number, key: string | undefined) {
  const ends = [party.sourceAccountId, party.destinationAccountId].map((accountId) => ({ accountId }));
  const [source, destination] = way === 'transfer-out' ? ends : ends.reverse();
  return client.agent(party.token!, `/agents/me/${way}`, { source, destination, amount }, key);
}

async function spendByCard({ client, parties }: Scene, which: number, amount: number) {
  const card = pick(cards.all(client.world), which);
  if (card) return client.platform('POST', `/sandbox/cards/${card.id}/simulate/authorization`, { amount });
  return client.platform('POST', '/cards', { cardholderId: parties[which % 2]!.customerId });
}

function issue({ client, coin }: Scene, what: 'mint' | 'burn', amount: number) {
  return client.send(
    'POST',
    `/stablecoins/${coin['stablecoinId']}/${what}s`,
    `Basic ${btoa(`${coin['clientId']}:${coin['clientSecret']}`)}`,
    { amount },
  );
}
