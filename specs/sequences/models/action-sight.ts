import { expect, type Agent, type Answer, type Walk } from '../../../suite/index.ts';
import { folded } from '../../../suite/same-id.ts';
import { betweenClocks, elapsed, instantOf, type Action, type Sighting } from '../../support/actions.ts';
import type { ActionState } from './action-decisions.ts';

/** Rules of what an action shows of the request that made it, and of its times. */
export const SIGHT_RULES = [
  'TRANSFER-DETAILS-AMOUNT-ECHO',
  'TRANSFER-DETAILS-CURRENCY-ECHO',
  'TRANSFER-DETAILS-SOURCE-ECHO',
  'TRANSFER-DETAILS-DESTINATION-ECHO',
  'ACTION-TYPE-TRANSFER-OUT',
  'ACTION-AGENT-ID-CALLER',
  'ACTION-CUSTOMER-ID-CALLER',
  'ACTION-PLATFORM-CUSTOMER-ID-CALLER',
  'ACTION-CREATED-AT-SUBMISSION',
  'ACTION-UPDATED-AT-NOT-BEFORE-CREATED',
  'ACTION-UPDATED-AT-FOLLOWS',
];

/** Less than any time zone is away from its neighbour, more than clocks that are kept differ. In milliseconds. */
const TOLERANCE_MS = 10 * 60_000;

/**
 * Holds the answer to a transfer-out against what was sent, and who sent it: what the request sets is read back.
 *
 * @param amount that was sent, in the smallest unit
 * @param offset of the target's clock from ours, in milliseconds
 */
export async function holdSubmitted(
  on: Walk,
  answer: Answer,
  { state }: Agent,
  amount: number,
  offset: number,
): Promise<void> {
  const action = () => answer.body as Action;
  const details = (name: string) => folded(action().transferDetails?.[name]);
  await on.hold('TRANSFER-DETAILS-AMOUNT-ECHO', () =>
    expect(answer.digits('transferDetails', 'amount')).toBe(String(amount)),
  );
  const echoes: readonly (readonly [rule: string, shown: () => unknown, meant: unknown])[] = [
    ['TRANSFER-DETAILS-CURRENCY-ECHO', () => details('currency'), state.currency],
    ['TRANSFER-DETAILS-SOURCE-ECHO', () => details('sourceAccountId'), state.sourceAccountId],
    ['TRANSFER-DETAILS-DESTINATION-ECHO', () => details('destinationAccountId'), state.destinationAccountId],
    ['ACTION-TYPE-TRANSFER-OUT', () => action().type, 'TRANSFER_OUT'],
    ['ACTION-AGENT-ID-CALLER', () => folded(action().agentId), state.agentId],
    ['ACTION-CUSTOMER-ID-CALLER', () => folded(action().customerId), state.customerId],
    ['ACTION-PLATFORM-CUSTOMER-ID-CALLER', () => action().platformCustomerId, state.platformCustomerId],
  ];
  for (const [rule, shown, meant] of echoes)
    // What was prepared may not tell it.
    if (meant !== undefined) await on.hold(rule, () => expect(shown()).toBe(folded(meant)), [answer]);
  const sent = Date.parse(answer.header('date') ?? '');
  const created = instantOf(action().createdAt);
  if (created && !Number.isNaN(sent))
    await on.hold(
      'ACTION-CREATED-AT-SUBMISSION',
      () =>
        expect(
          betweenClocks(created.at, sent, offset),
          'milliseconds between createdAt and the Date of the answer',
        ).toBeLessThan(TOLERANCE_MS),
      [answer],
    );
}

/** The times of an action are in order, and never go back from one sight of it to the next. */
export async function holdTimes(
  on: Walk,
  answer: Answer,
  seen: Action,
  before: Action | undefined,
): Promise<void> {
  // Read within the assertions, so that a time whose shape is broken accuses nobody again.
  const created = () => instantOf(seen.createdAt);
  const updated = () => instantOf(seen.updatedAt);
  if (created() && updated())
    await on.hold(
      'ACTION-UPDATED-AT-NOT-BEFORE-CREATED',
      () =>
        expect(
          elapsed(created()!, updated()!),
          'milliseconds from createdAt to updatedAt',
        ).toBeGreaterThanOrEqual(0),
      [answer],
    );
  const earlier = instantOf(before?.updatedAt);
  if (earlier && updated())
    await on.hold(
      'ACTION-UPDATED-AT-FOLLOWS',
      () =>
        expect(
          elapsed(earlier, updated()!),
          'milliseconds since the updatedAt before',
        ).toBeGreaterThanOrEqual(0),
      [answer],
    );
}

/** What becomes of an approved action is its execution's. */
export function expectState({ action }: Sighting, state: ActionState): void {
  expect(action.status === 'FAILED' && state === 'APPROVED' ? state : action.status, 'status').toBe(state);
}
