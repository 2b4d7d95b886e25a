/**
 * The part of an address that is the service's base URL, or '' where it is not below it. An embedded target has no
 * address of its own in a report; there the date that ends every base URL tells.
 */
export function baseOf(url: string, baseUrl: string): string {
  const isBelow = (base: string) => url.startsWith(base) && /^(?:[/?]|$)/.test(url.slice(base.length));
  if (/^https?:/.test(baseUrl)) return isBelow(baseUrl) ? baseUrl : '';
  const dated = /^https?:.*?\/\d{4}-\d{2}-\d{2}(?=[/?]|$)/.exec(url)?.[0] ?? '';
  return baseUrl === '' ? '' : dated;
}
