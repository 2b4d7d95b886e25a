import type { Replacements } from '../areas/behaviour.ts';
import { actionChoices } from './actions.ts';
import { errorChoices, formatChoices } from './conventions.ts';
import { signedRetryChoices } from './credentials-signed-retry.ts';
import { credentialChoices } from './credentials.ts';
import { platformChoices } from './platform.ts';
import { quoteChoices } from './quotes.ts';
import { scaChoices } from './sca.ts';
import { transferChoices } from './transfers.ts';

/** Something that the interface leaves open. */
interface Choice {
  /** Kebab-case; tells what is open. */
  readonly name: string;
  /** Why a service may do otherwise than the default world. */
  readonly open: string;
  /** What else it may do, by a short name. */
  readonly options: Readonly<Record<string, Replacements>>;
}

/** Choices by name: why they are open, and beside it what else a service may do. */
export type Choices = Readonly<
  Record<string, { readonly open: string; readonly [option: string]: string | Replacements }>
>;

/** One option, taken. */
export interface Taken {
  readonly choice: string;
  readonly option: string;
  readonly replace: Replacements;
}

/** One thing that the interface does not show, done in another way than the default world does it. */
export interface Dialect {
  /** What a client has to know: the world `dialect.<key>` differs in this alone. */
  readonly key: string;
  /** What is different, to follow "here". */
  readonly says: string;
  readonly replace: Replacements;
}

/** Everything that is open, by area. */
export const choices: readonly Choice[] = [
  formatChoices,
  errorChoices,
  transferChoices,
  actionChoices,
  credentialChoices,
  signedRetryChoices,
  quoteChoices,
  scaChoices,
  platformChoices,
].flatMap((area) =>
  Object.entries(area).map(([name, { open, ...options }]) => ({
    name,
    open,
    options: options as Choice['options'],
  })),
);

/**
 * The legal differences of one seed. A seed that is the name of an option, `<choice>-is-<option>`, takes that one alone,
 * so that each can be looked at by itself; any other seed throws a die for every choice, and leaves about every third
 * as it is in the default world.
 */
export function variantFor(seed: string): Taken[] {
  const single = takenAlone(seed);
  if (single) return [single];
  return choices.flatMap((choice) => {
    // A die of its own for each, so that a new choice does not change what a seed meant for the others.
    const random = randomFrom(`${seed} ${choice.name}`);
    const options = Object.entries(choice.options);
    const keep = random() < 1 / 3;
    const [option, replace] = options[Math.floor(random() * options.length)]!;
    return keep ? [] : [{ choice: choice.name, option, replace }];
  });
}

/** The seeds that take one option alone: `<choice>-is-<option>`. */
export const seedsOfOne: readonly string[] = choices.flatMap(({ name, options }) =>
  Object.keys(options).map((option) => `${name}-is-${option}`),
);

function takenAlone(seed: string): Taken | undefined {
  const [name, option] = seed.split('-is-');
  const replace =
    option === undefined ? undefined : choices.find((choice) => choice.name === name)?.options[option];
  return replace && { choice: name!, option: option!, replace };
}

/**
 * Numbers in [0, 1) that depend on the seed text alone (FNV-1a into mulberry32), so that a world's name says all
 * about it.
 */
export function randomFrom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const char of seed) state = Math.imul(state ^ char.codePointAt(0)!, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
