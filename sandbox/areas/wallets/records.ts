import { Table } from '../../world/table.ts';

/** Whether a wallet is private, by account. */
export const privateWallets = new Table<boolean>();
/** What a wallet export hands out, by account. */
export const walletSecrets = new Table<Buffer>();
