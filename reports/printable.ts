const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * One line that is safe to print: a target's text may hold line breaks, commands to a terminal, or marks that turn the
 * direction of what follows.
 *
 * @param text of any origin
 * @param most characters to keep; what is beyond is cut and marked with an ellipsis
 */
export function printable(text: string, most = Number.POSITIVE_INFINITY): string {
  const line = text
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .replaceAll('\t', ' ')
    .replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
}
