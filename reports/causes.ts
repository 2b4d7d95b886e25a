/**
 * What stands before a test that could not tell: a rule that the target breaks, a key of the dialect that nothing has shown,
 * or the call that was refused. It is an order ("mend …", "say …"), so that rules which wait for one thing stand together.
 */
import type { RecordedExchange } from '../journal/types.ts';
import { unshownPaths } from '../schemas/openapi.ts';
import { findingsOf, type Standing, type TestRecord } from './evidence.ts';
import type { VouchedFor } from './withdrawn-findings.ts';

const OPEN: readonly Standing[] = ['refused', 'inconclusive', 'stopped', 'unprepared'];
/** Where a check stood on a part of an answer that breaks a rule of its shape. */
const STANDS_ON_BREACH = /already breaks ([A-Z][A-Z0-9-]+)/;
const QUOTED = 80;

/** Gives each open test the order that follows from its cause, where it has none and no trouble of the moment. */
export function withCauses(tests: readonly TestRecord[], vouchedFor: VouchedFor = 'all'): TestRecord[] {
  const broken = brokenBy(tests);
  const spoken = new Set(tests.flatMap(({ journal }) => journal?.spoken ?? []));
  const isSpoken = (key: string) =>
    vouchedFor === 'all' ||
    vouchedFor.includes(key) ||
    vouchedFor.includes(key.split('.')[0] as string) ||
    spoken.has(key);
  return tests.map((test) => {
    const { mend, trouble } = test;
    if (mend !== undefined || trouble !== undefined) return test;
    const order = OPEN.includes(test.standing) ? causeOf(test, broken, isSpoken) : undefined;
    return order === undefined ? withMendedChecks(test) : { ...withMendedChecks(test), mend: order };
  });
}

function causeOf(
  test: TestRecord,
  broken: ReadonlyMap<string, string>,
  isSpoken: (key: string) => boolean,
): string | undefined {
  const own = test.journal && findingsOf(test.journal)[0];
  if (own) return mendRule(own.rule);
  const last = test.journal?.exchanges.findLast(({ operation, response }) => operation && response);
  if (!last?.response || last.operation === undefined) return undefined;
  const isRefused = last.response.status >= 400;
  // What the target lacks it may lack for many reasons; a refusal of the last call is one of them.
  if (test.standing === 'unprepared' && !isRefused) return undefined;
  const rule = broken.get(kindOf(last));
  if (rule !== undefined) return mendRule(rule);
  if (!isRefused) return undefined;
  const unsaid = keysOf(last).filter((key) => !isSpoken(key));
  const said = last.response.headers['www-authenticate']?.slice(0, QUOTED);
  const words = said === undefined ? '' : ` (the target says: ${said})`;
  if (unsaid.length > 0)
    return `say in the profile how the target does ${unsaid.map((key) => `\`${key}\``).join(', ')}, or that it speaks the default dialect${words}`;
  if (test.standing === 'unprepared') return undefined;
  return `let the target take ${last.operation}, or say in the profile how it is called: it answers ${last.response.status}${words}`;
}

const mendRule = (rule: string) => `mend ${rule}, which is violated`;

/** A check of a part that breaks another rule waits for that rule. */
function withMendedChecks(test: TestRecord): TestRecord {
  if (!test.journal?.checks.some(({ outcome }) => outcome === 'inconclusive')) return test;
  const checks = test.journal.checks.map((check) => {
    const [, rule] = STANDS_ON_BREACH.exec(check.reason ?? '') ?? [];
    return check.outcome !== 'inconclusive' || check.mend !== undefined || check.trouble || rule === undefined
      ? check
      : { ...check, mend: mendRule(rule) };
  });
  return { ...test, journal: { ...test.journal, checks } };
}

/** By operation and status, the rule that most findings on such answers show broken. */
function brokenBy(tests: readonly TestRecord[]): ReadonlyMap<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { journal } of tests) {
    if (!journal) continue;
    const exchanges = new Map(journal.exchanges.map((exchange) => [exchange.id, exchange]));
    for (const { rule, exchanges: ids } of findingsOf(journal)) {
      const last = ids.map((id) => exchanges.get(id)).findLast((one) => one?.operation && one.response);
      if (!last) continue;
      const kind = kindOf(last);
      const rules = counts.get(kind) ?? new Map<string, number>();
      counts.set(kind, rules.set(rule, (rules.get(rule) ?? 0) + 1));
    }
  }
  const most = (rules: ReadonlyMap<string, number>) =>
    [...rules].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
  return new Map([...counts].map(([kind, rules]) => [kind, most(rules)]));
}

function kindOf({ operation, response }: RecordedExchange): string {
  return `${operation} ${response?.status}`;
}

/** Keys of the dialect that a refused request stood on. */
function keysOf({ operation = '', request, response }: RecordedExchange): string[] {
  const { status = 0, body = '' } = response ?? {};
  if (
    /\/agents\/me(?:\/|$)/.test(new URL(request.url, 'http://target').pathname) &&
    [401, 403].includes(status)
  )
    return ['agentToken'];
  if (/"WALLET_SIGNATURE_|"INVALID_SIGNATURE"/.test(body)) return ['stamp'];
  if (operation === 'verifyCredential') return ['otpSeal'];
  if (operation === 'authorizeQuote' || operation === 'completeScaLogin') return ['scaProof'];
  const path = unshownPaths().has(operation) ? [`paths.${operation}`] : [];
  return request.body === undefined ? path : [...path, `bodies.${operation}`];
}
