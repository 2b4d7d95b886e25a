import type { Json, JsonObject } from '../../core/json.ts';
import type { World } from '../../core/world.ts';
import { PERMISSIONS, type Policy } from '../../domain/agent.ts';

const currency = { type: 'string', pattern: '^[A-Z0-9]{3,12}$' };
const amount = { type: 'integer', minimum: 0, maximum: Number(2n ** 63n - 1n) };

/** The interface shows no policy; this is what real deployments take. */
export const policySchema = {
  type: 'object',
  required: ['permissions'],
  properties: {
    permissions: { type: 'array', items: { enum: PERMISSIONS } },
    defaultExecutionMode: { enum: ['AUTO', 'APPROVAL_REQUIRED'] },
    spendingLimits: {
      type: 'object',
      required: ['currency'],
      properties: {
        currency,
        perTransactionLimit: amount,
        dailyLimit: amount,
        dailyTransactionLimit: amount,
        monthlyLimit: amount,
      },
    },
    approvalThresholds: {
      type: 'object',
      required: ['currency', 'amount'],
      properties: { currency, amount },
    },
    accountRestrictions: {
      type: 'object',
      properties: { allowedAccountIds: { type: 'array', items: { type: 'string' } } },
    },
  },
} as const;

/** A policy from a body that fits the schema; what it leaves out stays as it was. */
export function readPolicy(world: World, body: JsonObject, before?: Policy): Policy {
  const limits = body['spendingLimits'] as JsonObject | undefined;
  const threshold = body['approvalThresholds'] as JsonObject | undefined;
  const allowed = (body['accountRestrictions'] as JsonObject | undefined)?.['allowedAccountIds'] as
    string[] | undefined;
  const money = (value: Json | undefined, name: string) =>
    value === undefined ? {} : { [name]: world.rules.readAmount(world, value) };
  return {
    defaultExecutionMode: 'AUTO',
    ...before,
    permissions: body['permissions'] as string[],
    ...(body['defaultExecutionMode'] === undefined
      ? {}
      : { defaultExecutionMode: body['defaultExecutionMode'] as Policy['defaultExecutionMode'] }),
    ...(limits === undefined
      ? {}
      : {
          spendingLimits: {
            currency: limits['currency'] as string,
            ...money(limits['perTransactionLimit'], 'perTransactionLimit'),
            ...money(limits['dailyLimit'], 'dailyLimit'),
            ...money(limits['monthlyLimit'], 'monthlyLimit'),
            ...(limits['dailyTransactionLimit'] === undefined
              ? {}
              : { dailyTransactionLimit: Number(limits['dailyTransactionLimit']) }),
          },
        }),
    ...(threshold === undefined
      ? {}
      : {
          approvalThresholds: {
            currency: threshold['currency'] as string,
            amount: world.rules.readAmount(world, threshold['amount']),
          },
        }),
    ...(allowed === undefined ? {} : { accountRestrictions: { allowedAccountIds: allowed } }),
  };
}
