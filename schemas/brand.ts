/** The word that interface.md puts where names carry the maker's brand. */
export const NEUTRAL_BRAND = 'Service';

/**
 * Puts a brand into the three spellings in which interface.md carries the neutral word: `Service-Wallet-Signature`,
 * `serviceApiMultiplier`, `SERVICE_SWITCH_ERROR`.
 */
export function branded(name: string, brand: string): string {
  if (name.startsWith(`${NEUTRAL_BRAND}-`)) return brand + name.slice(NEUTRAL_BRAND.length);
  if (name.startsWith('X-Service-')) return `X-${brand}${name.slice('X-Service'.length)}`;
  if (/^serviceApi[A-Z]/.test(name))
    return brand.charAt(0).toLowerCase() + brand.slice(1) + name.slice('service'.length);
  if (name.startsWith('SERVICE_')) return brand.toUpperCase() + name.slice('SERVICE'.length);
  return name;
}

/** A copy of a document in which every branded key and string carries the given brand. */
export function applyBrand(node: unknown, brand: string): unknown {
  if (typeof node === 'string') return branded(node, brand);
  if (Array.isArray(node)) return node.map((item) => applyBrand(item, brand));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [branded(key, brand), applyBrand(value, brand)]),
  );
}
