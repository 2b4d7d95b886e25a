import type { Finding, Looked, Prepared, RecordedExchange } from '../journal/types.ts';
import type { TestRecord } from './evidence.ts';

/** How one test came to show a breach. */
export interface Story {
  /** The test, as reports name it. */
  readonly test: string;
  /** Where the test begins, such as `specs/agents/approval.spec.ts:12`. */
  readonly location?: string;
  readonly prepared: readonly Prepared[];
  /** Ids of all exchanges of that attempt, in order of time. */
  readonly exchanges: readonly string[];
  /** The exchange that shows the breach best. */
  readonly breach?: string;
  /** Where in the answers the check looked. */
  readonly looked: readonly Looked[];
  /** The twin that was accepted, or whatever comes nearest to it. */
  readonly control?: string;
}

/** The attempt that a record belongs to: ids count up behind it. */
function attemptOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('.')));
}

/** Tells how a test came to a finding. Pure. */
export function storyOf(test: TestRecord, finding: Finding): Story {
  const all = test.journal?.exchanges ?? [];
  const attempt = attemptOf(finding.exchanges.at(-1) ?? all.at(-1)?.id ?? '');
  const own = all.filter(({ id }) => attemptOf(id) === attempt);
  const looked = finding.looked ?? [];
  const evidence = own.filter(({ id }) => finding.exchanges.includes(id));
  const breach = wrongOf(evidence, finding);
  const control = breach && controlOf(own, breach, finding, test.journal?.controls ?? []);
  return {
    test: test.label,
    ...(test.location === undefined ? {} : { location: test.location }),
    prepared: (test.journal?.prepared ?? []).filter(({ id }) => attemptOf(id) === attempt),
    exchanges: own.map(({ id }) => id),
    ...(breach ? { breach: breach.id } : {}),
    looked,
    ...(control ? { control: control.id } : {}),
  };
}

/** Messages name the answer that they are about; where none is named, the last one looked at is the one. */
function wrongOf(evidence: readonly RecordedExchange[], { message }: Finding): RecordedExchange | undefined {
  return evidence.findLast(({ label }) => message.includes(`"${label}"`)) ?? evidence.at(-1);
}

/** One that the test needed to be accepted, else one that the check held against it, else a success of the same kind. */
function controlOf(
  own: readonly RecordedExchange[],
  breach: RecordedExchange,
  finding: Finding,
  controls: readonly string[],
): RecordedExchange | undefined {
  const others = own.filter(
    ({ id, arrived, response }) => id !== breach.id && !arrived && response !== undefined,
  );
  const same = others.filter(({ operation }) => operation !== undefined && operation === breach.operation);
  return (
    same.find(({ id }) => controls.includes(id)) ??
    same.find(({ id }) => finding.exchanges.includes(id)) ??
    same.find(({ response }) => Math.floor((response?.status ?? 0) / 100) === 2) ??
    others.find(({ id }) => controls.includes(id))
  );
}
