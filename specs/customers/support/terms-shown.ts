import type { Answer } from '../../../suite/index.ts';
import { everyObjectIn } from './objects-in.ts';

/** Every text of an accepted answer of unknown shape, with its name; numbers are written as texts. */
export function textsIn(answer: Answer): readonly (readonly [name: string, text: string])[] {
  return everyObjectIn(answer)
    .flatMap((object) => Object.entries(object))
    .filter((entry) => ['string', 'number'].includes(typeof entry[1]))
    .map(([name, value]) => [name, String(value)]);
}

/** Texts that are addresses; one that is called so may be relative. */
export function urlsIn(answer: Answer): readonly string[] {
  return textsIn(answer)
    .filter(
      ([name, text]) =>
        /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || (/ur[il]$|link|href/i.test(name) && text !== ''),
    )
    .map(([, text]) => text);
}

/** The version of the terms: the text whose name says so. */
export function versionIn(answer: Answer): string | undefined {
  return textsIn(answer).find(([name, text]) => /version/i.test(name) && text !== '')?.[1];
}
