import { stripVTControlCharacters } from 'node:util';

/** Commands to a terminal, but for line breaks and tabs, and marks that turn the direction of what follows. */
const COMMANDS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text of any origin that Playwright will print, without colours; what else would steer a terminal is shown as `\u009b`. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(
    COMMANDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
