import { param, type State, Unpreparable } from '../../server/area.ts';
import { type JsonObject, textOf } from '../../server/json.ts';
import { steerExternalAccount } from '../../steering/steering.ts';
import type { World } from '../../world/world.ts';
import { newCustomer } from '../customers/states.ts';
import {
  addAgent,
  agents,
  deleteAgent,
  PERMISSIONS,
  type Policy,
  readPolicy,
  redeemDeviceCode,
} from './records.ts';
import { openAccounts, registerExternalAccount } from '../accounts/records.ts';

const MAX_INT64 = 2n ** 63n - 1n;

/** @param payoutFails why the destination sends back whatever is paid out to it; absent: it keeps it */
export function prepareAgent(world: World, params: JsonObject, payoutFails?: string): JsonObject {
  const currency = param(params, 'currency', 'USD');
  const balance = BigInt(param<number | bigint>(params, 'balance', 1_000_000));
  if (balance > MAX_INT64) throw new Unpreparable('balance must fit into 64 bits.');
  const customer = newCustomer(world, {});
  const [source] = openAccounts(world, customer, [currency]);
  if (balance > 0n) world.behaviour.fundAccount(source!, balance);
  const rails = params['rails'] as readonly string[] | undefined;
  const target = registerExternalAccount(
    world,
    customer,
    currency,
    rails && { accountType: `${currency}_ACCOUNT`, paymentRails: rails },
  );
  if (payoutFails !== undefined) steerExternalAccount(world, target, { payoutFails });
  const agent = addAgent(world, customer, 'Prepared agent', policyFrom(params, currency));
  const { accessToken } = redeemDeviceCode(world, agent.deviceCode);
  return {
    agentId: agent.id,
    accessToken,
    customerId: customer.id,
    platformCustomerId: customer.platformCustomerId,
    sourceAccountId: source!.id,
    destinationAccountId: target.id,
    currency,
    supportedRails: [...target.rails],
    balance,
  };
}

/** Takes back what prepareAgent has made. An agent that the test has deleted itself is none of its mistakes. */
export function removeAgent(world: World, values: JsonObject): void {
  const agent = agents.get(world, textOf(values['agentId']));
  if (agent) deleteAgent(world, agent);
}

function policyFrom(params: JsonObject, currency: string): Policy {
  const { approvalThreshold: amount, perTransactionLimit, dailyLimit } = params;
  const isLimited = perTransactionLimit !== undefined || dailyLimit !== undefined;
  return readPolicy({
    permissions: param<readonly string[]>(params, 'permissions', PERMISSIONS),
    defaultExecutionMode: params['execution'],
    spendingLimits: isLimited ? { currency, perTransactionLimit, dailyLimit } : undefined,
    approvalThresholds: amount === undefined ? undefined : { currency, amount },
  });
}

/** States that prepare this area. */
export const agentStates: readonly State[] = [
  // An agent with a token, a customer of its own, a funded source and a destination.
  {
    name: 'agent',
    setup: (world, params) => prepareAgent(world, params),
    teardown: removeAgent,
  },
  // A transfer-out of the returned amount is submitted as usual, and its execution fails: the destination sends it back.
  {
    name: 'execution-failure',
    setup(world, params) {
      const values = prepareAgent(world, params, 'ACCOUNT_CANNOT_RECEIVE');
      const threshold = BigInt((params['approvalThreshold'] as number | bigint | undefined) ?? 999);
      const amount = threshold + 1n;
      if (amount > BigInt(values['balance'] as bigint))
        throw new Unpreparable('balance is below the amount that would need approval.');
      return { ...values, amount };
    },
    teardown: removeAgent,
  },
  // An agent whose destination lies in India, where a purpose of payment is asked for.
  {
    name: 'purpose-required',
    setup(world, params) {
      const rails = param<readonly string[]>(params, 'rails', ['UPI', 'NEFT']);
      return prepareAgent(world, { currency: 'INR', ...params, rails });
    },
    teardown: removeAgent,
  },
];
