/** Params of the states `agent`, `execution-failure` and `purpose-required`; amounts in the smallest currency unit. */
export interface AgentParams {
  /** Permissions of the policy. Default: all. */
  readonly permissions?: readonly string[];
  /** Default AUTO. */
  readonly execution?: 'AUTO' | 'APPROVAL_REQUIRED';
  /** Amounts strictly above need the platform's approval. */
  readonly approvalThreshold?: number;
  /** Largest amount of one transfer. */
  readonly perTransactionLimit?: number;
  /** Largest sum of a day. */
  readonly dailyLimit?: number;
  /** Balance of the source account. Default: ample. */
  readonly balance?: number;
  readonly currency?: string;
  /** Rails that the destination account must support. */
  readonly rails?: readonly string[];
}

/** Values of the states `agent`, `execution-failure` and `purpose-required`. */
export interface AgentState {
  readonly agentId: string;
  readonly accessToken: string;
  readonly customerId: string;
  /** An internal account of the agent's customer. */
  readonly sourceAccountId: string;
  /** An external account of the agent's customer. */
  readonly destinationAccountId: string;
  readonly currency: string;
  readonly platformCustomerId?: string;
  /** Rails of the destination account, where known. */
  readonly supportedRails?: readonly string[];
  readonly balance?: number;
  /** State `execution-failure` only: an amount whose execution fails. */
  readonly amount?: number;
}

/** Values of the state `foreign-accounts`: a customer that no agent of the test acts for. */
export interface ForeignAccountsState {
  readonly customerId: string;
  readonly internalAccountId: string;
  readonly externalAccountId: string;
}
