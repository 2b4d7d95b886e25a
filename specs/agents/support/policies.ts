/** Permissions that let an agent look, and not send: everything but CREATE_TRANSFERS and its kin. */
export const READ_ONLY: readonly string[] = ['VIEW_TRANSACTIONS'];

/** A policy that lets an agent send without approval, in the form that real deployments take. */
export const MAY_SEND = {
  permissions: [...READ_ONLY, 'CREATE_TRANSFERS'],
  defaultExecutionMode: 'AUTO',
} as const;

/** Known services want limits in every policy. @param currency of the agent's account */
export function withGenerousLimits<P extends object>(policy: P, currency: string | undefined): object {
  if (currency === undefined) return policy;
  const most = 100_000_000;
  return {
    ...policy,
    spendingLimits: { currency, perTransactionLimit: most, dailyLimit: most, monthlyLimit: most },
  };
}

/** The same policy without the permission to send. */
export const MAY_NOT_SEND = { ...MAY_SEND, permissions: READ_ONLY } as const;

/** How an agent is refused what is the platform's alone; the operation may also be hidden from it. */
export const NOT_FOR_AGENTS: readonly number[] = [401, 403, 404];
