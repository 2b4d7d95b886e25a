import type { WalletAccountState } from './wallet-account-state.ts';

/** Values of the state `wallet-payment`: a Global Account with money, beside an ordinary account of the same customer. */
export interface WalletPaymentState extends WalletAccountState {
  readonly agentId: string;
  /** Of an agent whose policy permits transfers without approval. */
  readonly accessToken: string;
  /** The ordinary internal account, with money too. */
  readonly sourceAccountId: string;
  /** An external account that a transfer-out from either account can go to. */
  readonly destinationAccountId: string;
  /** A legal POST /quotes body from the Global Account. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The same from the ordinary account. */
  readonly ordinaryBody: Readonly<Record<string, unknown>>;
}
