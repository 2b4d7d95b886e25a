import type { CheckResult, Finding } from '../journal/types.ts';
import { DIALECT, type DialectEntry } from '../target/dialect/keys.ts';
import type { TestRecord } from './evidence.ts';
import { takeBack } from './take-back.ts';

/** Keys of the dialect that the profile vouches for: all of them, or these. */
export type VouchedFor = 'all' | readonly string[];

/**
 * Takes back what stands on a guess. A request may have to say what the interface does not show; where nothing has shown
 * that the target speaks so, its refusal proves nothing. What any test of the run saw accepted counts for all of them.
 */
export function withoutGuesses(tests: readonly TestRecord[], vouchedFor: VouchedFor): readonly TestRecord[] {
  if (vouchedFor === 'all') return tests;
  const shown = tests.flatMap((test) => test.journal?.spoken ?? []).filter((key) => !isOnlyTold(key));
  const spoken = new Set([...vouchedFor, ...shown]);
  // Who vouches for all bodies vouches for the body of one operation.
  const isKnown = (key: string) => spoken.has(key) || spoken.has(key.split('.')[0] as string);
  const guessed = (finding: Finding) => (finding.assumes ?? []).filter((key) => !isKnown(key));
  return tests.map((test) =>
    takeBack(
      test,
      (finding) => {
        const keys = guessed(finding);
        return keys.length > 0 ? openCheck(finding, keys) : undefined;
      },
      'What it found stands on a guess.',
    ),
  );
}

/** One event that came in time shows nothing about the next. */
function isOnlyTold(key: string): boolean {
  const entries: Readonly<Record<string, DialectEntry<unknown> | undefined>> = DIALECT;
  return entries[key]?.onlyTold === true;
}

function openCheck({ rule, message, exchanges }: Finding, keys: readonly string[]): CheckResult {
  const names = keys.map((key) => `\`${key}\``).join(', ');
  return {
    rule,
    outcome: 'inconclusive',
    reason: `It assumes ${names}; say in the profile's dialect if this target differs. Seen: ${message}`,
    exchanges,
    mend: `say in the profile how the target does ${names}, or that it speaks the default dialect`,
  };
}
