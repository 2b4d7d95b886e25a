import { Table } from '../core/table.ts';
import type { ScaChallenge } from './quote.ts';

/** Logins that were started and not yet completed, by challenge id. */
export const scaLogins = new Table<ScaChallenge>();
