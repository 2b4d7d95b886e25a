/** Every object in a value of unknown shape, at any depth, the outermost first. */
export function objectsWithin(node: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof node !== 'object' || node === null) return [];
  const children = Object.values(node).flatMap((child: unknown) => objectsWithin(child));
  return Array.isArray(node) ? children : [node as Record<string, unknown>, ...children];
}
