import { isSecretName, isSeed } from './names.ts';
import { MASK, type Spans } from './spans.ts';
import { BREAK, bytesOf, type View } from './view.ts';

const MASK_BYTES = bytesOf(MASK);
/** A text that is shorter is no seed of a wallet. */
const SHORTEST_SEED = 16;

/** What stands behind a name: a field of JSON or of a parameter, with the quotes that the name has. */
const NAMED = /[:=](?<=\2([\w-]{3,64})(["']?)\s{0,64}[:=])/g;
/** A text, a list or an object from its first character on, a number, or the value of a parameter. */
const VALUES: Readonly<Record<string, RegExp>> = {
  ':': /\s*(?:["'[{]|-?\d[\d+.eE-]*)/y,
  '=': /["']|[^\s&;,#<>"'`()[\]{}\\|\0]+/y,
};
/** What a list or an object is made of. */
const PARTS = /[[\]{}"\0]|-?\d[\d+.eE-]*/g;

/** Masks what stands below a name that holds a secret, in JSON (`"otpCode": "…"`) and in parameters (`otpCode=…`). */
export function maskNamedValues(view: View, spans: Spans): void {
  const { bytes } = view;
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(bytes); match; match = NAMED.exec(bytes)) {
    const { 0: sign, 1: name = '', 2: quote, index } = match;
    if (!isSecretName(name) && !isSeed(name)) continue;
    const value = VALUES[sign] as RegExp;
    value.lastIndex = index + 1;
    const plain = value.exec(bytes)?.[0].trimStart();
    if (plain === undefined) continue;
    // A mask is a text, so in place of a number it stands in quotes: the ones that the name has, however escaped.
    const quoteAt = quote ? bytes.lastIndexOf(quote, index) : undefined;
    const mask = (from: number, to: number, isNumber: boolean) => {
      if (isSeed(name) && (isNumber || to - from < SHORTEST_SEED)) return;
      if (to > from && bytes.slice(from, to) !== MASK_BYTES)
        spans.add(view, from, to, isNumber ? quoteAt : undefined);
    };
    const from = value.lastIndex - plain.length;
    NAMED.lastIndex = value.lastIndex;
    if (plain === '"' || plain === "'") {
      NAMED.lastIndex = endOfText(bytes, from);
      mask(from + 1, NAMED.lastIndex, false);
    } else if (plain === '[' || plain === '{') NAMED.lastIndex = maskAllBelow(bytes, from, mask);
    else mask(from, value.lastIndex, sign === ':');
  }
}

/** Whatever a list or an object holds is secret. @returns the index after it */
function maskAllBelow(
  bytes: string,
  open: number,
  mask: (from: number, to: number, isNumber: boolean) => void,
): number {
  let depth = 0;
  PARTS.lastIndex = open;
  for (let match = PARTS.exec(bytes); match; match = PARTS.exec(bytes)) {
    const { 0: part, index } = match;
    if (part === '[' || part === '{') depth += 1;
    else if (part === ']' || part === '}') depth -= 1;
    else if (part === '"') {
      const end = endOfText(bytes, index);
      if (bytes[end + 1] !== ':') mask(index + 1, end, false);
      PARTS.lastIndex = bytes[end] === BREAK ? end : end + 1;
    } else if (part !== BREAK) mask(index, PARTS.lastIndex, true);
    if (depth === 0 || part === BREAK) return PARTS.lastIndex;
  }
  return bytes.length;
}

/** Index of the quote that ends a text, or of the end of the view where a cut has taken it away. */
function endOfText(bytes: string, quoteAt: number): number {
  for (let at = quoteAt + 1; at < bytes.length; at += 1) {
    if (bytes[at] === '\\') at += 1;
    else if (bytes[at] === bytes[quoteAt] || bytes[at] === BREAK) return at;
  }
  return bytes.length;
}
