import { type Choice, type Taken, randomFrom } from './choice.ts';
import { actionChoices } from './actions.ts';
import { errorChoices, formatChoices } from './conventions.ts';
import { signedRetryChoices } from './credentials-signed-retry.ts';
import { credentialChoices } from './credentials.ts';
import { platformChoices } from './platform.ts';
import { quoteChoices } from './quotes.ts';
import { scaChoices } from './sca.ts';
import { transferChoices } from './transfers.ts';

/** Everything that is open, by area. */
export const choices: readonly Choice[] = [
  ...formatChoices,
  ...errorChoices,
  ...transferChoices,
  ...actionChoices,
  ...credentialChoices,
  ...signedRetryChoices,
  ...quoteChoices,
  ...scaChoices,
  ...platformChoices,
];

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

function takenAlone(seed: string): Taken | undefined {
  const [name, option] = seed.split('-is-');
  const replace =
    option === undefined ? undefined : choices.find((choice) => choice.name === name)?.options[option];
  return replace && { choice: name!, option: option!, replace };
}
