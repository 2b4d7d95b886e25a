import { listOf } from '../../schemas/openapi.ts';

/** Blamed when a transaction failed for a reason that this version no longer has. */
export const REMOVED_REASONS_RULE = 'TRANSACTION-REMOVED-REASONS';

/** A reason of a failure, and where it stands. */
interface FailureReason {
  readonly pointer: string;
  readonly value: string;
  /** Where its transaction stands. */
  readonly of: string;
}

interface RemovedReasons {
  /** Whether a failure reason of a transaction was seen at all. */
  readonly seen: boolean;
  readonly breaches: readonly { readonly pointer: string; readonly message: string }[];
}

/** The field that carries the reason is not shown: whatever tells of a failure … */
const TELLS_OF_FAILURE = /fail/i;
/** … and of a transaction that has failed, whatever is plainly its reason. */
const TELLS_WHY = /^(status|error)?_?reason(_?code)?$/i;
/** TIMEOUT and MANUAL_REFUND live on there. */
const REFUND = /refund/i;
const TRANSACTION = /transaction$/i;
const TRANSACTIONS = /transactions$/i;
const DEEPEST = 12;

/** Looks for removed failure reasons in whatever the target has sent (section Errors, "Transaction failure reasons"). */
export function removedReasonsIn(body: unknown): RemovedReasons {
  const found = failureReasonsIn(body);
  const removed = new Set(listOf('TransactionFailureReason', 'x-removed-values'));
  const current = new Set(listOf('TransactionFailureReason', 'x-known-values'));
  // Another reason in the field of this name is no removed one, whether the text knows it or not.
  const isItsOwn = (pointer: string, value: string, of: string) =>
    pointer === `${of}/failureReason` && !removed.has(value);
  // A transaction that tells its reason may say more beside it, in words of its own.
  const explained = new Set(
    found
      .filter(({ pointer, value, of }) => current.has(value) || isItsOwn(pointer, value, of))
      .map(({ of }) => of),
  );
  return {
    seen: found.length > 0,
    breaches: found
      .filter(({ value, of }) => removed.has(value) && !explained.has(of))
      .map(({ pointer, value }) => ({
        pointer,
        message: `${pointer} is ${value}, a failure reason that no longer exists`,
      })),
  };
}

/** The failure reasons of all transactions within a value of unknown shape. What else may fail has reasons of its own. */
export function failureReasonsIn(body: unknown): readonly FailureReason[] {
  const found: FailureReason[] = [];
  walk(body, '', '', 0, found);
  return found;
}

function walk(node: unknown, pointer: string, name: string, depth: number, found: FailureReason[]): void {
  if (typeof node !== 'object' || node === null || depth > DEEPEST) return;
  if (isTransaction(node, name)) {
    const hasFailed = (node as { status?: unknown }).status === 'FAILED';
    for (const [key, value] of Object.entries(node)) {
      const tellsWhy = TELLS_OF_FAILURE.test(key) || (hasFailed && TELLS_WHY.test(key));
      if (tellsWhy && !REFUND.test(key)) words(value, `${pointer}/${key}`, pointer, depth, found);
    }
  }
  for (const [key, value] of Object.entries(node)) {
    if (REFUND.test(key)) continue;
    // The elements of a list are called like the list.
    walk(value, `${pointer}/${key}`, Array.isArray(node) ? name : key, depth + 1, found);
  }
}

/** By its id, or by where it stands. */
function isTransaction(node: object, name: string): boolean {
  if (Array.isArray(node)) return false;
  const { id } = node as { id?: unknown };
  if (typeof id === 'string' && /^[A-Z]\w+:/.test(id)) return id.startsWith('Transaction:');
  return TRANSACTION.test(name) || TRANSACTIONS.test(name);
}

/** A reason itself, or the texts of an object that tells it. */
function words(value: unknown, pointer: string, of: string, depth: number, found: FailureReason[]): void {
  if (typeof value === 'string') {
    if (/^[A-Z][A-Z_]+$/.test(value)) found.push({ pointer, value, of });
  } else if (typeof value === 'object' && value !== null && depth < DEEPEST)
    for (const [key, one] of Object.entries(value)) words(one, `${pointer}/${key}`, of, depth + 1, found);
}
