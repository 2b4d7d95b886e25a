import { expect, test } from '@playwright/test';
import { loadContract, type Contract } from '../../../schemas/contract.ts';
import { Validator } from '../../../schemas/validator.ts';

/** What is wrong in words, the value, and the rules that must be blamed: none for a legal value. */
export type Case = readonly [what: string, value: unknown, ...rules: string[]];

const validator = new Validator();
const contract: Promise<Contract> = loadContract('Service');

/** Rules that are blamed when a value is held against a component, sorted. */
export async function blamed(component: string, value: unknown): Promise<readonly string[]> {
  const schema = (await contract).components.get(component);
  if (!schema) throw new Error(`no component ${component}`);
  const rules = validator.judge(schema, value).breaches.map((breach) => breach.rule ?? 'nobody');
  return [...new Set(rules)].sort();
}

/** One test a case: one mistake is one rule, and a legal value is nobody's. */
export function blames(component: string, cases: readonly Case[]): void {
  test.describe(component, () => {
    for (const [what, value, ...rules] of cases)
      test(`${what}: ${rules.join(', ') || 'fine'}`, async () =>
        expect(await blamed(component, value)).toEqual([...rules].sort()));
  });
}

/** Cases that leave a field out, or put the given values into it. */
export function fieldCases(
  object: object,
  rules: Readonly<Record<string, string>>,
  change: (object: object, field: string) => readonly (readonly [string, object])[],
): Case[] {
  return Object.entries(rules).flatMap(([field, rule]) =>
    change(object, field).map(([what, value]): Case => [`${field} ${what}`, value, rule]),
  );
}

/** Legal objects; each blame test makes one mistake in one of them. */

export const UUID = '01234567-89ab-CDEF-0123-456789abcdef';
export const TIME = '2026-01-02T03:04:05Z';

export const action = {
  id: `AgentAction:${UUID}`,
  agentId: `Agent:${UUID}`,
  customerId: `Customer:${UUID}`,
  platformCustomerId: 'p',
  status: 'PENDING_APPROVAL',
  type: 'TRANSFER_OUT',
  transferDetails: {
    amount: 1,
    currency: 'USD',
    sourceAccountId: `InternalAccount:${UUID}`,
    destinationAccountId: `ExternalAccount:${UUID}`,
  },
  createdAt: TIME,
  updatedAt: '2026-01-02T03:04:05.123+00:00',
  aFieldThatNobodyKnows: 1,
};

export const quote = {
  id: `Quote:${UUID}`,
  status: 'PENDING',
  expiresAt: TIME,
  createdAt: TIME,
  source: { sourceType: 'ACCOUNT' },
  destination: { destinationType: 'UMA_ADDRESS' },
  sendingCurrency: { code: 'USD', decimals: 2 },
  receivingCurrency: {},
  totalSendingAmount: 1,
  // The greatest int64, as JSON.parse reads it.
  totalReceivingAmount: 2 ** 63,
  exchangeRate: 0.5,
  feesIncluded: 0,
  transactionId: `Transaction:${UUID}`,
};

export const scaChallenge = {
  id: `ScaChallenge:${UUID}`,
  expiresAt: TIME,
  factor: 'SMS_OTP',
  availableFactors: ['SMS_OTP', 'TOTP'],
};

export const pendingQuote = { ...quote, status: 'PENDING_AUTHORIZATION', scaChallenge };

export const executeAction = without({ ...action, type: 'EXECUTE_QUOTE', quote }, 'transferDetails');

export const instructions = [
  {
    accountOrWalletInfo: { accountType: 'USD_ACCOUNT', paymentRails: ['ACH'], accountNumber: '1' },
    isPlatformAccount: true,
    instructionsNotes: 'x',
  },
];

export const rateDetails = {
  counterpartyMultiplier: 1,
  counterpartyFixedFee: 0,
  serviceApiMultiplier: 1.5,
  serviceApiFixedFee: 0,
  serviceApiVariableFeeRate: 0,
  serviceApiVariableFeeAmount: 0.5,
};

export const authMethod = {
  id: `AuthMethod:${UUID}`,
  accountId: `InternalAccount:${UUID}`,
  type: 'EMAIL_OTP',
  createdAt: TIME,
  updatedAt: TIME,
};

export const otpSession = { ...authMethod, id: `Session:${UUID}`, expiresAt: TIME };

export const signedRetry = {
  type: 'OAUTH',
  payloadToSign: 'p',
  requestId: `Request:${UUID}`,
  expiresAt: TIME,
};

export const passkeyChallenge = { challenge: '0af0', requestId: `Request:${UUID}`, expiresAt: TIME };

/** A copy with one property changed; the path has dots. */
export function put(object: object, path: string, value: unknown): object {
  const copy = structuredClone(object) as Record<string, unknown>;
  const { parent, last } = locate(copy, path);
  parent[last] = value;
  return copy;
}

/** A copy without one property; the path has dots. */
export function without(object: object, path: string): object {
  const copy = structuredClone(object) as Record<string, unknown>;
  const { parent, last } = locate(copy, path);
  delete parent[last];
  return copy;
}

function locate(
  root: Record<string, unknown>,
  path: string,
): { parent: Record<string, unknown>; last: string } {
  const steps = path.split('.');
  const last = steps.pop() as string;
  return { parent: steps.reduce((node, step) => node[step] as Record<string, unknown>, root), last };
}
