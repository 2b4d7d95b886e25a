/** What a user allows to be done with prepared records. */
export interface RowLeave {
  /** Its money may be moved. */
  readonly spendable?: boolean;
  /** Its records may be changed, added to and removed. */
  readonly changeable?: boolean;
}

const SPENDING = new Set([
  'transferOut',
  'transferIn',
  'executeQuote',
  'executeAgentQuote',
  'mintStablecoin',
  'burnStablecoin',
]);
const CHANGING = new Set([
  'createAgent',
  'updateAgent',
  'updateAgentPolicy',
  'deleteAgent',
  'createCredential',
  'revokeCredential',
  'refreshSession',
  'revokeSession',
  'updateInternalAccount',
  'updateCustomer',
  'updateConfig',
  'verifyExternalAccount',
]);

/** Why an operation must not be called for a row of this state, or undefined where the row allows it. */
export function whyNotUse(operation: string, state: string, row: RowLeave): string | undefined {
  const needed: keyof RowLeave | undefined = SPENDING.has(operation)
    ? 'spendable'
    : CHANGING.has(operation)
      ? 'changeable'
      : undefined;
  if (needed === undefined || row[needed] === true) return undefined;
  const what = needed === 'spendable' ? 'moves its money' : 'changes its records';
  return `the check calls ${operation}, which ${what}, and the fixtures file's row of "${state}" does not say ${needed}: true`;
}
