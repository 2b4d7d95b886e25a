import { Table } from '../../world/table.ts';
import type { ScaChallenge } from '../quotes/records.ts';

/** Logins that were started and not yet completed, by challenge id. */
export const scaLogins = new Table<ScaChallenge>();

/** The code of every text message of strong customer authentication, as in other sandboxes. */
export const SMS_CODE = '123456';

/** The code of every contact verification. */
export const CONTACT_CODE = '123456';
