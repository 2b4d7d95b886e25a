import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import {
  made,
  mistakePairs,
  mistakesIn,
  spread,
  type Body,
  allMistakes,
  oneMistakes,
} from '../../generators/mistakes.ts';
import { requestShape, requestShapes } from '../../generators/requests.ts';
import { fits, plainly } from '../../generators/schemas.ts';
import { loadContract } from '../../schemas/contract.ts';
import { Validator } from '../../schemas/validator.ts';
import { fourProperties } from './four-properties.ts';

const UUID = '01234567-89ab-4cde-8f01-23456789abcd';
/** A legal body of each operation whose body is stated. */
const LEGAL: readonly (readonly [operation: string, body: Body])[] = [
  [
    'transferOut',
    {
      source: { accountId: `InternalAccount:${UUID}` },
      destination: { accountId: `ExternalAccount:${UUID}` },
      amount: 1_000,
      remittanceInformation: 'Invoice 1',
      purposeOfPayment: 'GIFT',
    },
  ],
  ['createCredential', { type: 'OAUTH', accountId: `InternalAccount:${UUID}`, oidcToken: 'a.b.c' }],
  [
    'createCredential',
    {
      type: 'PASSKEY',
      accountId: `InternalAccount:${UUID}`,
      nickname: 'key',
      challenge: 'abc',
      attestation: { credentialId: 'aa', clientDataJson: 'bb', attestationObject: 'cc' },
    },
  ],
  ['createCredential', { type: 'EMAIL_OTP', accountId: `InternalAccount:${UUID}` }],
  ['verifyCredential', { type: 'OAUTH', oidcToken: 'a.b.c', clientPublicKey: '04ab' }],
  ['verifyCredential', { type: 'EMAIL_OTP', encryptedOtpBundle: '{}' }],
  ['challengeCredential', { clientPublicKey: '04ab' }],
];

for (const [operation, body] of LEGAL) {
  const schema = requestShape(operation).body!.schema;
  const name = `${operation}${typeof body['type'] === 'string' ? ` of ${body['type']}` : ''}`;

  test(`${name}: the legal body fits, and no mistake does`, () => {
    expect(fits(schema, body)).toBe(true);
    const mistakes = mistakesIn(schema, body);
    expect(mistakes.length).toBeGreaterThan(0);
    const legal = mistakes.filter((mistake) => fits(schema, plain(mistake.body)));
    expect(legal.map(({ field, kind, after }) => `${field} ${kind} ${fc.stringify(after)}`)).toEqual([]);
  });

  test(`${name}: each mistake is made in the field that it names, and nowhere else`, () => {
    for (const mistake of mistakesIn(schema, body)) {
      expect(made(mistake, body)).toEqual(mistake.body);
      expect(made({ field: mistake.field, after: mistake.before }, mistake.body)).toEqual(body);
    }
  });
}

test('a transfer-out can be wrong in every field, and in every way that its schema knows', () => {
  const [, body] = LEGAL[0]!;
  const kinds = new Set(mistakesIn(requestShape('transferOut').body!.schema, body).map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual([
    'a fraction',
    'as text',
    'beyond 64 bits',
    'missing',
    'not in the list',
    'not of its form',
    'null',
    'too long',
    'wrong type',
  ]);
});

test('a spread keeps the first mistake of each kind in each field, and bounds the others', () => {
  const [, body] = LEGAL[0]!;
  const all = mistakesIn(requestShape('transferOut').body!.schema, body);
  const some = spread(all, 5);
  const groups = (of: typeof all) => new Set(of.map(({ field, kind }) => `${field} ${kind}`));
  expect(groups(some)).toEqual(groups(all));
  expect(some[0]).toBe(all[0]);
  for (const group of groups(some))
    expect(some.filter(({ field, kind }) => `${field} ${kind}` === group).length).toBeLessThanOrEqual(6);
});

test('two mistakes are in two fields, neither within the other, and both are in the body', () => {
  const [, body] = LEGAL[0]!;
  const schema = requestShape('transferOut').body!.schema;
  for (const [one, other, both] of fc.sample(mistakePairs(schema, body), { seed: 1, numRuns: 200 })) {
    expect(one.field).not.toBe(other.field);
    expect(`${one.field}.`.startsWith(`${other.field}.`)).toBe(false);
    expect(both).toEqual(made(other, made(one, body)));
    expect(fits(schema, plain(both))).toBe(false);
  }
});

test('fields that are known from deployments alone are told apart', () => {
  const { schema } = requestShape('createQuote').body!;
  const mistakes = mistakesIn(schema, { source: {}, lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 1 });
  expect(mistakes.filter(({ stated }) => stated)).toEqual([]);
  expect(requestShape('transferIn').stated).toBe(false);
  expect(requestShape('transferOut').stated).toBe(true);
});

test('every operation with a body, a query or a value in its path is read', () => {
  const names = requestShapes().map(({ operation }) => operation);
  expect(names).toEqual(
    expect.arrayContaining(['transferOut', 'listCredentials', 'revokeCredential', 'getQuote']),
  );
  expect(names).not.toContain('getMe');
  expect(requestShape('approveAgentAction').parameters.map(({ name }) => name)).toEqual([
    'agentId',
    'actionId',
  ]);
  expect(() => requestShape('noSuchOperation')).toThrow('openapi.yaml has no operation noSuchOperation');
});

test('a schema is read plainly for the value that it meets', () => {
  const { schema } = requestShape('createCredential').body!;
  const required = (value: Body) => plainly(schema, value)['required'];
  expect(required({ type: 'OAUTH' })).toEqual(['type', 'accountId', 'oidcToken']);
  expect(required({ type: 'EMAIL_OTP' })).toEqual(['type', 'accountId']);
});

test('whole numbers are exact at the ends of 64 bits', () => {
  const int64 = { type: 'integer', minimum: -9223372036854775808, maximum: 9223372036854775807 };
  expect(fits(int64, 2n ** 63n - 1n)).toBe(true);
  expect(fits(int64, 2n ** 63n)).toBe(false);
  expect(fits(int64, -(2n ** 63n))).toBe(true);
  expect(fits(int64, -(2n ** 63n) - 1n)).toBe(false);
});

/** As it is read back from the wire: numbers of any spelling as doubles. */
function plain(body: Body): unknown {
  return JSON.parse(
    JSON.stringify(body, (_, value: unknown) =>
      typeof value === 'bigint'
        ? Number(value)
        : typeof value === 'object' && value !== null && 'isLosslessNumber' in value
          ? Number(String((value as unknown as { value: string }).value))
          : value,
    ),
    (_, value: unknown) => (value === null || typeof value !== 'number' ? value : exactly(value)),
  );
}

/** A double beyond the range stands for a whole number beyond it. */
function exactly(value: number): unknown {
  return Number.isInteger(value) && Math.abs(value) >= 2 ** 63
    ? BigInt(value) + (value > 0 ? 0n : -1n)
    : value;
}

const TRANSFER = {
  source: { accountId: 'InternalAccount:01234567-89ab-4cde-8f01-23456789abcd' },
  destination: { accountId: 'ExternalAccount:01234567-89ab-4cde-8f01-23456789abcd' },
  amount: 1_000,
};
const validator = new Validator();
const { components } = await loadContract('Service');
const breaches = (body: unknown) =>
  validator.judge(components.get('TransferOutRequest') ?? {}, body).breaches;
const FIELDS = [
  'source',
  'source.accountId',
  'destination',
  'destination.accountId',
  'destination.paymentRail',
  'amount',
  'remittanceInformation',
  'purposeOfPayment',
];

fourProperties('oneMistakes', {
  arbitrary: oneMistakes('TransferOutRequest', TRANSFER),
  isRight: ({ body }) => new Set(breaches(body).map(({ pointer }) => pointer)).size === 1,
  shrinks: false,
});

test('the legal body has no mistake', () => {
  expect(breaches(TRANSFER)).toEqual([]);
});

test('each mistake is at the field that it names', () => {
  for (const { field, mistake, body } of allMistakes('TransferOutRequest', TRANSFER))
    expect(breaches(body)[0]?.pointer, `${mistake} ${field}`).toBe(`/${field.replaceAll('.', '/')}`);
});

test('every field has its mistakes, and only required ones are missing or null', () => {
  const all = allMistakes('TransferOutRequest', TRANSFER);
  expect(new Set(all.map(({ field }) => field))).toEqual(new Set(FIELDS));
  expect([
    ...new Set(all.filter(({ mistake }) => mistake !== 'wrong type').map(({ field }) => field)),
  ]).toEqual(FIELDS.slice(0, 4));
});

test('the mistakes can be narrowed down', () => {
  const amounts = allMistakes('TransferOutRequest', TRANSFER).filter(({ field }) => field === 'amount');
  expect(amounts.map(({ body }) => body['source'])).toEqual(amounts.map(() => TRANSFER.source));
});
