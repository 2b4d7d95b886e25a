import { hostOf, isLoopback } from './hosts.ts';

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
