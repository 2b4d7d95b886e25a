import type { Reply } from '../core/reply.ts';
import { Table } from '../core/table.ts';

/** What was answered, or is being answered, to a request with an Idempotency-Key. */
export interface Answered {
  /** The first request's body, as text. */
  readonly body: string;
  readonly reply: Promise<Reply>;
}

/** By scope: see the rule idempotencyScope. */
export const answered = new Table<Answered>();
