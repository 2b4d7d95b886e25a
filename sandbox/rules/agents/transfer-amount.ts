import type { Json } from '../../core/json.ts';
import { Refusal, type Decision } from '../../core/refusal.ts';
import type { World } from '../../core/world.ts';
import { balanceOf, type InternalAccount } from '../../domain/internal-account.ts';

/** The amount of a transfer, in the smallest unit of the source's currency. */
export function transferAmount(
  world: World,
  source: InternalAccount,
  value: Json | undefined,
): bigint | Refusal {
  if (value === undefined) return world.rules.amountWhenAbsent(world, source);
  const amount = world.rules.readAmount(world, value);
  return amount > 0n ? amount : world.rules.refuseAmount(world, amount);
}

/** The interface does not require an amount and does not say what its absence means. */
export function amountWhenAbsent(_world: World, _source: InternalAccount): bigint | Refusal {
  return new Refusal(400, 'INVALID_AMOUNT', 'A transfer needs an amount.', {
    details: { errors: [{ field: 'amount', message: 'amount is required', constraint: {} }] },
  });
}

/** Nothing, or less than nothing. */
export function refuseAmount(_world: World, _amount: bigint): bigint | Refusal {
  return new Refusal(400, 'INVALID_AMOUNT', 'The amount must be greater than zero.', {
    details: {
      errors: [{ field: 'amount', message: 'amount must be greater than zero', constraint: { minimum: 1 } }],
    },
  });
}

export function fundsSuffice(world: World, source: InternalAccount, amount: bigint): boolean {
  return balanceOf(world, source) >= amount;
}

/**
 * Looks at the balance before an automatic execution is accepted. Whether insufficient funds refuse the request, or let
 * the action fail, is not shown.
 */
export function fundsAtSubmission(world: World, source: InternalAccount, amount: bigint): Decision {
  if (world.rules.fundsSuffice(world, source, amount)) return undefined;
  return world.rules.refuseInsufficientFunds(world);
}

export function refuseInsufficientFunds(_world: World): Refusal {
  return new Refusal(400, 'AMOUNT_OUT_OF_RANGE', 'The source account does not hold this amount.');
}
