import { expect, test } from '@playwright/test';
import { MissingPathValue, toRequest } from '../../client/call.ts';
import { KeyPair } from '../../client/crypto/index.ts';
import { signedRetry, type RetryMeans, type SignableRequest } from '../../client/signed-retry.ts';
import type { Operation } from '../../schemas/contract.ts';
import { DIALECT } from '../../target/dialect/keys.ts';

const BASE = 'http://host/2025-10-13';
const operation: Operation = {
  id: 'op',
  method: 'POST',
  path: '/agents/{agentId}/actions/{actionId}/approve',
  answers: new Map(),
  mayReturn: [],
  mayList: [],
  factsOnly: false,
};
const PATH = { agentId: 'Agent:1', actionId: 'AgentAction:2' };
const make = (parts: object) =>
  toRequest(BASE, operation, { operation: 'op', label: 'x', path: PATH, ...parts });

/** Parts of a call, and what is sent for them. */
const SENT: readonly (readonly [what: string, parts: object, sent: object])[] = [
  [
    'ids keep their colon, and other characters of a path are encoded',
    { path: { ...PATH, agentId: 'Agent:1/../?' } },
    { method: 'POST', url: `${BASE}/agents/Agent:1%2F..%2F%3F/actions/AgentAction:2/approve` },
  ],
  [
    'a query keeps its colons',
    { query: { accountId: 'InternalAccount:1', a: 'b c' } },
    {
      url: `${BASE}/agents/Agent:1/actions/AgentAction:2/approve?accountId=InternalAccount:1&a=b+c`,
    },
  ],
  ['big integers', { body: { amount: 9223372036854775807n } }, { body: '{"amount":9223372036854775807}' }],
  ['raw text wins over a body', { body: { a: 1 }, raw: '{"a":' }, { body: '{"a":' }],
  ['without a body no content type is sent', {}, { headers: { accept: 'application/json' } }],
  [
    'headers can be changed and taken away',
    {
      body: {},
      authorization: 'Basic x',
      headers: { 'Content-Type': undefined, 'Idempotency-Key': 'k' },
    },
    { headers: { accept: 'application/json', authorization: 'Basic x', 'idempotency-key': 'k' } },
  ],
];

for (const [what, parts, sent] of SENT)
  test(what, () => {
    const made = Object.entries(make(parts)).filter(([part]) => part in sent);
    expect(Object.fromEntries(made)).toEqual(sent);
  });

test('a value of the path that an answer should have carried is missed by name', () => {
  const call = () => make({ path: { agentId: 'Agent:1', actionId: undefined } });
  expect(call).toThrow(MissingPathValue);
  expect(call).toThrow('there is no actionId');
});

for (const [atOnce, most] of [
  [false, 1],
  [true, 3],
] as const)
  test(`a signed retry that is sent three times is the same each time, ${atOnce ? 'at once' : 'in turn'}`, async () => {
    const log: SignableRequest[] = [];
    let [running, ranAtOnce] = [0, 0];
    const means: RetryMeans<SignableRequest, { number: number }> = {
      brand: 'Acme',
      stampForm: DIALECT.stamp.default,
      challengeIn: ({ number }) =>
        number === 1 ? { payloadToSign: 'x', requestId: 'Request:1' } : undefined,
      async send(request) {
        const number = log.push(request);
        ranAtOnce = Math.max(ranAtOnce, (running += 1));
        await Promise.resolve();
        running -= 1;
        return { number };
      },
    };
    await signedRetry(means, { label: 'a thing' }, KeyPair.generate(), { times: 3, atOnce });
    expect(log).toHaveLength(4);
    expect(ranAtOnce).toBe(most);
    expect(log[1]).toEqual(log[2]);
  });
