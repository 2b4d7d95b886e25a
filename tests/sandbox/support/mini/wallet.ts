import { createHash, randomUUID } from 'node:crypto';
import { expect, test as base } from '@playwright/test';
import { startSandbox, type Sandbox } from '../../../../sandbox/start.ts';
import { Key, encode, seal } from './key.ts';
import type { Passkey } from './passkey.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what an answer holds is for the test to say
type Anything = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Anything;
}

export interface Credential {
  readonly id: string;
  readonly type: string;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One call, ready to be sent again with other headers. */
export interface Step {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
}

export const test = base.extend<{ wallets: (world?: string) => Wallets }, { sandbox: Sandbox }>({
  sandbox: [
    async ({}, use) => {
      const sandbox = await startSandbox();
      await use(sandbox);
      await sandbox.close();
    },
    { scope: 'worker' },
  ],
  wallets: async ({ sandbox }, use) => {
    await use((world = 'default') => new Wallets(sandbox, world));
  },
});

export { expect };

/** The claims of a token, signed by nobody. */
export function token(claims: object, at = Date.now()): string {
  const iat = Math.floor(at / 1000);
  const all = {
    iss: 'https://accounts.google.com',
    aud: 'app',
    sub: 'someone',
    iat,
    exp: iat + 3600,
    ...claims,
  };
  return `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(all)}.c2lnbmF0dXJl`;
}

export const nonceOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** A caller of one world of the sandbox. */
export class Wallets {
  readonly #sandbox: Sandbox;
  readonly #world: string;

  constructor(sandbox: Sandbox, world: string) {
    this.#sandbox = sandbox;
    this.#world = world;
  }

  async send({ method, path, body }: Step, headers: Record<string, string> = {}): Promise<Answer> {
    const { clientId, clientSecret } = this.#sandbox;
    const response = await fetch(this.#sandbox.baseUrl(this.#world) + path, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  get(path: string): Promise<Answer> {
    return this.send({ method: 'GET', path });
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.send({ method: 'POST', path, ...(body === undefined ? {} : { body }) }, headers);
  }

  async state(state: string, params: object = {}): Promise<Anything> {
    const body = JSON.stringify({ state, params });
    const response = await fetch(this.#sandbox.statesUrl(this.#world), { method: 'POST', body });
    if (response.status !== 200) throw new Error(`${state}: ${await response.text()}`);
    return response.json();
  }

  async open(...credentials: ('EMAIL_OTP' | 'SMS_OTP')[]): Promise<Wallet> {
    return new Wallet(this, await this.state('wallet-account', { credentials }));
  }
}

/** A prepared account and what its owner does with it. */
export class Wallet {
  readonly at: Wallets;
  readonly accountId: string;
  readonly customerId: string;
  readonly email: string;
  readonly credentials: readonly Credential[];

  constructor(at: Wallets, { accountId, customerId, email, credentials }: Omit<Wallet, 'at'>) {
    this.at = at;
    this.accountId = accountId;
    this.customerId = customerId;
    this.email = email;
    this.credentials = credentials;
  }

  advance(seconds: number): Promise<unknown> {
    return this.at.state('clock', { advanceSeconds: seconds, customerId: this.customerId });
  }

  async list(): Promise<Credential[]> {
    return (await this.at.get(`/auth/credentials?accountId=${this.accountId}`)).body.data;
  }

  /** First call and retry, with what the payload, the headers or the body are changed to. */
  async signed(step: Step, key: Key): Promise<Answer> {
    const first = await this.at.send(step);
    expect(first.status, JSON.stringify(first.body)).toBe(202);
    return this.retry(step, first, key);
  }

  retry(step: Step, first: Answer, key: Key): Promise<Answer> {
    const { payloadToSign, requestId } = first.body;
    return this.at.send(step, {
      'service-wallet-signature': key.stamp(payloadToSign),
      'request-id': requestId,
    });
  }

  async challengeOtp(id: string): Promise<Buffer> {
    const { status, body } = await this.at.post(`/auth/credentials/${id}/challenge`);
    expect(status, JSON.stringify(body)).toBe(200);
    const { data } = JSON.parse(body.otpEncryptionTargetBundle);
    return Buffer.from(JSON.parse(Buffer.from(data, 'hex').toString()).targetPublic, 'hex');
  }

  otpStep({ id, type }: Credential, target: Buffer, key: Key, code = '000000'): Step {
    const bundle = seal(target, JSON.stringify({ otp_code: code, public_key: key.uncompressed }));
    return {
      method: 'POST',
      path: `/auth/credentials/${id}/verify`,
      body: { type, encryptedOtpBundle: JSON.stringify(bundle) },
    };
  }

  /** A session by one-time code; its key is the client's own. */
  async loginByCode(credential = this.credentials[0]!): Promise<{ key: Key; session: Anything }> {
    const key = new Key();
    const step = this.otpStep(credential, await this.challengeOtp(credential.id), key);
    const answer = await this.signed(step, key);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return { key, session: answer.body };
  }

  oauthStep(claims: object = {}): Step {
    const body = {
      type: 'OAUTH',
      accountId: this.accountId,
      oidcToken: token({ sub: randomUUID(), ...claims }),
    };
    return { method: 'POST', path: '/auth/credentials', body };
  }

  passkeyStep(passkey: Passkey, nickname = 'phone'): Step {
    const registration = passkey.register(Buffer.from(randomUUID()).toString('base64url'));
    return {
      method: 'POST',
      path: '/auth/credentials',
      body: { type: 'PASSKEY', accountId: this.accountId, nickname, ...registration },
    };
  }

  async loginByToken(id: string, claims: object): Promise<{ answer: Answer; key: Key }> {
    const client = new Key();
    const oidcToken = token({ nonce: nonceOf(client.uncompressed), ...claims });
    const answer = await this.at.post(`/auth/credentials/${id}/verify`, {
      type: 'OAUTH',
      oidcToken,
      clientPublicKey: client.uncompressed,
    });
    const sealed = answer.body?.encryptedSessionSigningKey;
    return { answer, key: sealed ? client.openSessionKey(sealed) : client };
  }

  async loginByPasskey(
    id: string,
    passkey: Passkey,
    bend: Parameters<Passkey['assert']>[1] = {},
  ): Promise<{ answer: Answer; key: Key }> {
    const client = new Key();
    const { body: challenge } = await this.at.post(`/auth/credentials/${id}/challenge`, {
      clientPublicKey: client.uncompressed,
    });
    const assertion = passkey.assert(challenge.challenge, bend);
    const headers = { 'request-id': challenge.requestId as string };
    const answer = await this.at.post(
      `/auth/credentials/${id}/verify`,
      { type: 'PASSKEY', assertion },
      headers,
    );
    const sealed = answer.body?.encryptedSessionSigningKey;
    return { answer, key: sealed ? client.openSessionKey(sealed) : client };
  }

  /** A call that needs a session and shows whether one is good. */
  privacyStep(privateEnabled = true): Step {
    return { method: 'PATCH', path: `/internal-accounts/${this.accountId}`, body: { privateEnabled } };
  }
}
