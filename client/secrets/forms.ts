import { DEPTH } from './find-secrets.ts';
import { SHORTEST_NEEDLE } from './needles.ts';
import { bytesOf, textView } from './text-view.ts';
import { unescapedView } from './unescaped-view.ts';

/** Hexadecimal digits of a key: masked by what they stand for too, so that their case and further encodings are no matter. */
const HEX_KEY = /^(?:[0-9a-f]{2}){16,}$|^(?:[0-9A-F]{2}){16,}$/;

/** What follows a secret may make an escape of its end. */
const UNENDED = /[\\%&][^\\%&]{0,7}$/;

/**
 * What is looked for, so that a secret is found: itself, and where it holds what reads like escapes, what is left when
 * they are taken away, because they are taken away from texts as well. Of a short secret too little may be left: one
 * such as `%aa%ab"c` is then found as it is alone.
 */
export function formsOf(secret: string): readonly Uint8Array[] {
  const forms = stagesOf(secret);
  const unended = secret.search(UNENDED);
  if (unended > 0) forms.push(...stagesOf(secret.slice(0, unended)));
  // Forms write a space as a plus.
  if (secret.includes(' ')) forms.push(...stagesOf(secret.replaceAll(' ', '+')));
  if (HEX_KEY.test(secret)) forms.push(Uint8Array.from(Buffer.from(secret, 'hex')));
  return forms.filter((form) => form.length >= SHORTEST_NEEDLE);
}

/** A text, and what is left of it when escapes are taken away once, twice and so on. */
function stagesOf(text: string): Uint8Array[] {
  const stages = [bytesOf(text)];
  let view = unescapedView(textView(text));
  for (let depth = 0; view && depth < DEPTH; depth += 1) {
    stages.push(view.bytes.slice(0, view.length));
    view = unescapedView(view);
  }
  return stages;
}
