import { createHash } from 'node:crypto';
import type { Fault } from '../../sandbox/faults/fault.ts';
import { faults } from '../../sandbox/faults/index.ts';
import { seedsOfOne } from '../../sandbox/variants/index.ts';
import { loadRules } from '../../schemas/rules.ts';
import { nearest } from '../../target/usage-error.ts';
import { stop } from '../command.ts';
import type { DefaultWorld } from '../reach/default-world.ts';
import type { TestHead } from '../runner/worker-pool.ts';

/** A fault with the tests that may tell. */
interface Plan {
  readonly fault: Fault;
  /** Ids. */
  readonly tests: readonly string[];
  /** Further tests that can end otherwise with it. */
  readonly others: readonly string[];
  /** How many can end otherwise with it, run or not. */
  readonly reaching: number;
  /** What these tests took in the default world, in milliseconds: a weight, to share the work out. */
  readonly weight: number;
}

/**
 * Which tests are run for a fault:
 * - `drawn`: of those that can end otherwise (reach/watching.ts), all that name its rule, and others by lot up to
 *   {@link LOT} of them
 * - `every`: all that can end otherwise
 */
export type Selection = 'drawn' | 'every';

/** So many of the tests that do not name the rule of a fault are drawn for it. */
const LOT = 50;

/** The tests of a fault are the same each time, so that a row which was good stays good until something has changed. */
export function planOf(fault: Fault, { tests, outcomes, rounds }: DefaultWorld, selection: Selection): Plan {
  const weightOf = (id: string) => outcomes.get(id)?.milliseconds ?? 1;
  const isOwn = ({ rules }: (typeof tests)[number]) => rules.includes(fault.breaks);
  const reaching = tests.filter(({ id }) => outcomes.get(id)?.reached?.faults.includes(fault.name) ?? false);
  const choose = (): typeof tests => {
    if (selection === 'every') return reaching;
    const others = reaching.filter((test) => !isOwn(test));
    // Who was run once may have gone another way by chance.
    const own = (rounds === 1 ? tests : reaching).filter(isOwn);
    return [...own, ...drawn(others, LOT, fault.name, titleOf)];
  };
  const chosen = choose().map(({ id }) => id);
  return {
    fault,
    tests: chosen,
    others: selection === 'drawn' ? reaching.map(({ id }) => id).filter((id) => !chosen.includes(id)) : [],
    reaching: reaching.length,
    weight: chosen.reduce((sum, id) => sum + weightOf(id), 0),
  };
}

/**
 * The tests that a few faults are tried with where nobody has learned yet which tests meet what: those of the spec folders
 * in which their rules are named. Undefined where a rule is named nowhere, as one of a shape: any test may meet it.
 */
export function testsNear(
  some: readonly Fault[],
  tests: readonly TestHead[],
): readonly TestHead[] | undefined {
  const folders = new Set<string>();
  for (const { breaks } of some) {
    const own = tests.filter(({ rules }) => rules.includes(breaks));
    if (own.length === 0) return undefined;
    for (const { label } of own) folders.add(folderOf(label));
  }
  return tests.filter(({ label }) => folders.has(folderOf(label)));
}

function folderOf(label: string): string {
  return label.slice(0, label.indexOf('/'));
}

/** Without its file: who moves a test draws nothing else for it. */
function titleOf({ label }: TestHead): string {
  return label.split(' › ').slice(1).join(' › ');
}

/** The heaviest first, so that no process is left alone with a long one at the end. */
export function heaviestFirst<T extends { readonly weight: number }>(plans: readonly T[]): T[] {
  return [...plans].sort((a, b) => b.weight - a.weight);
}

/**
 * The faults that words of the command line mean: names of faults, ids of rules, or beginnings of either. All of them for
 * no word. Ends the command for a word that means none: nothing planted is nothing caught, and must not look like success.
 */
export function chosenFaults(words: readonly string[]): readonly Fault[] {
  if (words.length === 0) return faults;
  const chosen = new Set<Fault>();
  for (const word of words) {
    const found = faults.filter(({ name, breaks }) => name === word || breaks === word);
    const more = faults.filter(({ name, breaks }) => name.startsWith(word) || breaks.startsWith(word));
    const means = found.length > 0 ? found : more;
    if (means.length === 0)
      stop(`No fault is called ${word}, and none breaks a rule of that name${guess(word)}`);
    for (const fault of means) chosen.add(fault);
  }
  return allBreakKnownRules([...chosen]);
}

/** A slip in the id of a rule would look like a fault that nobody catches. */
function allBreakKnownRules(chosen: readonly Fault[]): readonly Fault[] {
  const ids = new Set(loadRules().map(({ id }) => id));
  for (const { name, breaks, also = [] } of chosen) {
    const unknown = [breaks, ...also].find((id) => !ids.has(id));
    if (unknown === undefined) continue;
    const near = nearest(unknown, [...ids]);
    stop(
      `The fault ${name} breaks ${unknown}, which is no rule of schemas/rules/${near ? `; did you mean ${near}?` : '.'}`,
    );
  }
  return chosen;
}

function guess(word: string): string {
  const near = nearest(word, [...faults.map(({ name }) => name), ...faults.map(({ breaks }) => breaks)]);
  return near ? `; did you mean ${near}?` : ': npm run sandbox -- --list-faults lists them.';
}

/**
 * So many of a list, drawn by lot: the same of the same list, and nearly the same where it has changed a little.
 *
 * @param lot the same draws the same
 * @param nameOf what an item is known by
 */
export function drawn<T>(list: readonly T[], most: number, lot: string, nameOf: (item: T) => string): T[] {
  return list
    .map((item) => ({
      item,
      number: createHash('sha256')
        .update(`${lot} ${nameOf(item)}`)
        .digest('hex'),
    }))
    .sort((a, b) => (a.number < b.number ? -1 : 1))
    .slice(0, most)
    .map(({ item }) => item);
}

/** One legal difference, as the seed of a variant: drawn for each fault. @param lot the same draws the same */
export function differenceFor(fault: string, lot: string): string {
  return drawn(seedsOfOne, 1, `${lot} ${fault}`, (seed) => seed)[0]!;
}

/** A legal world of many differences, as the seed of a variant: drawn for each fault. @param lot the same draws the same */
export function legalWorldFor(fault: string, lot: string): string {
  // With "-is-" in it, a seed means the option of that name alone.
  return `${lot}-${fault}`.replaceAll('-is-', '-');
}
