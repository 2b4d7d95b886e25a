import { expect, test } from '@playwright/test';
import type { RecordedExchange } from '../../journal/types.ts';
import { withCauses } from '../../reports/verdicts/causes.ts';
import type { TestRecord } from '../../reports/journals/evidence.ts';
import { finding, journal } from './sample.ts';

const exchange = (
  operation: string,
  status: number,
  more: { readonly path?: string; readonly headers?: Record<string, string>; readonly body?: string } = {},
): RecordedExchange => ({
  ...{ id: 't.1', label: operation, operation, at: '2026-11-23T00:00:00.000Z', milliseconds: 1 },
  request: { method: 'POST', url: `http://target${more.path ?? '/quotes'}`, headers: {}, body: '{}' },
  response: { status, headers: more.headers ?? {}, body: more.body ?? '{}' },
});

const record = (standing: TestRecord['standing'], left: Partial<TestRecord['journal']>): TestRecord => ({
  ...{ label: standing, rules: ['THING-A'], standing, reason: 'no', outcome: 'skipped' },
  journal: journal(left),
});

const blamed = record('stopped', {
  findings: [finding({ rule: 'THING-B', exchanges: ['t.1'] })],
  exchanges: [exchange('transferOut', 201)],
});
const ME = { path: '/agents/me/transfer-out', headers: { 'www-authenticate': 'Token' } };

for (const [situation, open, order, spoken = []] of [
  [
    'an answer that breaks a rule elsewhere',
    record('inconclusive', { exchanges: [exchange('transferOut', 201)] }),
    /^mend THING-B, which is violated$/,
  ],
  [
    "an agent's token that is never taken",
    record('refused', { exchanges: [exchange('transferOut', 401, ME)] }),
    /^say in the profile how the target does `agentToken`, .*\(the target says: Token\)$/,
  ],
  [
    "an agent's token that was taken elsewhere",
    record('refused', { exchanges: [exchange('transferOut', 401, ME)] }),
    /^let the target take transferOut, /,
    ['agentToken', 'bodies.transferOut'],
  ],
  [
    'a stamp that is never taken',
    record('refused', {
      exchanges: [exchange('revokeCredential', 401, { body: '{"code":"WALLET_SIGNATURE_INVALID"}' })],
    }),
    /^say in the profile how the target does `stamp`, /,
  ],
  [
    'a path that nothing has shown',
    record('unprepared', { exchanges: [exchange('executeQuote', 404)] }),
    /^say in the profile how the target does `paths.executeQuote`, `bodies.executeQuote`, /,
  ],
  [
    'a rate limit that asks for more time than a run waits',
    record('refused', {
      exchanges: [exchange('challengeCredential', 429, { headers: { 'retry-after': '60' } })],
    }),
    /^let rateLimit in the profile wait as long as the Retry-After of challengeCredential says$/,
  ],
  ['a state that is not served', record('unprepared', { exchanges: [exchange('createQuote', 201)] }), /^$/],
  ['trouble of the moment', { ...record('inconclusive', {}), trouble: '503' }, /^$/],
] as readonly (readonly [string, TestRecord, RegExp, string[]?])[])
  test(`the cause of ${situation}`, () => {
    const [first] = withCauses([open, blamed, record('completed', { spoken })], []);
    expect(first?.mend ?? '').toMatch(order);
  });

test('a refusal with another code than that of the broken rule has another cause', () => {
  const refusal = (code: string) => [exchange('transferOut', 400, { body: `{"code":"${code}"}` })];
  const broken = record('stopped', {
    findings: [finding({ rule: 'THING-B', exchanges: ['t.1'] })],
    exchanges: refusal('INVALID_INPUT'),
  });
  const ordersOf = (code: string) =>
    withCauses([record('refused', { exchanges: refusal(code) }), broken], 'all')[0]?.mend;
  expect(ordersOf('INVALID_INPUT')).toBe('mend THING-B, which is violated');
  expect(ordersOf('AMOUNT_OUT_OF_RANGE')).toMatch(/^let the target take transferOut/);
  const shape = record('completed', {
    findings: [finding({ rule: 'ERROR-SHAPE', place: '/details', exchanges: ['t.1'] })],
    exchanges: refusal('INVALID_INPUT'),
  });
  const order = withCauses([record('refused', { exchanges: refusal('INVALID_INPUT') }), shape], 'all')[0];
  expect(order?.mend).toMatch(/^let the target take transferOut/);
});
