import { listOf } from '../schemas/values.ts';

/** Blamed when a transaction failed for a reason that this version no longer has. */
export const REMOVED_REASONS_RULE = 'TRANSACTION-REMOVED-REASONS';

/** The field that carries the reason is not shown: whatever tells why something failed. */
const TELLS_WHY = /fail|^reason|Reason$|_reason$/i;
/** Words of people, and states that are no failure. */
const OF_SOMETHING_ELSE = /^(rejectionReason|pendingReason|rejection_reason|pending_reason)$/;
/** TIMEOUT and MANUAL_REFUND live on there. */
const REFUND = /refund/i;
const DEEPEST = 12;

export interface RemovedReasons {
  /** Whether a failure reason was seen at all. */
  readonly seen: boolean;
  readonly breaches: readonly { readonly pointer: string; readonly message: string }[];
}

/** Looks for removed failure reasons in whatever the target has sent (section Errors, "Transaction failure reasons"). */
export function removedReasonsIn(body: unknown): RemovedReasons {
  const found: { pointer: string; value: string }[] = [];
  collect(body, '', false, 0, found);
  const removed = new Set(listOf('TransactionFailureReason', 'x-removed-values'));
  return {
    seen: found.length > 0,
    breaches: found
      .filter(({ value }) => removed.has(value))
      .map(({ pointer, value }) => ({
        pointer,
        message: `${pointer} is ${value}, a failure reason that no longer exists`,
      })),
  };
}

function collect(
  node: unknown,
  pointer: string,
  why: boolean,
  depth: number,
  found: { pointer: string; value: string }[],
): void {
  if (typeof node === 'string') {
    if (why && /^[A-Z][A-Z_]+$/.test(node)) found.push({ pointer, value: node });
    return;
  }
  if (typeof node !== 'object' || node === null || depth > DEEPEST || isRefund(node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (REFUND.test(key) || OF_SOMETHING_ELSE.test(key)) continue;
    // An element of a list, or a code within a failure object, tells why as its parent does.
    collect(value, `${pointer}/${key}`, why || TELLS_WHY.test(key), depth + 1, found);
  }
}

function isRefund(node: object): boolean {
  const { id } = node as { id?: unknown };
  return typeof id === 'string' && id.startsWith('Refund:');
}
