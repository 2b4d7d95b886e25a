/** Longer values are cut in messages. Characters. */
const LONGEST = 80;
/** So much is rendered before secrets are masked; all of it must be masked before anything is cut. Characters. */
const RENDERED = 4_000;
/** Deeper values are left out: they may be nested however deep. */
const DEEPEST = 20;

/**
 * A value in a message, as JSON, cut where it is long. Takes bounded time, and never throws.
 *
 * @param name of the field that holds the value: the name alone may tell that the value is secret
 * @param mask removes secrets from a text
 */
export function showValue(value: unknown, name: string, mask: (text: string) => string): string {
  if (value === undefined) return 'absent';
  const text = render(value, RENDERED, DEEPEST);
  const label = `${JSON.stringify(name)}:`;
  const masked = mask(`${label}${text}`);
  const shown = masked.startsWith(label) ? masked.slice(label.length) : mask(text);
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST - 3)}…` : shown;
}

/** JSON that ends after some more than `left` characters. */
function render(value: unknown, left: number, depth: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, left));
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth === 0) return Array.isArray(value) ? '[…]' : '{…}';
  return Array.isArray(value) ? renderList(value, left, depth) : renderObject(value, left, depth);
}

function renderList(list: readonly unknown[], left: number, depth: number): string {
  let text = '[';
  for (let index = 0; index < list.length; index += 1) {
    if (text.length > left) return `${text}…`;
    text += `${index > 0 ? ',' : ''}${render(list[index], left - text.length, depth - 1)}`;
  }
  return `${text}]`;
}

function renderObject(object: object, left: number, depth: number): string {
  let text = '{';
  for (const [name, inner] of Object.entries(object)) {
    if (text.length > left) return `${text}…`;
    const field = `${text.length > 1 ? ',' : ''}${JSON.stringify(name.slice(0, left))}:`;
    text += field + render(inner, left - text.length, depth - 1);
  }
  return `${text}}`;
}
