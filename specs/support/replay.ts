import { expect, type Agent, type Answer } from '../../suite/index.ts';
import { sameId } from '../../suite/same-id.ts';

/** Sends the same transfer-out again, with the same key. */
export function replay(
  agent: Agent,
  amount: number,
  idempotencyKey: string,
  label = 'the same transfer-out with the same key again',
): Promise<Answer> {
  return agent.transferOut({ amount }, { idempotencyKey, label });
}

/**
 * The control of what goes beyond a plain replay: here a key sent again shows the action of the first request. Where it
 * does not, that is another rule's breach, and the rest of the test proves nothing.
 */
export async function replayWorks(
  agent: Agent,
  first: Answer,
  amount: number,
  idempotencyKey: string,
): Promise<void> {
  const again = await replay(
    agent,
    amount,
    idempotencyKey,
    'the control: the same transfer-out with the same key again',
  );
  agent.need(again).accepted();
  agent.need.that(
    sameId(again.body?.id, first.body?.id),
    'a key sent again does not show the action of the first request',
  );
}

/** The same response: same status, and a body of the same JSON value. Headers and the order of keys are free. */
export function expectSameResponse(again: Answer, first: Answer): void {
  expect(again.status).toBe(first.status);
  expect(plain(again.body)).toEqual(plain(first.body));
}

function plain(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body ?? null));
}

/** Sends one after the other: a burst would meet rate limits that have nothing to do with the rule. */
export async function inTurn<T, R>(
  inputs: readonly T[],
  send: (input: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (const input of inputs) results.push(await send(input));
  return results;
}
