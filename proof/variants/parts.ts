import type { Judge } from '../judge-world.ts';
import type { DefaultWorld } from '../reach/default-world.ts';

/** Their walks are drawn, and come to what they come to. */
const BY_CHANCE = /\/sequences\.spec\.ts$/;

/**
 * Whether each spec file passes by itself, as somebody runs it who works on one thing: a rule that none of its tests shows
 * leaves such a run incomplete.
 *
 * @returns sentences about the rules that a file names and does not show where nothing is planted
 */
export function leftOpenAlone(judge: Judge, { tests, outcomes }: DefaultWorld): readonly string[] {
  const fileOf = ({ label }: { readonly label: string }) => label.slice(0, label.indexOf(' '));
  const files = [...new Set(tests.map(fileOf))].filter((file) => !BY_CHANCE.test(file));
  return files.flatMap((file) => {
    const own = tests.filter((test) => fileOf(test) === file);
    const named = new Set(own.flatMap(({ rules }) => rules));
    const seen = new Map([...outcomes].filter(([id]) => own.some((test) => test.id === id)));
    return judge
      .judge(seen)
      .rules.filter(({ id, verdict }) => named.has(id) && verdict !== 'verified')
      .map(({ id }) => `specs/${file} by itself leaves ${id} open.`);
  });
}
