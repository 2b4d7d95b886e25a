import type { TestRecord } from './evidence.ts';

/** How many tests of a folder of specs have run. */
export interface PartRan {
  readonly ran: number;
  readonly of: number;
}

/** Which parts of the suite have run, by folder; for a run that was stopped in the middle. */
export function partsRan(tests: readonly Pick<TestRecord, 'label' | 'standing'>[]): Record<string, PartRan> {
  const parts: Record<string, PartRan> = {};
  for (const { label, standing } of tests) {
    const part = label.split(/[/ ]/)[0] ?? '';
    const { ran, of } = parts[part] ?? { ran: 0, of: 0 };
    parts[part] = { ran: ran + (standing === 'did not run' ? 0 : 1), of: of + 1 };
  }
  return parts;
}

/** The same as one sentence. */
export function partsSentence(parts: Readonly<Record<string, PartRan>>): string {
  const all = Object.entries(parts);
  const names = (some: readonly (readonly [string, PartRan])[]) =>
    some
      .map(([name, { ran, of }]) => (ran === of || ran === 0 ? name : `${name} (${ran} of ${of})`))
      .join(', ');
  const whole = all.filter(([, { ran, of }]) => ran === of);
  const some = all.filter(([, { ran, of }]) => ran > 0 && ran < of);
  const none = all.filter(([, { ran }]) => ran === 0);
  return [
    whole.length > 0 ? `Ran to the end: ${names(whole)}.` : '',
    some.length > 0 ? `In part: ${names(some)}.` : '',
    none.length > 0 ? `Not at all: ${names(none)}.` : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}
