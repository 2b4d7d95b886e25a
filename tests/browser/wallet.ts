import type { Sandbox } from '../../sandbox/start.ts';
import { type Answer, Caller } from '../sandbox/support/test.ts';

export type { Answer };

/** One call, ready to be sent again with other headers. */
export interface Step {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** The platform's calls to the sandbox. */
export class Wallets {
  readonly #caller: Caller;

  constructor(sandbox: Sandbox) {
    this.#caller = new Caller(sandbox);
  }

  send({ method, path, body }: Step, headers?: Record<string, string>): Promise<Answer> {
    return this.#caller.platform(method, path, body, headers);
  }

  get(path: string): Promise<Answer> {
    return this.#caller.platform('GET', path);
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.send({ method: 'POST', path, body }, headers);
  }

  /** A prepared account. */
  async open(): Promise<Wallet> {
    const { accountId } = await this.#caller.state<Wallet>('wallet-account', { credentials: [] });
    return new Wallet(this, accountId);
  }
}

/** A prepared account, and what its owner does with it. */
export class Wallet {
  readonly at: Wallets;
  readonly accountId: string;

  constructor(at: Wallets, accountId: string) {
    this.at = at;
    this.accountId = accountId;
  }

  async list(): Promise<readonly unknown[]> {
    return (await this.at.get(`/auth/credentials?accountId=${this.accountId}`)).body.data;
  }

  /** A call that needs a session and shows whether one is good. */
  privacyStep(): Step {
    return { method: 'PATCH', path: `/internal-accounts/${this.accountId}`, body: { privateEnabled: true } };
  }
}
