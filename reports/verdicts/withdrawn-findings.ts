import { CODES_OF_A_STATUS } from '../../doubt/check.ts';
import type { CheckResult, Finding } from '../../journal/types.ts';
import { faultRules } from '../../schemas/openapi.ts';
import type { Rule } from '../../schemas/rules.ts';
import { DIALECT, type DialectEntry } from '../../target/dialect/keys.ts';
import { type TestRecord } from '../journals/evidence.ts';
import { tellKeys } from './guesses.ts';
import { findingsOf } from '../../journal/findings.ts';

/**
 * A test without the findings that do not count after all; each of them stays as a check that could not tell.
 *
 * @param inPlaceOf what stays of a finding; undefined for one that counts
 * @param reason why the test is inconclusive, where none of its findings is left
 */
function takeBack(
  test: TestRecord,
  inPlaceOf: (finding: Finding) => CheckResult | undefined,
  reason: string,
): TestRecord {
  const { journal } = test;
  const open: CheckResult[] = [];
  const findings = (journal?.findings ?? []).filter((finding) => {
    const instead = inPlaceOf(finding);
    if (instead) open.push(instead);
    return !instead;
  });
  if (!journal || open.length === 0) return test;
  const kept = new Set(findings.map((finding) => finding.rule));
  const taken = new Set(open.map(({ rule }) => rule).filter((rule) => !kept.has(rule)));
  const checks = journal.checks.filter((check) => check.outcome !== 'failed' || !taken.has(check.rule));
  return {
    ...test,
    ...(test.standing === 'stopped' && findings.length === 0 ? { reason } : {}),
    journal: { ...journal, findings, checks: [...checks, ...open] },
  };
}

/** The tests of a run with the findings that count now that all of them are known. */
export function withoutWithdrawn(
  tests: readonly TestRecord[],
  vouchedFor: VouchedFor = 'all',
  rules: readonly Rule[] = [],
): readonly TestRecord[] {
  // What may follow from a guess, or echoes it, is no surer than the guess.
  return withoutGuesses(withoutConsequences(withoutEchoes(tests), rules), vouchedFor);
}

/**
 * Takes back what a fault of the service left to other rules than those that say that its operation answers: what a check of
 * another rule met there, and what was seen after it, since nobody knows what became of the request.
 */
export function withoutEchoes(tests: readonly TestRecord[]): readonly TestRecord[] {
  const blamed = blamedForFaults(tests);
  if (blamed.size === 0) return tests;
  return tests.map((test) => {
    const met = (test.journal?.findings ?? []).flatMap(({ faultOf }) => blamed.get(faultOf ?? '') ?? []);
    if (met.length === 0) return test;
    const isEcho = ({ rule, faultOf, known }: Finding) =>
      known === undefined &&
      !met.includes(rule) &&
      (faultOf === undefined ? test.journal?.unwell === true : blamed.has(faultOf));
    const causes = [...new Set(met)].join(', ');
    const left = takeBack(
      test,
      (finding) => (isEcho(finding) ? follows(finding, causes) : undefined),
      `What it found may follow from the breach of ${causes}.`,
    );
    return { ...left, mend: left.mend ?? mendFirst(causes) };
  });
}

/** The rules that are blamed for the faults of an operation: the narrowest that are broken. */
function blamedForFaults(tests: readonly TestRecord[]): ReadonlyMap<string, readonly string[]> {
  const rules = faultRules();
  const met = new Map<string, Set<string>>();
  for (const { journal } of tests)
    for (const { faultOf, rule } of journal?.findings ?? [])
      if (faultOf !== undefined) met.set(faultOf, (met.get(faultOf) ?? new Set()).add(rule));
  return new Map(
    [...met].flatMap(([operation, broken]) => {
      const { rule, signed = rule, narrower = [] } = rules.get(operation) ?? { rule: '' };
      const narrow = narrower.filter((one) => broken.has(one));
      const blamed = narrow.length > 0 ? narrow : [rule, signed].filter((one) => broken.has(one));
      return blamed.length > 0 ? [[operation, blamed] as const] : [];
    }),
  );
}

const mendFirst = (causes: string): string => `mend ${causes} first`;

/** What stays of a finding that only shows another breach once more. */
function follows({ rule, message, exchanges }: Finding, causes: string): CheckResult {
  return {
    rule,
    outcome: 'inconclusive',
    reason: `It may follow from the breach of ${causes}, and is judged when that is mended. Seen: ${message}`,
    exchanges,
    mend: mendFirst(causes),
  };
}

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
  // Who vouches for all bodies vouches for that of one operation, and who vouches for that for each variant of it.
  const vouched = new Set<string>(vouchedFor);
  const isKnown = (key: string) =>
    spoken.has(key) || vouched.has(withoutVariant(key)) || spoken.has(key.split('.')[0] as string);
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

function withoutVariant(key: string): string {
  return key.split(' ')[0] as string;
}

/** One event that came in time shows nothing about the next. */
function isOnlyTold(key: string): boolean {
  const entries: Readonly<Record<string, DialectEntry<unknown> | undefined>> = DIALECT;
  return entries[key]?.onlyTold === true;
}

function openCheck({ rule, message, exchanges }: Finding, keys: readonly string[]): CheckResult {
  const told = keys.map(withoutVariant);
  const names = told.map((key) => `\`${key}\``).join(', ');
  return {
    rule,
    outcome: 'inconclusive',
    reason: `It assumes ${names}; say in the profile's dialect if this target differs. Seen: ${message}`,
    exchanges,
    mend: tellKeys(told),
  };
}

/**
 * Takes back what only shows another breach once more: who sends no error code at all sends no particular one either. While
 * a rule is broken, nobody is accused of those that follow from it (`follows` in schemas/rules/); they stay open until it is
 * mended. What the list of known failures names stands, or its entry would look mended. Where a code is none of
 * its status, and only one rule that asks for a code is broken, both are named.
 */
export function withoutConsequences(
  tests: readonly TestRecord[],
  rules: readonly Rule[],
): readonly TestRecord[] {
  const broken = new Set(
    tests.flatMap(({ journal }) => (journal ? findingsOf(journal) : [])).map(({ rule }) => rule),
  );
  const isAlone = (cause: string): boolean =>
    rules.filter(({ id, follows = [] }) => broken.has(id) && follows.includes(cause)).length === 1;
  const explains = (cause: string): boolean =>
    broken.has(cause) && !(cause.startsWith(CODES_OF_A_STATUS) && isAlone(cause));
  const causes = new Map(
    rules.flatMap(({ id, follows = [] }) => {
      const present = follows.filter(explains);
      return present.length > 0 ? [[id, present.join(', ')] as const] : [];
    }),
  );
  if (causes.size === 0) return tests;
  return tests.map((test) =>
    takeBack(
      test,
      (finding) =>
        finding.known === undefined && causes.has(finding.rule)
          ? follows(finding, causes.get(finding.rule) as string)
          : undefined,
      'What it found may follow from another breach.',
    ),
  );
}
