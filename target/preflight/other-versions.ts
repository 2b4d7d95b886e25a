/** The version of the interface that Assay knows (section Versioning). */
const VERSION = '2025-10-13';

/** Base URLs that somebody may have meant: the version date in the place of the last path segment, and behind it. */
export function otherVersions(baseUrl: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  const replaced = `${origin}${path.replace(/\/[^/]*$/, '')}/${VERSION}`;
  const appended = `${origin}${path}/${VERSION}`;
  return [...new Set([replaced, appended])].filter((url) => url !== baseUrl);
}
