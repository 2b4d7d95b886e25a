import { expect, test } from '@playwright/test';
import { removedReasonsIn } from '../../suite/removed-reasons.ts';

const TRANSACTION = { id: 'Transaction:1', status: 'FAILED' };

/** Bodies, whether they show a failure reason of a transaction at all, and the places of removed ones. */
const CASES: readonly (readonly [what: string, body: unknown, seen: boolean, removed: readonly string[]])[] =
  [
    ['a transaction', { ...TRANSACTION, failureReason: 'TIMEOUT' }, true, ['/failureReason']],
    [
      'a transaction within an action',
      { id: 'AgentAction:1', transaction: { type: 'OUTGOING', failureReason: 'SETTLEMENT_FAILED' } },
      true,
      ['/transaction/failureReason'],
    ],
    [
      'a list of transactions',
      { data: [{ ...TRANSACTION, failure: { code: 'MANUAL_REFUND' } }] },
      true,
      ['/data/0/failure/code'],
    ],
    ['a plain reason of a failed one', { ...TRANSACTION, reason: 'TIMEOUT' }, true, ['/reason']],
    [
      'an event',
      { type: 'X', data: { ...TRANSACTION, failureReason: 'TIMEOUT' } },
      true,
      ['/data/failureReason'],
    ],
    ['a reason that still exists', { ...TRANSACTION, failureReason: 'PAYOUT_RETURNED' }, true, []],
    ['no reason', TRANSACTION, false, []],
    [
      'a plain reason of one that goes on',
      { ...TRANSACTION, status: 'PENDING', reason: 'TIMEOUT' },
      false,
      [],
    ],
    ['why a transaction is held', { ...TRANSACTION, pendingReason: 'TIMEOUT' }, false, []],
    ['words for people', { ...TRANSACTION, failureReason: 'it took too long' }, false, []],
    ['its refund', { ...TRANSACTION, refund: { failureReason: 'TIMEOUT' } }, false, []],
    ['a refund in a list', { refunds: [{ ...TRANSACTION, failureReason: 'MANUAL_REFUND' }] }, false, []],
    [
      'a stablecoin operation',
      { data: [{ id: 'StablecoinOperation:1', status: 'FAILED', reason: 'TIMEOUT' }] },
      false,
      [],
    ],
    ['a verification', { id: 'Verification:1', failureReason: 'TIMEOUT' }, false, []],
    ['an action', { id: 'AgentAction:1', status: 'FAILED', failureReason: 'TIMEOUT' }, false, []],
    ['a log of deliveries', { deliveries: [{ status: 'FAILED', failureReason: 'TIMEOUT' }] }, false, []],
  ];

for (const [what, body, seen, removed] of CASES)
  test(`${what}: ${removed.length > 0 ? 'a removed reason' : seen ? 'a reason' : 'no reason of a transaction'}`, () => {
    const found = removedReasonsIn(body);
    expect(found.seen).toBe(seen);
    expect(found.breaches.map(({ pointer }) => pointer)).toEqual(removed);
  });
