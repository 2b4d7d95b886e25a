/**
 * Reads that the interface names nowhere and deployments have: their usual paths, by a name that `dialect.paths` of a
 * profile can give another path. Where a target has none, what can be read there alone is not verified.
 */
export const GUESSED_READS: Readonly<Record<string, string>> = {
  getTransaction: '/transactions/{transactionId}',
  getExternalAccount: '/customers/external-accounts/{id}',
  getCustomer: '/customers/{customerId}',
};
