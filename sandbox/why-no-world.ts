import { closest, distance } from 'fastest-levenshtein';
import { faultNamed, faults } from './faults/index.ts';
import { dialects, dialectsNamed } from './variants/dialects/index.ts';
import { choices } from './variants/index.ts';

const FORMS =
  'default, world.<label>, dialect.<key>, fault.<name>[+<name>…], variant.<seed> and variant.<seed>~fault.<name>';

/** Why a name is that of no world, in one sentence with the fix, or undefined for the name of one. */
export function whyNoWorld(name: string): string | undefined {
  if (name === 'default' || /^world\.[\w-]+$/.test(name)) return undefined;
  const [, dialect] = /^dialect\.(\w+)$/.exec(name) ?? [];
  if (dialect !== undefined && dialectsNamed(dialect)) return undefined;
  if (dialect !== undefined)
    return `There is no dialect "${dialect}"${guess(dialect, [{ name: 'all' }, ...dialects.map(({ key }) => ({ name: key }))])} --list-dialects lists them.`;
  const [, seed] = /^variant\.([\w-]+)(?:~|$)/.exec(name) ?? [];
  const rest = seed === undefined ? name : name.slice(`variant.${seed}~`.length);
  const [, planted] = /^fault\.([\w+-]+)$/.exec(rest) ?? [];
  if (planted === undefined && (seed === undefined || name !== `variant.${seed}`))
    return `There is no world "${name}": worlds are ${FORMS}.`;
  const unknown = planted?.split('+').find((fault) => !faultNamed(fault));
  if (unknown !== undefined)
    return `There is no fault "${unknown}"${guess(unknown, faults)} --list-faults lists them.`;
  return seed === undefined ? undefined : whyNoVariant(seed);
}

/** Any seed throws its dice; but who writes `<choice>-is-<option>` means that one. */
function whyNoVariant(seed: string): string | undefined {
  if (!seed.includes('-is-')) return undefined;
  const known = choices.flatMap((choice) =>
    Object.keys(choice.options).map((option) => ({ name: `${choice.name}-is-${option}` })),
  );
  if (known.some(({ name }) => name === seed)) return undefined;
  return `There is no variant "${seed}"${guess(seed, known)} --list-variants lists them.`;
}

function guess(word: string, known: readonly { readonly name: string }[]): string {
  const names = known.map(({ name }) => name);
  const near = closest(word, names);
  return distance(word, near) <= Math.max(2, word.length / 3) ? `; did you mean ${near}?` : '.';
}
