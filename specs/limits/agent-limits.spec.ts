import { randomUUID } from 'node:crypto';
import {
  eventually,
  expect,
  succeeded,
  test,
  verifies,
  type Answer,
  type Given,
  type Need,
} from '../../suite/index.ts';
import { objectsIn, optionalFields } from '../support/actions.ts';
import { addAgent, MAY_SEND } from '../support/agents.ts';

/** In the smallest unit of the currency. */
const BOUND = 40_000;
const SMALL = BOUND / 4;
/** A transfer-out exchanges nothing. */
const SAME_CURRENCY = { currency: 'USD', destinationCurrency: 'USD' } as const;

/**
 * A limit of payments, and what an agent of such a customer sends: a transfer-out takes money out as the execution of a quote
 * does. Which code it is refused with is not shown.
 */
interface Limit {
  readonly rule: string;
  readonly says: string;
  readonly params: NonNullable<Parameters<Given['customer']>[0]>;
  /** What goes through before: no two amounts are the same, since the same again may be taken for doubled. */
  readonly first: readonly number[];
  readonly over: number;
  /** The rule that what goes through before is taken, where that is what the limit is about. */
  readonly usable?: string;
}

const LIMITS: readonly Limit[] = [
  {
    rule: 'LIMIT-TRANSACTION-SIZE',
    says: 'above the maximum of a single transaction',
    params: { limits: { transactionSize: BOUND } },
    first: [SMALL],
    over: BOUND + 1,
  },
  {
    rule: 'LIMIT-DAILY-VOLUME',
    says: 'that takes the day over its volume',
    params: { limits: { dailyVolume: BOUND } },
    first: [SMALL, BOUND / 2],
    over: BOUND / 2 + 1,
  },
  {
    rule: 'LIMIT-VELOCITY',
    says: 'beyond the velocity limit of the counterparty',
    params: { limits: { velocity: 2 } },
    first: [SMALL, SMALL + 1],
    over: SMALL + 2,
  },
  {
    rule: 'ACCOUNT-VERIFICATION-REQUIRED',
    says: 'above the threshold to a destination that is not verified',
    params: { ownership: 'PENDING', limits: { ownershipThreshold: BOUND } },
    first: [SMALL],
    usable: 'ACCOUNT-PENDING-USABLE',
    over: 2 * BOUND,
  },
  {
    rule: 'ERROR-COUNTERPARTY-NOT-ALLOWED',
    says: 'to a counterparty that is not enabled for the account',
    params: { counterpartyEnabled: false },
    first: [],
    over: SMALL,
  },
];

for (const { rule, says, params, first, over, usable } of LIMITS)
  test(
    `an agent makes no transfer-out ${says}`,
    verifies(rule, ...(usable ? [usable] : [])),
    async ({ given, need, check, observe }) => {
      const free = await agentOf(given, need, {});
      for (const amount of [...first, over])
        need(await free.send(amount, `a transfer-out of ${amount} without this limit`)).available();
      const pastIt = async () => {
        const limited = await agentOf(given, need, params);
        for (const amount of first) {
          const within = await limited.send(amount, `a transfer-out of ${amount} within the limit`);
          if (usable) await check(usable, () => expect(within).toBeAccepted());
          need(within).available();
        }
        const sent = async (amount: number, label: string, ...full: [] | [true]) => {
          const answer = await limited.send(amount, label, ...full);
          const seen = await limited.end(answer);
          return { answer, failed: seen?.['status'] === 'FAILED' ? seen : undefined, isDone: isDone(seen) };
        };
        const plain = await sent(over, `a transfer-out ${says}`);
        return [plain, await sent(over + 3, `a transfer-out ${says}, with purpose, text and key`, true)];
      };
      let tries = await pastIt();
      // The day may have ended in between. It does not end twice in a row.
      if (tries.some(({ answer, failed }) => succeeded(answer) && !failed)) tries = await pastIt();
      for (const { answer, failed, isDone } of tries) {
        // What waits for approval has met no limit yet.
        need.that(
          !answer.accepted ||
            (answer.body as { status?: unknown } | undefined)?.status !== 'PENDING_APPROVAL',
          'the transfer-out waits for approval',
        );
        observe('limits-on-agent-transfers', { [says]: answer.outcome }, answer);
        // It may also be taken, and fail.
        if (!failed)
          await check(rule, () => expect(answer).toBeRefused(), {
            assumes: answer.accepted && !isDone ? ['effectSeconds'] : [],
          });
        else await check(rule, () => expect(failed.status).toBe('FAILED'), [answer]);
      }
    },
  );

/** An agent of a customer that is prepared for quotes. */
async function agentOf(given: Given, need: Need, params: Limit['params']) {
  const { state } = await given.customer({ ...SAME_CURRENCY, ...params });
  const beside = await given.agent();
  const { authorization } = await addAgent(beside, MAY_SEND, state.customerId);
  const [source, destination] = [state.sourceAccountId, state.destinationAccountId].map((accountId) => ({
    accountId: need.offered(accountId, 'the state does not name both accounts'),
  }));
  const { purposeOfPayment, remittanceInformation } = optionalFields(beside);
  const actionIn = (answer: Answer, id: unknown) => objectsIn(answer).find((one) => one['id'] === id);
  return {
    // A 429 is the answer of one of them.
    send: (amount: number, label: string, isFull = false) =>
      beside.transferOut(
        { source, destination, amount, ...(isFull && { purposeOfPayment, remittanceInformation }) },
        {
          ...{ authorization, label, impatient: true },
          ...(isFull && { idempotencyKey: randomUUID() }),
        },
      ),
    /** The action of an accepted transfer-out once it has failed or is done, or the last that is seen of it. */
    end: async (answer: Answer) => {
      const id: unknown = answer.accepted ? (answer.body as { id?: unknown } | undefined)?.id : undefined;
      if (typeof id !== 'string') return undefined;
      const label = 'reading the action of the new agent';
      const last = await eventually(
        () => beside.call('getMyAction', { label, path: { actionId: id }, authorization }),
        (seen) => !seen.accepted || isDone(actionIn(seen, id)) || actionIn(seen, id)?.['status'] === 'FAILED',
        beside.patienceMs,
      );
      return actionIn(last, id);
    },
  };
}

/** What is completed does not fail any more. */
function isDone(action: Readonly<Record<string, unknown>> | undefined): boolean {
  const transaction = action?.['transaction'] as { readonly status?: unknown } | null | undefined;
  return transaction?.status === 'COMPLETED';
}
