import { expect } from '@playwright/test';
import type { CallParts } from '../../../../suite/api/platform.ts';
import { Wallet, type WalletMeans } from '../../../../suite/api/wallet.ts';
import type { Credential, WalletSession } from '../../../../suite/api/wallet/credentials.ts';
import { withWalletNeeds } from '../../../../suite/need.ts';
import { Answer } from '../../../../suite/answer.ts';
import { DIALECT } from '../../../../target/dialect/keys.ts';

/** Ends a test that can prove nothing, as `need` does. */
class Ended extends Error {}

export const need = withWalletNeeds(
  Object.assign(
    (answer: Answer) => ({
      accepted: () => {
        if ((answer.exchange.response?.status ?? 0) >= 300) throw new Ended(`${answer.label}: not accepted`);
      },
    }),
    { that: condition, offered: condition },
  ),
);

function condition<T>(value: T, otherwise: string) {
  if (!value) throw new Ended(otherwise);
  return value as never;
}

export function answered(label: string, status: number, body?: unknown, headers = {}): Answer {
  const request = { method: 'POST', url: 'x', headers: {} };
  const text = body === undefined ? '' : JSON.stringify(body);
  const exchange = { at: 0, milliseconds: 1, request, response: { status, headers, text } };
  return new Answer(label, label, exchange, body, []);
}

export interface Sent extends CallParts {
  readonly operation: unknown;
}

/** A wallet on a service that answers what it is told to, what was sent to it, and which rules were blamed. */
export function walletOn(answer: (sent: Sent) => readonly [status: number, body?: unknown]) {
  const log: Sent[] = [];
  const spoken: string[] = [];
  const blamed: string[] = [];
  const means = {
    platform: {
      async call(operation: unknown, parts: CallParts) {
        const sent = { ...parts, operation };
        log.push(sent);
        return answered(String(parts.label), ...answer(sent));
      },
      speaks: (keys: readonly string[]) => void spoken.push(...keys),
      blame: (rule: string) => void blamed.push(rule),
    },
    profile: {
      brand: 'Acme',
      capabilities: ['passkey', 'oauth', 'email-otp'],
      dialect: Object.fromEntries(Object.entries(DIALECT).map(([key, row]) => [key, row.default])),
    },
    secrets: { add: () => undefined, addBytes: () => undefined },
    clock: { advance: async (seconds: number) => seconds * 1_000 },
    need,
    codeFor: async () => '000000',
  };
  const wallet = new Wallet(means as unknown as WalletMeans, {
    accountId: 'InternalAccount:1',
    customerId: 'Customer:1',
    credentials: [{ id: 'AuthMethod:1', type: 'EMAIL_OTP' }],
  });
  return { wallet, log, spoken, blamed };
}

/** Lets a wallet sign with a session of its own. */
export function signIn(wallet: Wallet): WalletSession {
  const key = wallet.newKey();
  const credential: Credential = wallet.credentialOf('EMAIL_OTP');
  const session = { key, credentialId: credential.id, type: credential.type, expiresAt: undefined, id: 'S' };
  wallet.signWith(credential, session);
  return session;
}

/** Answers each first call with a challenge, and each signed retry with this. */
export const challenging =
  (retried: readonly [status: number, body?: unknown]) =>
  ({ headers }: Sent): readonly [status: number, body?: unknown] =>
    headers?.['Request-Id'] === undefined && headers?.['Acme-Wallet-Signature'] === undefined
      ? [202, { payloadToSign: 'sign me', requestId: 'Request:1' }]
      : retried;

/** What a promise ends with, in words. */
export async function endOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'goes on';
  } catch (error) {
    expect(error).toBeInstanceOf(Ended);
    return (error as Error).message;
  }
}
