import { randomBytes } from 'node:crypto';
import { signEd25519 } from '../../client/crypto/index.ts';
import type { Answer } from '../answers/answer.ts';
import { eventually } from '../eventually.ts';
import type { QuoteCustomer } from './quotes/quote-customer.ts';
import { isObject } from '../../target/is-object.ts';

/** Schemes of wallets that this suite can sign for. */
const SCHEME = 'ed25519';

/** The status of an account, and the answer that shows it. */
interface StatusSighting {
  readonly status: string;
  readonly answer: Answer;
}

/** What an ownership verification gets wrong on purpose. */
interface OwnershipTampering {
  /** Signs another message than the one asked for. */
  readonly anotherMessage?: boolean;
  /** Another wallet signs. */
  readonly anotherWallet?: boolean;
}

/** The ownership verification of a customer's external account (section External account status). */
export class Ownership {
  readonly accountId: string;
  readonly customer: QuoteCustomer;
  readonly #seed: string;

  constructor(customer: QuoteCustomer, accountId: string, seed: string) {
    this.customer = customer;
    this.accountId = accountId;
    this.#seed = seed;
  }

  /** POST …/challenge */
  challenge(method = 'WALLET_SIGNATURE'): Promise<Answer> {
    return this.customer.call('challengeExternalAccount', {
      label: 'asking for an ownership challenge',
      path: { id: this.accountId },
      body: this.customer.told('challengeExternalAccount', { method }),
    });
  }

  /** POST …/verify with a signature over the challenge's message; undefined where it shows none that could be recognised. */
  async verify(challenge: Answer, tamper: OwnershipTampering = {}): Promise<Answer | undefined> {
    const message = (challenge.body as { messageToSign?: unknown } | undefined)?.messageToSign;
    if (typeof message !== 'string') return undefined;
    const text = tamper.anotherMessage ? `${message} (another message)` : message;
    const signature = signEd25519(text, tamper.anotherWallet ? randomBytes(32).toString('hex') : this.#seed);
    return this.customer.call('verifyExternalAccount', {
      label: `proving the ownership${tamper.anotherMessage ? ' over another message' : ''}${tamper.anotherWallet ? ' by another wallet' : ''}`,
      path: { id: this.accountId },
      body: this.customer.told('verifyExternalAccount', { signature }),
    });
  }

  /** The account as it is now. The path is not shown in the interface: undefined where no status can be recognised. */
  async look(): Promise<StatusSighting | undefined> {
    return this.sighting(
      await this.customer.call('getExternalAccount', {
        label: 'reading the external account',
        path: { id: this.accountId },
      }),
    );
  }

  /** Reads until the account has one of these statuses; the last look, whether or not it has. */
  reaches(statuses: readonly string[]): Promise<StatusSighting | undefined> {
    return eventually(
      () => this.look(),
      (seen) => seen === undefined || statuses.includes(seen.status),
      this.customer.patienceMs,
    );
  }

  /** Reads until the account has another status; the last look, whether or not it has. */
  differs(status: string): Promise<StatusSighting | undefined> {
    return eventually(
      () => this.look(),
      (seen) => seen === undefined || seen.status !== status,
      this.customer.patienceMs,
    );
  }

  /** The status of this account in an answer of open shape. */
  sighting(answer: Answer): StatusSighting | undefined {
    if (!answer.exchange.response || !answer.accepted) return undefined;
    const body: unknown = answer.body;
    const places = isObject(body) ? [body, ...Object.values(body)] : [];
    for (const place of places)
      if (isObject(place) && same(place['id'], this.accountId) && typeof place['status'] === 'string')
        return { status: place['status'], answer };
    return undefined;
  }
}

/** The ownership verification of a prepared customer's destination; not verified where the wallet's key is not given. */
export function ownershipOf(customer: QuoteCustomer): Ownership {
  const { need } = customer;
  const { wallet, destinationAccountId } = customer.state;
  const seed = wallet?.scheme === SCHEME ? wallet.privateKey : undefined;
  return new Ownership(
    customer,
    need.offered(destinationAccountId, 'the state names no destination account'),
    need.offered(
      seed,
      `the state gives no ${SCHEME} key of the destination's wallet, so nothing can be signed`,
    ),
  );
}

function same(a: unknown, b: string): boolean {
  return typeof a === 'string' && a.toLowerCase() === b.toLowerCase();
}
