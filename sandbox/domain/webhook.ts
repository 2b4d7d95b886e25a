import { Table } from '../core/table.ts';

/** Where events about one customer go, whatever the platform's own endpoint is; null: nowhere. By customer id. */
export const customerWebhooks = new Table<{ readonly url: string | null }>();
