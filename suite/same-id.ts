/** An id with its UUID in lower case: the case of hex digits tells no two UUIDs apart. */
export function folded(id: unknown): unknown {
  return typeof id === 'string' ? id.replace(/:.*$/s, (uuid) => uuid.toLowerCase()) : id;
}

/** A base64url text without the padding that a target may send with it (docs/ambiguities.md). */
export function unpadded(text: unknown): unknown {
  return typeof text === 'string' ? text.replace(/=+$/, '') : text;
}

/** Whether two values are ids of one record. */
export function sameId(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && folded(a) === folded(b);
}
