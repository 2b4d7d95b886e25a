import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** The host of an address as people write it: lower case, an IPv6 address without brackets, no dot at the end. */
export function hostOf(address: string): string {
  return new URL(address).hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

/** Whether an address can lead to nobody but this machine. */
export function isLoopback(address: string): boolean {
  const host = hostOf(address);
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const version = isIP(host);
  return version !== 0 && LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Whether a host is meant by a row of a deny list.
 *
 * @param pattern a host; with `*.` before it, every host below it too
 */
export function isMeant(host: string, pattern: string): boolean {
  const wanted = pattern.trim().toLowerCase().replace(/\.$/, '');
  if (!wanted.startsWith('*.')) return host === wanted;
  return host === wanted.slice(2) || host.endsWith(wanted.slice(1));
}
