import { BlockList, isIP } from 'node:net';
import type { ProfileFile } from './profile-file.ts';
import type { Environment } from './environment-variables.ts';
import { UsageError } from './usage-error.ts';
import { parsedOrNothing } from '../schemas/json.ts';

/** What is known of a target that somebody wants to test. */
export interface Declared {
  readonly baseUrl: string;
  readonly statesUrl: string | undefined;
  readonly clientId: string;
  /** `sandbox` where the user declares it to be one. */
  readonly environment: string | undefined;
  /** Hosts that are never tested. */
  readonly denyHosts: readonly string[];
  /** A host that is a sandbox although its name says otherwise. */
  readonly sandboxHost: string | undefined;
}

/**
 * Assay creates customers and moves money, so it runs only where somebody has said that nothing can be harmed. Addresses of
 * this machine need no such word.
 *
 * @throws UsageError that says which word is missing
 */
export function refuseHarm(declared: Declared): void {
  const { baseUrl, statesUrl, clientId, environment, denyHosts } = declared;
  refuseWord(environment);
  // Who is denied is denied whatever else is said.
  for (const address of addresses(baseUrl, statesUrl)) refuseDenied(address, denyHosts);
  for (const address of addresses(baseUrl, statesUrl)) {
    const word = looksLikeProduction(address.url, clientId);
    if (word !== undefined && declared.sandboxHost !== hostOf(address.url))
      throw new UsageError(
        `${address.name} ${address.url} looks like production (${word}), and Assay creates customers and moves money: use a sandbox, or, where this surely is one, say so with SANDBOX_HOST=${hostOf(address.url)} (sandboxHost in the profile).`,
      );
  }
  if (!isLoopback(baseUrl) && environment === undefined)
    throw new UsageError(
      `Nothing says that ${hostOf(baseUrl)} is a sandbox, and Assay creates customers and moves money: where it is one, set ENVIRONMENT=sandbox, or write "environment: sandbox" into the profile.`,
    );
}

/** @throws UsageError for an environment that is no sandbox */
export function refuseWord(environment: string | undefined): void {
  if (environment !== undefined && environment !== 'sandbox')
    throw new UsageError(
      `Assay creates customers and moves money, so it does not run on environment: ${environment}; use a sandbox.`,
    );
}

interface Address {
  readonly name: string;
  readonly url: string;
}

function addresses(baseUrl: string, statesUrl: string | undefined): readonly Address[] {
  return [
    { name: 'BASE_URL', url: baseUrl },
    ...(statesUrl === undefined ? [] : [{ name: 'PROVIDER_STATES_URL', url: statesUrl }]),
  ];
}

function refuseDenied({ name, url }: Address, denyHosts: readonly string[]): void {
  const pattern = denyHosts.find((one) => isMeant(hostOf(url), one));
  if (pattern !== undefined)
    throw new UsageError(
      `${name} ${url} is on the deny list (${pattern}): Assay does not touch it; use another address, or mend DENY_HOSTS or denyHosts in the profile.`,
    );
}

/** What the environment and the profile say of a target's harmlessness. The environment wins, but nobody is taken off a deny list. */
export function declared(
  env: Environment,
  file: ProfileFile,
  target: Pick<Declared, 'baseUrl' | 'statesUrl' | 'clientId'>,
): Declared {
  const denied = (env['DENY_HOSTS'] ?? '').split(',').map((host) => host.trim());
  return {
    ...target,
    // Who has written production means it.
    environment: file.environment === 'production' ? 'production' : env['ENVIRONMENT'] || file.environment,
    sandboxHost: (env['SANDBOX_HOST'] || file.sandboxHost)?.trim().toLowerCase(),
    denyHosts: [...denied.filter((host) => host !== ''), ...(file.denyHosts ?? [])],
  };
}

const PRODUCTION = /^(?:prod|prd|production|live)\d*$/;
/** A word before it that turns it round: non-prod, pre-production, not-live. */
const NOT = /^(?:non|pre|not|no)$/;
const SANDBOX =
  /^(?:sandbox|sbx|test|tests|testing|dev|develop|development|stage|staging|stg|qa|uat|demo|int|integration|local|mock|preview|nonprod|preprod|sim|simulator|playground|ci)\d*$/;
/** First words of hosts that a company gives to what everybody uses. */
const FRONT_DOOR = /^(?:api|www|app|secure|pay|payments|gateway|my)$/;

/**
 * The word that makes an address or a client id look like production's, or undefined where none does. A name alone proves
 * nothing in either direction: it is a reason to ask once more.
 */
export function looksLikeProduction(address: string, clientId: string): string | undefined {
  const host = hostOf(address);
  const path = new URL(address).pathname.split('/');
  const words = [...host.split('.'), ...path].flatMap(wordsOf);
  const said = words.find((word) => PRODUCTION.test(word));
  if (said !== undefined) return `"${said}" in its address`;
  // An id may be any text; only its first word is a mark of who gave it out.
  const mark = wordsOf(clientId)
    .slice(0, 2)
    .find((word) => PRODUCTION.test(word));
  if (mark !== undefined) return `"${mark}" in CLIENT_ID`;
  const [first = ''] = host.split('.');
  if (FRONT_DOOR.test(first) && !isLoopback(address) && !words.some((word) => SANDBOX.test(word)))
    return `a host that begins with "${first}." and no word for a sandbox in its address`;
  return undefined;
}

/** Words of a name, without those that a word before them turns round. */
function wordsOf(name: string): readonly string[] {
  const words = name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return words.filter((_, index) => !NOT.test(words[index - 1] ?? ''));
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** The host of an address as people write it: lower case, an IPv6 address without brackets, no dot at the end. */
function hostOf(address: string): string {
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
function isMeant(host: string, pattern: string): boolean {
  const wanted = pattern.trim().toLowerCase().replace(/\.$/, '');
  if (!wanted.startsWith('*.')) return host === wanted;
  return host === wanted.slice(2) || host.endsWith(wanted.slice(1));
}

/** Fields of requests in which money is named, in the smallest unit of the currency. */
const AMOUNT_FIELDS = new Set(['amount', 'lockedCurrencyAmount']);
const DEEPEST = 8;

/**
 * An amount of money in a request's body that is larger than the user allows, or undefined.
 *
 * @param body value or JSON text; text that is no JSON names no amount
 * @param largest smallest unit of the currency
 */
export function amountBeyond(body: unknown, largest: number | undefined): number | bigint | undefined {
  if (largest === undefined) return undefined;
  return find(typeof body === 'string' ? parsedOrNothing(body) : body, largest, 0);
}

function find(node: unknown, largest: number, depth: number): number | bigint | undefined {
  if (typeof node !== 'object' || node === null || depth > DEEPEST) return undefined;
  for (const [key, value] of Object.entries(node)) {
    const amount = AMOUNT_FIELDS.has(key) ? numberIn(value) : undefined;
    if (amount !== undefined && amount > largest) return amount;
    const deeper = find(value, largest, depth + 1);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** A lenient service takes "100" for 100: so does this guard. */
function numberIn(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'string' || value.trim() === '' || Number.isNaN(Number(value))) return undefined;
  return Number(value);
}
