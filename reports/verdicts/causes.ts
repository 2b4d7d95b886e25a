/**
 * What stands before a test that could not tell: a rule that the target breaks, a key of the dialect that nothing has shown,
 * or the call that was refused. It is an order ("mend …", "say …"), so that rules which wait for one thing stand together.
 */
import type { RecordedExchange } from '../../journal/types.ts';
import { unshownPaths } from '../../schemas/openapi.ts';
import { type Standing, type TestRecord } from '../journals/evidence.ts';
import { tellKeys } from './guesses.ts';
import type { VouchedFor } from './withdrawn-findings.ts';
import { findingsOf } from '../../journal/findings.ts';

const OPEN: readonly Standing[] = ['refused', 'inconclusive', 'stopped', 'unprepared'];
/** Where a check stood on a part of an answer that breaks a rule of its shape. */
const STANDS_ON_BREACH = /already breaks ([A-Z][A-Z0-9-]+)/;
const QUOTED = 80;
const CODE = /"code"\s*:\s*"([A-Z_]+)"/;

/** What the whole run shows: rules that are broken, by the kind of answer, and keys of the dialect that were taken. */
interface Known {
  readonly broken: ReadonlyMap<string, string>;
  readonly isSpoken: (key: string) => boolean;
}

/** Gives each open test the order that follows from its cause, where it has none and no trouble of the moment. */
export function withCauses(tests: readonly TestRecord[], vouchedFor: VouchedFor = 'all'): TestRecord[] {
  const broken = brokenBy(tests);
  const spoken = new Set(tests.flatMap(({ journal }) => journal?.spoken ?? []));
  const isSpoken = (key: string) =>
    vouchedFor === 'all' ||
    vouchedFor.includes(key) ||
    vouchedFor.includes(key.split('.')[0] as string) ||
    spoken.has(key);
  const known = { broken, isSpoken };
  return tests.map((test) => {
    const { mend, trouble } = test;
    if (mend !== undefined || trouble !== undefined) return test;
    const order = OPEN.includes(test.standing) ? causeOf(test, known) : undefined;
    return order === undefined
      ? withMendedChecks(test, known)
      : { ...withMendedChecks(test, known), mend: order };
  });
}

/** The order that a test waits for, by its own breach or by the answer that it ended on. */
function causeOf(test: TestRecord, known: Known): string | undefined {
  const { journal, standing } = test;
  const own = journal && findingsOf(journal)[0];
  if (own) return mendRule(own.rule);
  const last = journal && lastOf(journal.exchanges, standing);
  // What the target lacks it may lack for many reasons; a refusal of the last call is one of them.
  if (last === undefined || (standing === 'unprepared' && !isRefusal(last))) return undefined;
  return orderFor(last, known, standing);
}

/** The last answer; of a control that was refused the last refusal, as a test may tidy up after it. */
function lastOf(exchanges: readonly RecordedExchange[], standing: Standing): RecordedExchange | undefined {
  const answered = exchanges.filter(({ operation, response }) => operation && response);
  const refusal = standing === 'refused' ? answered.findLast(isRefusal) : undefined;
  return refusal ?? answered.at(-1);
}

function orderFor(
  last: RecordedExchange,
  { broken, isSpoken }: Known,
  standing: Standing,
): string | undefined {
  const rule = broken.get(kindOf(last));
  if (rule !== undefined) return mendRule(rule);
  if (!isRefusal(last)) return undefined;
  const { status, headers = {} } = last.response ?? {};
  if (status === 429 && headers['retry-after'] !== undefined)
    return `let rateLimit in the profile wait as long as the Retry-After of ${last.operation} says`;
  const said = headers['www-authenticate']?.slice(0, QUOTED);
  const words = said === undefined ? '' : ` (the target says: ${said})`;
  const unsaid = keysOf(last).filter((key) => !isSpoken(key));
  if (unsaid.length > 0) return tellKeys(unsaid, words);
  if (standing === 'unprepared') return undefined;
  return `let the target take ${last.operation}, or say in the profile how it is called: it answers ${status}${words}`;
}

function isRefusal({ response }: RecordedExchange): boolean {
  return (response?.status ?? 0) >= 400;
}

const mendRule = (rule: string) => `mend ${rule}, which is violated`;

/** A check that could not tell waits for the rule that its part breaks, or for what its own answers show. */
function withMendedChecks(test: TestRecord, known: Known): TestRecord {
  if (!test.journal?.checks.some(({ outcome }) => outcome === 'inconclusive')) return test;
  const exchanges = new Map(test.journal.exchanges.map((exchange) => [exchange.id, exchange]));
  const checks = test.journal.checks.map((check) => {
    if (check.outcome !== 'inconclusive' || check.mend !== undefined || check.trouble) return check;
    const [, rule] = STANDS_ON_BREACH.exec(check.reason ?? '') ?? [];
    const last = check.exchanges
      .map((id) => exchanges.get(id))
      .findLast((one) => one?.operation && one.response);
    const mend = rule === undefined ? last && orderFor(last, known, 'inconclusive') : mendRule(rule);
    return mend === undefined ? check : { ...check, mend };
  });
  return { ...test, journal: { ...test.journal, checks } };
}

/** By operation and status, the rule that most findings on such answers show broken. */
function brokenBy(tests: readonly TestRecord[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { journal } of tests) {
    if (!journal) continue;
    const exchanges = new Map(journal.exchanges.map((exchange) => [exchange.id, exchange]));
    for (const { rule, place, exchanges: ids } of findingsOf(journal)) {
      const last = ids.map((id) => exchanges.get(id)).findLast((one) => one?.operation && one.response);
      // The shape of a refusal is not why something was refused.
      if (!last || (isRefusal(last) && place !== rule)) continue;
      const kind = kindOf(last);
      const rules = counts.get(kind) ?? new Map<string, number>();
      counts.set(kind, rules.set(rule, (rules.get(rule) ?? 0) + 1));
    }
  }
  const most = (rules: ReadonlyMap<string, number>) =>
    [...rules].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
  return new Map([...counts].map(([kind, rules]) => [kind, most(rules)]));
}

/** Answers of one kind: refusals with another code have another cause. */
function kindOf({ operation, response }: RecordedExchange): string {
  const [, code = ''] = (response?.status ?? 0) >= 400 ? (CODE.exec(response?.body ?? '') ?? []) : [];
  return `${operation} ${response?.status} ${code}`;
}

/** Keys of the dialect that a refused request stood on: what the answer names, else what the request carried. */
function keysOf(exchange: RecordedExchange): string[] {
  const { operation = '', request, response } = exchange;
  const { status = 0, body = '' } = response ?? {};
  const { pathname } = new URL(request.url, 'http://target');
  if (/\/agents\/me(?:\/|$)/.test(pathname) && [401, 403].includes(status)) return ['agentToken'];
  if (/"WALLET_SIGNATURE_|"INVALID_SIGNATURE"/.test(body)) return ['stamp'];
  const carried = CARRIED[operation]?.find(([part]) => request.body?.includes(part));
  if (carried) return [...carried[1]];
  const path = unshownPaths().has(operation) ? [`paths.${operation}`] : [];
  return request.body === undefined ? path : [...path, `bodies.${operation}`];
}

/** By operation: what a body carries, and what of the dialect it was made with. */
const CARRIED: Readonly<Record<string, readonly (readonly [string, readonly string[]])[]>> = {
  verifyCredential: [
    ['"oidcToken"', ['oidcToken', 'oidcNonce']],
    ['"assertion"', ['passkey']],
    ['"encryptedOtpBundle"', ['otpSeal']],
  ],
  createCredential: [
    ['"oidcToken"', ['oidcToken']],
    ['"attestation"', ['passkey']],
    ['"EMAIL_OTP"', ['credentialBody.EMAIL_OTP']],
    ['"SMS_OTP"', ['credentialBody.SMS_OTP']],
  ],
  authorizeQuote: [['', ['scaProof']]],
  completeScaLogin: [['', ['scaProof']]],
};
