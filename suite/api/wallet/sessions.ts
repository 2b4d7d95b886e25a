import { openSessionSigningKey, type KeyPair } from '../../../client/crypto/index.ts';
import type { SignedRetry } from '../../../client/signed-retry.ts';
import type { Profile } from '../../../target/profile.ts';
import type { Answer } from '../../answers/answer.ts';
import { eventually } from '../../eventually.ts';
import { entriesOf, sessionRequests, type Credential, type WalletSession } from './requests.ts';
import type { Signer, WalletSigner } from './signer.ts';

/** Who signs in: the wallet itself. */
interface SigningIn extends WalletSigner {
  readonly signer: { readonly credential: Credential; readonly session: WalletSession };
  signWith(credential: Credential, session: WalletSession): void;
  needLogin(credential: Credential): Promise<{ readonly session: WalletSession }>;
  addCredential(label: string): Promise<Credential>;
  tryAny(by: Signer, options: { readonly label: string }): Promise<SignedRetry<Answer>>;
}

/** Whether a login ends the session of the login before it, by target. */
const endsEarlierSessions = new WeakMap<Profile, Promise<boolean>>();

/** What is done to the sessions of a wallet once they are there: `wallet.sessions`. */
export class WalletSessions {
  readonly #wallet: SigningIn;
  /** What mints sessions that are told by their ids, where another credential signs. */
  #minter: Credential | undefined;

  constructor(wallet: SigningIn) {
    this.#wallet = wallet;
  }

  list(): Promise<Answer> {
    return this.#wallet.send(sessionRequests.list(this.#wallet.accountId));
  }

  /** @param clientKey the key that the new session key is sealed to */
  refresh(sessionId: string, by: Signer, clientKey: KeyPair): Promise<SignedRetry<Answer>> {
    return this.#wallet.signed(sessionRequests.refresh(sessionId, clientKey.uncompressed), by);
  }

  revoke(sessionId: string, by: Signer): Promise<SignedRetry<Answer>> {
    return this.#wallet.signed(sessionRequests.revoke(sessionId), by);
  }

  /** Opens a session key that was sealed to the client's key. @throws SealedKeyError where it does not open */
  async openKey(sealed: unknown, clientKey: KeyPair): Promise<KeyPair> {
    const { profile, platform } = this.#wallet.means;
    const key = await openSessionSigningKey(sealed, clientKey, profile.dialect.sessionKeySeal);
    platform.speaks(['sessionKeySeal']);
    return this.#wallet.hidden(key);
  }

  /**
   * A further session of the credential that is signed in, with its id; another one signs for the wallet beside it
   * (`wallet.signer`). Ends the test where there is none.
   */
  async another(): Promise<WalletSession & { readonly id: string }> {
    const before = this.#wallet.signer;
    const { session } = await this.#wallet.needLogin(this.#minter ?? before.credential);
    if (!this.#minter && (await this.#hasEnded(before.session)))
      await this.#signBeside(before.credential, session);
    return session.id === undefined ? this.#listed() : { ...session, id: session.id };
  }

  /** A login that is promised no id: its session is the one that the list has more than before, be it a little later. */
  async #listed(): Promise<WalletSession & { readonly id: string }> {
    const ids = async () =>
      entriesOf(await this.list()).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
    const before = new Set(await ids());
    const { session } = await this.#wallet.needLogin(this.#minter ?? this.#wallet.signer.credential);
    const added = async () => (await ids()).filter((id) => !before.has(id));
    const shown = await eventually(added, ({ length }) => length > 0, this.#wallet.means.platform.patienceMs);
    const id = shown.length === 1 ? shown[0] : undefined;
    return {
      ...session,
      id: this.#wallet.need.offered(id, 'the session came without an id, and the list does not tell it'),
    };
  }

  /** A service may let a credential have one session at a time: then it is the session of another one that signs. */
  async #signBeside(minter: Credential, session: WalletSession): Promise<void> {
    this.#minter = minter;
    this.#wallet.signWith(minter, session);
    const beside = await this.#wallet.addCredential('registering a credential whose session signs beside');
    this.#wallet.signWith(beside, (await this.#wallet.needLogin(beside)).session);
  }

  /** Whether a further login has ended the session before it: asked once of each target. */
  #hasEnded(session: WalletSession): Promise<boolean> {
    const { profile } = this.#wallet.means;
    let known = endsEarlierSessions.get(profile);
    if (!known) {
      const label = 'a request signed by the session of the login before';
      known = this.#wallet
        .tryAny(session, { label })
        .then(({ answer }) => [401, 403].includes(answer.exchange.response?.status ?? 0));
      endsEarlierSessions.set(profile, known);
    }
    return known;
  }
}
