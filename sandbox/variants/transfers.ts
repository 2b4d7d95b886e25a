import { coded, isAmong, nothing, no } from '../areas/replacements.ts';
import { balanceOf, internalAccounts } from '../areas/accounts/records.ts';
import type { Agent } from '../areas/agents/records.ts';
import { loosened, type Replacements } from '../areas/behaviour.ts';
import { agentOf } from '../areas/conventions/operations.ts';
import { actions, answered } from '../areas/transfers/records.ts';
import { isObject, type Json, printJson } from '../server/json.ts';
import { refuse, Refusal, refusedAs } from '../server/refusal.ts';
import type { Choices } from './index.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** In the smallest unit of the currency. */
const LARGEST = 180_000;
const LEAST_BY_WIRE = 5_000;

/** How many transfer-outs of an agent were taken; each has a destination of its own. */
const sentTo = new WeakMap<Agent, number>();

/** Bodies of an agent's transfer-outs that were taken without a key. */
const sentLately = new WeakMap<Agent, readonly unknown[]>();

/** Amounts of an agent's transfer-outs that were refused. */
const attempts = new WeakMap<Agent, readonly Json[]>();

/** What a transfer-out accepts, and which refusal of several it gives. */
export const transferChoices: Choices = {
  'failure-says-more': {
    open: 'Beyond type the fields of a transaction are not shown.',
    'in-words-of-its-own': {
      presentTransaction: (original) => (world, transaction) => ({
        ...original(world, transaction),
        ...(transaction.failureReason === undefined
          ? {}
          : { failureCategory: 'AUTHENTICATION', failureDetail: { cause: 'TIMEOUT' } }),
      }),
    },
  },
  'foreign-account': {
    open: 'An account of another customer is not found (404), forbidden (403) or an invalid parameter (400).',
    'answers-403': { refuseForeignAccount: coded('FORBIDDEN', 403) },
    'answers-400': { refuseForeignAccount: coded('INVALID_BANK_ACCOUNT', 400) },
    'customer-not-found': { refuseForeignAccount: coded('USER_NOT_FOUND', 404) },
  },
  'unknown-account-code': {
    open: 'No 404 code speaks of an account.',
    user: unknownAccount('USER_NOT_FOUND'),
    lookup: unknownAccount('LOOKUP_REQUEST_NOT_FOUND'),
  },
  'malformed-account-id': {
    open: 'An id of the wrong form is an invalid parameter (400) or names no account (404).',
    'answers-404': {
      requestSchema: loosened('TransferOutRequest', ({ properties }) => {
        for (const side of ['source', 'destination'])
          delete properties[side]!.properties['accountId']!['pattern'];
      }),
    },
  },
  'largest-transfer': {
    open: 'The configured maximum of a transaction is not shown, nor whether it is looked at before the policy.',
    'before-the-policy': {
      submitTransferOut: (original) => (world, agent, body) => {
        if (Number(body['amount'] ?? 0) > LARGEST)
          throw new Refusal(400, 'TRANSACTION_SIZE_LIMIT_EXCEEDED', 'The amount is over the maximum.');
        return original(world, agent, body);
      },
    },
  },
  'velocity-of-a-destination': {
    open: 'How many payments a counterparty gets in how much time is not shown.',
    'six-payments': {
      submitTransferOut: (original) => (world, agent, body) => {
        const count = sentTo.get(agent) ?? 0;
        if (count >= 6) throw new Refusal(403, 'VELOCITY_LIMIT_EXCEEDED', 'The counterparty gets no more.');
        const action = original(world, agent, body);
        sentTo.set(agent, count + 1);
        return action;
      },
    },
  },
  'same-transfer-at-once': {
    open: 'What a transfer-out without a key gets that says the same as one before is not stated.',
    'taken-for-doubled': {
      runTransfer: (original) => async (world, request) => {
        const { agent, operation, key, body } = request;
        const text = operation.endsWith('transfer-out') && key === undefined && printJson(body ?? null);
        const lately = sentLately.get(agent) ?? [];
        if (lately.includes(text)) throw new Refusal(400, 'INVALID_INPUT', 'This was sent a moment ago.');
        const reply = await original(world, request);
        if (text !== false && reply.status < 300) sentLately.set(agent, [...lately, text]);
        return reply;
      },
    },
  },
  'amounts-of-rails': {
    open: 'The least and the greatest amount that a rail takes are not shown.',
    'least-by-wire': {
      submitTransferOut: (original) => (world, agent, body) => {
        const { paymentRail } = body['destination'] as { paymentRail?: string };
        if (paymentRail === 'WIRE' && Number(body['amount'] ?? 0) < LEAST_BY_WIRE)
          throw new Refusal(400, 'AMOUNT_OUT_OF_RANGE', 'So little is not sent by wire.');
        return original(world, agent, body);
      },
    },
  },
  'unknown-request-fields': {
    open: 'Whether a request may have fields that the table does not name is not stated.',
    refused: {
      requestSchema: loosened('TransferOutRequest', (schema) => (schema['additionalProperties'] = false)),
    },
  },
  'policy-refusal-code': {
    open: 'Which code within 403 the policy gives is not shown.',
    velocity: { refuseOverLimit: coded('VELOCITY_LIMIT_EXCEEDED', 403) },
    counterparty: { refuseByPolicy: coded('COUNTERPARTY_NOT_ALLOWED', 403) },
  },
  'spending-day': {
    open: 'Limit values and their periods are not shown.',
    'last-24-hours': {
      startOfPeriod: () => (_world, period, now) => now - (period === 'day' ? 1 : 30) * 86_400_000,
    },
  },
  'spending-counts': {
    open: 'Whether an action that waits for approval counts as spent is not stated.',
    'once-approved': {
      transfersSince: (original) => (world, agent, since) => {
        const waiting = actions
          .all(world)
          .filter((action) => action.agentId === agent.id && action.status === 'PENDING_APPROVAL')
          .map(({ transfer }) => transfer);
        return original(world, agent, since).filter((transfer) => !waiting.includes(transfer as never));
      },
    },
  },
  'insufficient-funds': {
    open: 'Insufficient funds are an invalid parameter, or an example of a failed execution.',
    'fails-the-action': { fundsAtSubmission: nothing },
    'invalid-amount': { refuseInsufficientFunds: coded('INVALID_AMOUNT', 400) },
  },
  'amount-absent': {
    open: 'amount is not required, and its absence is not explained.',
    'whole-balance': {
      amountWhenAbsent: (original) => (world, source) =>
        balanceOf(world, source) > 0n ? balanceOf(world, source) : original(world, source),
    },
  },
  'amount-zero': {
    open: 'No lower bound of amount is stated.',
    accepted: {
      refuseAmount: (original) => (world, amount) => (amount === 0n ? amount : original(world, amount)),
    },
  },
  'remittance-characters': {
    open: 'What counts as one character of remittanceInformation beyond ASCII is not stated.',
    'utf-16-units': { countCharacters: () => (_world, text) => text.length },
    graphemes: { countCharacters: () => (_world, text) => [...graphemes.segment(text)].length },
  },
  'remittance-empty': {
    open: 'No minimum length of remittanceInformation is stated.',
    refused: {
      requestSchema: loosened(
        'TransferOutRequest',
        ({ properties }) => (properties['remittanceInformation']!['minLength'] = 1),
      ),
    },
  },
  'default-rail': {
    open: 'If the rail is omitted, the system selects one; which is not stated.',
    last: { defaultRail: () => (_world, destination) => destination.rails.at(-1)! },
  },
  'unsupported-rail-code': {
    open: 'Which status and code a rail gets that the destination does not support is not shown.',
    'bank-account': unsupportedRail(400, 'INVALID_BANK_ACCOUNT'),
    'answers-403': unsupportedRail(403, 'COUNTERPARTY_NOT_ALLOWED'),
  },
  'refused-transfers': {
    open: 'Transactions are not shown, nor whether their list tells of what was refused.',
    'listed-as-failed': {
      submitTransferOut: (original) => (world, agent, body) =>
        refusedAs(
          () => original(world, agent, body),
          (refusal) => {
            attempts.set(agent, [...(attempts.get(agent) ?? []), body['amount'] as Json]);
            return refusal;
          },
        ),
      handleCall: (original) => async (world, call, route) => {
        const reply = await original(world, call, route);
        if (!isAmong(route, 'GET /agents/me/transactions') || !isObject(reply.body)) return reply;
        const failed = (attempts.get(agentOf(call)) ?? []).map((amount) => ({
          type: 'OUTGOING',
          status: 'FAILED',
          sentAmount: { amount },
        }));
        return { ...reply, body: { ...reply.body, data: [...(reply.body['data'] as Json[]), ...failed] } };
      },
    },
  },
  'purpose-where-wanted': {
    open: 'A purpose may be required for certain geographies; it need not be.',
    'never-required': { purposeNeeded: no },
    'mandatory-info': {
      purposeGiven: (original) => (world, destination, purpose) =>
        refusedAs(
          () => original(world, destination, purpose),
          () => new Refusal(400, 'MISSING_MANDATORY_USER_INFO', 'A purpose is missing.'),
        ),
    },
  },
  'purpose-self': {
    open: 'Whether the purpose SELF is the SELF_PAYMENT that is not allowed is not stated.',
    refused: {
      purposeGiven: (original) => (world, destination, purpose) =>
        purpose === 'SELF'
          ? refuse(new Refusal(400, 'SELF_PAYMENT', 'Not to yourself.'))
          : original(world, destination, purpose),
    },
  },
  'transfer-fee': {
    open: 'Fees of same-currency transfers are not shown.',
    flat: { moveMoney: withFee(() => 7_000n) },
    'waived-above': { moveMoney: withFee((amount) => (amount < 75_000n ? 6_000n : 0n)) },
  },
  'keys-of-one-customer': {
    open: 'Whether agents of one customer share their keys is not stated.',
    shared: {
      idempotencyScope: (original) => (world, request) =>
        original(world, { ...request, agent: { ...request.agent, id: request.agent.customerId } }),
    },
  },
  'key-with-other-body': {
    open: 'What a used Idempotency-Key with another body gets is not stated.',
    'answers-409': {
      replayForOtherBody: () => async (world) =>
        world.behaviour.presentRefusal(world.behaviour.refuseConflict('Key used.')),
    },
    'answers-400': {
      replayForOtherBody: () => async (world) =>
        world.behaviour.presentRefusal(new Refusal(400, 'INVALID_INPUT', 'Key used.')),
    },
  },
  'replay-of-refusal': {
    open: 'Whether a refused first request fixes the response of its key is not stated.',
    'tried-again': {
      answerOnce: (original) => async (world, request) => {
        const reply = await original(world, request);
        const scope = request.key === undefined ? undefined : world.behaviour.idempotencyScope(request);
        if (scope !== undefined && reply.status >= 400 && (await answered.get(world, scope)?.reply) === reply)
          answered.delete(world, scope);
        return reply;
      },
    },
  },
  'key-in-flight': {
    open: 'What a repetition gets while the first request is at work is not stated.',
    'answers-409': {
      answerOnce: (original) => {
        const working = new Set<string>();
        return async (world, request) => {
          if (request.key === undefined) return original(world, request);
          const scope = world.behaviour.idempotencyScope(request);
          if (working.has(scope))
            return world.behaviour.presentRefusal(world.behaviour.refuseConflict('At work.'));
          working.add(scope);
          // A turn of the event loop, so that there is a while in which a repetition can come.
          await new Promise(setImmediate);
          return original(world, request).finally(() => working.delete(scope));
        };
      },
    },
  },
  'transaction-fields': {
    open: 'Fields of transactions other than type are not shown.',
    'type-alone': { presentTransaction: () => (_world, transaction) => ({ type: transaction.type }) },
    'amount-flat': {
      presentTransaction: (original) => (world, transaction) => {
        const { sentAmount, ...rest } = original(world, transaction);
        return { ...rest, amount: isObject(sentAmount) ? sentAmount['amount'] : undefined };
      },
    },
  },
};

/** A fee on top of the amount, where the account has it. */
function withFee(feeOf: (amount: bigint) => bigint): NonNullable<Replacements['moveMoney']> {
  return (original) => (world, action) => {
    original(world, action);
    const { amount, currency, sourceAccountId: from } = action.transfer!;
    const fee = feeOf(amount);
    const source = from.startsWith('InternalAccount:') && internalAccounts.get(world, from);
    if (fee > 0n && source && balanceOf(world, source) >= fee)
      world.ledger.post({ from, to: 'fees', amount: fee, currency, reason: action.id });
  };
}

function unsupportedRail(status: number, code: string): Replacements {
  return {
    refuseRail: () => (_world, _destination, wanted) => refuse(new Refusal(status, code, `No ${wanted}.`)),
  };
}

function unknownAccount(code: string): Replacements {
  const refusal = (id: string) => new Refusal(404, code, `There is no account ${id}.`);
  return {
    refuseUnknownSource: () => (_world, id) => refusal(id),
    refuseUnknownDestination: () => (_world, _agent, id) => refuse(refusal(id)),
  };
}
