import { parse as parseStrictly } from 'lossless-json';

/** Blamed for an identifier of a record that is not `<ResourceType>:<uuid>` (section Conventions). */
export const ID_RULE = 'GENERAL-ID-FORM';
/** Blamed for an amount that is no whole number (section Conventions). */
export const AMOUNT_RULE = 'GENERAL-AMOUNT-INTEGER';

/** What the conventions show of one answer. */
export interface Conventions {
  readonly seen: ReadonlySet<string>;
  readonly breaches: readonly { readonly rule: string; readonly pointer: string; readonly message: string }[];
}

/** Types of the records that the interface speaks of. Other texts with a colon may be anything. */
const TYPES =
  'AgentAction|Agent|Customer|InternalAccount|ExternalAccount|Quote|Transaction|ScaChallenge|AuthMethod|Session|Request';
const NAMES_RECORD = new RegExp(`^(${TYPES}):`);
const IDENTIFIER = new RegExp(`^(${TYPES}):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`, 'i');
/** The platform's own ids have its own form. */
const OF_RECORD = /^(?!platform).*id$/i;
const DECIMAL = /^-?\d+\.\d+$/;
const DEEPEST = 12;

/** Holds every part of an accepted answer to the conventions, whether or not its fields are shown. */
export function conventionsOf(body: unknown): Conventions {
  const seen = new Set<string>();
  const breaches: Conventions['breaches'][number][] = [];
  walk(body, '', 0);
  return { seen, breaches };

  function walk(node: unknown, at: string, depth: number): void {
    if (typeof node !== 'object' || node === null || depth > DEEPEST) return;
    for (const [key, value] of Object.entries(node)) {
      const pointer = `${at}/${key}`;
      if (typeof value === 'string' && OF_RECORD.test(key) && NAMES_RECORD.test(value))
        identifier(value, pointer);
      if (key === 'amount' && 'currency' in node) amount(value, pointer);
      walk(value, pointer, depth + 1);
    }
  }

  function identifier(value: string, pointer: string): void {
    seen.add(ID_RULE);
    if (!IDENTIFIER.test(value))
      breaches.push({ rule: ID_RULE, pointer, message: `${pointer} names a record and holds no uuid` });
  }

  function amount(value: unknown, pointer: string): void {
    if (typeof value !== 'number' && !(typeof value === 'string' && DECIMAL.test(value))) return;
    seen.add(AMOUNT_RULE);
    if (!Number.isInteger(Number(value)) || typeof value === 'string')
      breaches.push({
        rule: AMOUNT_RULE,
        pointer,
        message: `${pointer} is ${value}, which is no whole number`,
      });
  }
}

/** Longer texts are not searched for names that come twice. Characters. */
const SEARCHED = 200_000;

/** What an answer says of itself: that it is JSON (or nothing at all), a page, or something else. */
export function mediaTypeOf(headers: Readonly<Record<string, string>>): 'json' | 'page' | 'other' {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === '' || /^(?:application|text)\/(?:[\w.+-]+\+)?json$/.test(type)) return 'json';
  return /^(?:text\/html|application\/xhtml\+xml)$/.test(type) ? 'page' : 'other';
}

/**
 * Why a JSON text can be read in two ways, if it can: a name that one object has twice, with two values. JSON allows it,
 * and its readers differ in which value they take (RFC 8259, section 4).
 *
 * @param parsed the same text, parsed
 */
export function ambiguityIn(text: string, parsed: unknown): string | undefined {
  if (text.length > SEARCHED || typeof parsed !== 'object' || parsed === null) return undefined;
  // Every member has a quote and a colon; where there are no more of these than members, none was dropped.
  const colons = text.match(/"\s*:/g)?.length ?? 0;
  if (colons <= countMembers(parsed)) return undefined;
  try {
    parseStrictly(text);
    return undefined;
  } catch (error) {
    const name = /^Duplicate key '([^]*)' encountered/.exec((error as Error).message)?.[1];
    return name === undefined ? undefined : `has the name ${JSON.stringify(name.slice(0, 60))} twice`;
  }
}

function countMembers(root: object): number {
  let members = 0;
  const left: object[] = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (!Array.isArray(node)) members += Object.keys(node).length;
    for (const inner of Object.values(node) as unknown[])
      if (typeof inner === 'object' && inner !== null) left.push(inner);
  }
  return members;
}
