import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect, succeeded, type Answer } from '../../../suite/index.ts';
import { folded, sameId } from '../../../suite/same-id.ts';
import type { Action } from '../../support/actions.ts';
import { expectSameResponse } from '../../support/replay.ts';
import type { ActionModel, KnownAction } from './action-model.ts';
import { money } from './action-money.ts';
import { THRESHOLD } from '../../support/actions.ts';

/** A key is optional. */
export async function withoutKey(model: ActionModel): Promise<void> {
  const amount = 20_000 + model.next();
  const answer = model.on.told(
    await model.world.agent.transferOut({ amount }, { label: `a transfer-out of ${amount} without a key` }),
  );
  // Only where one with a key is taken it is the key that is missed.
  if (!succeeded(answer)) await model.submit(20_000 + model.next(), 'APPROVED');
  await model.on.hold('TRANSFER-IDEMPOTENCY-OPTIONAL', () => expect(answer).toBeAccepted());
  await model.submitted(answer, amount, undefined, 'APPROVED');
}

/** An equal body with another key is another transfer-out. */
export async function equalBody(model: ActionModel, one: KnownAction): Promise<void> {
  const key = randomUUID();
  const label = `the body of ${model.name(one)} with a key of its own`;
  const answer = model.on.told(
    await model.world.agent.transferOut({ amount: one.amount }, { idempotencyKey: key, label }),
  );
  model.on.must(succeeded(answer), 'the transfer-out was refused');
  await model.on.hold('TRANSFER-IDEMPOTENCY-KEYS-INDEPENDENT', () =>
    expect(folded(answer.body?.id), 'the action').not.toBe(folded(one.id)),
  );
  await model.submitted(answer, one.amount, key, one.amount > THRESHOLD ? 'PENDING_APPROVAL' : 'APPROVED');
}

export async function again(model: ActionModel, one: KnownAction): Promise<void> {
  const { agent } = model.world;
  const label = `the key of ${model.name(one)} again`;
  const answer = model.on.told(await agent.transferOut({ amount: one.amount }, { ...keyOf(one), label }));
  // A decision is to blame only where the same key is answered the same without one.
  const rule =
    one.decided && !isSame(answer, one.answer) && (await plainKeysWork(model))
      ? 'TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE'
      : 'TRANSFER-IDEMPOTENCY-SAME-RESPONSE';
  await model.on.hold(rule, () => expectSameResponse(answer, one.answer));
  if (one.decided)
    await model.on.hold('TRANSFER-IDEMPOTENCY-AFTER-STATE-CHANGE', () =>
      expectSameResponse(answer, one.answer),
    );
  await money(model, one, true);
  await model.list();
}

/** Whether a key that is sent again and again, with nothing in between, is answered the same. */
async function plainKeysWork(model: ActionModel): Promise<boolean> {
  const { agent } = model.world;
  const parts = { idempotencyKey: randomUUID(), label: 'the control: a key, and the same key again' };
  const body = { amount: THRESHOLD + 20_000 + model.next() };
  const first = await agent.transferOut(body, parts);
  for (let turn = 0; turn < 2; turn += 1)
    if (!isSame(await agent.transferOut(body, parts), first)) return false;
  return succeeded(first);
}

export async function otherBody(model: ActionModel, one: KnownAction): Promise<void> {
  // What the key is answered with the same body stands against what it is answered with another.
  await again(model, one);
  const { agent } = model.world;
  const label = `the key of ${model.name(one)} with another amount`;
  const mixed = model.on.told(
    await agent.transferOut({ amount: one.amount + 1_000 }, { ...keyOf(one), label }),
  );
  await model.on.hold('TRANSFER-IDEMPOTENCY-OTHER-BODY', () => {
    if (mixed.accepted) expect(folded(mixed.body.id)).toBe(folded(one.id));
  });
  await money(model);
  await model.list('TRANSFER-IDEMPOTENCY-OTHER-BODY');
}

export async function otherAgent(model: ActionModel, one: KnownAction): Promise<void> {
  const { agent, other } = model.world;
  if (sameId(agent.state.customerId, other.state.customerId)) return;
  const label = `another agent, the key of ${model.name(one)}`;
  const theirs = model.on.told(await other.transferOut({ amount: one.amount }, { ...keyOf(one), label }));
  await model.on.hold('TRANSFER-IDEMPOTENCY-PER-AGENT', () =>
    expect(theirs.accepted ? folded((theirs.body as Action).id) : undefined).not.toBe(folded(one.id)),
  );
}

function keyOf({ key }: KnownAction): { readonly idempotencyKey?: string } {
  return key === undefined ? {} : { idempotencyKey: key };
}

function isSame(again: Answer, first: Answer): boolean {
  if (!again.exchange.response || !first.exchange.response) return false;
  return again.status === first.status && isDeepStrictEqual(plain(again.body), plain(first.body));
}

const plain = (body: unknown): unknown => JSON.parse(JSON.stringify(body ?? null)) as unknown;
