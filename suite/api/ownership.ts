import { randomBytes } from 'node:crypto';
import { signEd25519 } from '../../client/crypto/index.ts';
import { succeeded, type Answer } from '../answers/answer.ts';
import { partsOf, type Told } from './platform.ts';
import type { QuoteCustomer } from './quotes/quote-customer.ts';
import { objectsWithin } from '../objects-within.ts';
import { sameId } from '../same-id.ts';

/** Schemes of wallets that this suite can sign for. */
const SCHEME = 'ed25519';
/** By this it is remembered how late the status of an account is read. */
const STATUS = 'ownership';

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
  /** Nobody signs: as many bytes, all of them 0. */
  readonly noWallet?: boolean;
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
  challenge(method = 'WALLET_SIGNATURE', told: Told = {}): Promise<Answer> {
    return this.customer.call('challengeExternalAccount', {
      label: 'asking for an ownership challenge',
      path: { id: this.accountId },
      body: this.customer.told('challengeExternalAccount', { method }),
      ...partsOf(told),
    });
  }

  /** POST …/verify with a signature over the challenge's message; undefined where it shows none that could be recognised. */
  async verify(
    challenge: Answer,
    tamper: OwnershipTampering = {},
    told: Told = {},
  ): Promise<Answer | undefined> {
    const message = (challenge.body as { messageToSign?: unknown } | undefined)?.messageToSign;
    if (typeof message !== 'string') return undefined;
    const text = tamper.anotherMessage ? `${message} (another message)` : message;
    const signed = signEd25519(text, tamper.anotherWallet ? randomBytes(32).toString('hex') : this.#seed);
    const signature = tamper.noWallet ? signed.replace(/./g, '0') : signed;
    const over = tamper.anotherMessage ? ' over another message' : '';
    const by = tamper.anotherWallet ? ' by another wallet' : tamper.noWallet ? ' by no wallet' : '';
    return this.customer.call('verifyExternalAccount', {
      label: `proving the ownership${over}${by}`,
      path: { id: this.accountId },
      body: this.customer.told('verifyExternalAccount', { signature }),
      ...partsOf(told),
    });
  }

  /** The account as it is now. The path is not shown in the interface: undefined where no status can be recognised. */
  async look(): Promise<StatusSighting | undefined> {
    const path = { id: this.accountId };
    const label = 'reading the external account';
    return this.sighting(await this.customer.call('getExternalAccount', { label, path }));
  }

  /** Reads until the account has a status that is wanted; the last look, whether or not it has. */
  async until(wanted: (status: string) => boolean): Promise<StatusSighting | undefined> {
    const shows = (seen: StatusSighting | undefined) => seen === undefined || wanted(seen.status);
    return (
      await this.customer.lateReads.untilShown(STATUS, () => this.look(), shows, this.customer.patienceMs)
    ).seen;
  }

  /** Whether it has been seen how late a read shows what was done. */
  get knowsLateness(): boolean {
    return this.customer.lateReads.isKnown(STATUS);
  }

  /** The account once a read would show what was done to it, as far as that is known. */
  async lookLater(): Promise<StatusSighting | undefined> {
    await this.customer.lateReads.settle(STATUS);
    return this.look();
  }

  /** The status of this account in an answer of open shape. */
  sighting(answer: Answer): StatusSighting | undefined {
    const found = objectsWithin(succeeded(answer) ? (answer.body as unknown) : undefined).find(
      ({ id, status }) => sameId(id, this.accountId) && typeof status === 'string',
    );
    return found && { status: found['status'] as string, answer };
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
