import type { Rule } from '../schemas/rules.ts';

/** One breach that a target is known to have. */
export interface KnownFailure {
  readonly rule: Rule['id'];
  readonly reason: string;
  /** Where the breach stands, as a report says it; without it, every place of the rule. */
  readonly place?: string;
  /** Tests that show it, as a report names them; without it, any. */
  readonly tests?: readonly string[];
  /** What is seen; `…` stands for anything. Without it, whatever is seen. */
  readonly seen?: string;
  readonly owner?: string;
  /** Where it is followed, such as a ticket. */
  readonly link?: string;
  /** Last day on which it is accepted, `YYYY-MM-DD` in UTC. */
  readonly until?: string;
  /** It comes and goes: a run without it does not show it mended. */
  readonly intermittent?: boolean;
}

/** A breach, as far as a list can speak of it. */
interface SeenBreach {
  readonly rule: string;
  readonly place: string;
  readonly message: string;
  /** Set where a made input showed it. */
  readonly counterexample?: unknown;
}

/** What stands for any words in `seen`. */
export const ANYTHING = '…';

/** True once the last day of an entry is over. @param now epoch milliseconds */
export function isExpired({ until }: Pick<KnownFailure, 'until'>, now: number): boolean {
  return until !== undefined && new Date(now).toISOString().slice(0, 10) > until;
}

/**
 * Whether an entry speaks of a breach that a test has shown, whatever the day. Which test a made input shows it in, and in
 * what words, is another with each seed, so there the place alone counts.
 *
 * @param test its name in a report
 */
export function speaksOf(entry: KnownFailure, breach: SeenBreach, test: string): boolean {
  return (
    entry.rule === breach.rule &&
    (entry.place === undefined || isAt(breach.place, entry.place)) &&
    (breach.counterexample !== undefined ||
      ((entry.tests === undefined || entry.tests.includes(test)) &&
        (entry.seen === undefined || fits(breach.message, entry.seen))))
  );
}

/** The same field within something larger is the same place: `/quote/id` is at `/id`. Lists differ from run to run. */
function isAt(place: string, listed: string): boolean {
  return place === listed || (listed.startsWith('/') && place.endsWith(listed));
}

/** The place of a breach as a list should have it: a run may meet the same thing by itself, or only among others. */
export function steadyPlace(place: string): string {
  return place.replace(/^\/data\/\*(?=\/)/, '');
}

/** A list of known failures on one day. */
export class KnownFailures {
  readonly #entries: readonly KnownFailure[];

  /** @param now epoch milliseconds; entries that have expired by then cover nothing */
  constructor(entries: readonly KnownFailure[], now = Date.now()) {
    this.#entries = entries.filter((entry) => !isExpired(entry, now));
  }

  /** Why a breach is known, in the words of its entry; undefined where no entry covers it. */
  reasonOf(breach: SeenBreach, test: string): string | undefined {
    return this.#entries.find((entry) => speaksOf(entry, breach, test))?.reason;
  }
}

/**
 * What is seen, with everything that differs from run to run left out: ids, times, long numbers, masked values, and the
 * value of a field whose shape is wrong.
 */
export function steadyWords(message: string): string {
  return message
    .replace(/\s+/g, ' ')
    .replace(/, but is \S.*$/, `, but is ${ANYTHING}`)
    .replace(/(?:\w+:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?/g, '…')
    .replace(/\b[0-9a-f]{16,}\b/gi, '…')
    .replace(/\b(?:\d{6,}|\d+\.\d{2,})\b/g, '…')
    .replace(/•+/g, '…')
    .replace(/…(?:\s*…)+/g, ANYTHING)
    .trim();
}

function fits(message: string, seen: string): boolean {
  const parts = seen.replace(/\s+/g, ' ').trim().split(ANYTHING);
  const text = message.replace(/\s+/g, ' ').trim();
  let from = 0;
  for (const [index, part] of parts.entries()) {
    const at = index === 0 ? (text.startsWith(part) ? 0 : -1) : text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  const last = parts.at(-1) as string;
  return last === '' || text.endsWith(last);
}
