import { randomUUID } from 'node:crypto';
import { KeyPair, openSessionSigningKey, type SoftwarePasskey } from '../../client/crypto/index.ts';
import {
  retry,
  signedRetry,
  type RetryBend,
  type RetryChallenge,
  type SignedRetry,
} from '../../client/signed-retry.ts';
import type { WalletAccountState } from '../../target/states/wallet-account-state.ts';
import type { Answer } from '../answer.ts';
import { succeeded } from './succeeded.ts';
import { registered, type Credential, type CredentialType, type Draft } from './wallet/credential.ts';
import { draftOauth, draftOtp, draftPasskey, type OauthDraft, type PasskeyDraft } from './wallet/drafts.ts';
import { newPasskey } from './wallet/identities.ts';
import type { Login } from './wallet/login.ts';
import {
  loginByCode,
  loginByIdentity,
  loginByPasskey,
  challengeComponent,
  type OauthBend,
  type OtpBend,
  type PasskeyBend,
} from './wallet/logins.ts';
import { challengeIn, hideKey, retryMeans, type WalletMeans } from './wallet/means.ts';
import { walletRequests, type WalletRequest } from './wallet/requests.ts';
import { shownByLogin, shownByRegistration } from './wallet/spoken.ts';
import type { WalletSession } from './wallet/wallet-session.ts';

/** A signed retry, and what it registered. */
export interface Registration extends SignedRetry<Answer> {
  readonly draft: Draft;
  /** Present when registration was accepted with an id. */
  readonly credential: Credential | undefined;
}

/** How a call is signed, and what is bent in it. */
export type WalletBend = RetryBend<WalletRequest>;

/**
 * One embedded wallet account that a state has prepared, seen by the integrator's backend and the customer's client at
 * once: platform credentials for the calls, session keys for the stamps.
 */
export class Wallet {
  readonly #means: WalletMeans;
  readonly state: WalletAccountState;
  /** Credentials that the account was prepared with. */
  readonly credentials: readonly Credential[];
  /** How far the target's clock is ahead of ours, in milliseconds: tokens are issued by it. */
  clockAheadMs = 0;

  constructor(means: WalletMeans, state: WalletAccountState) {
    this.#means = means;
    this.state = state;
    this.credentials = state.credentials.map(({ id, type }) => ({ id, type }));
  }

  get accountId(): string {
    return this.state.accountId;
  }

  get customerId(): string {
    return this.state.customerId;
  }

  /** The target's time, as far as it is known. */
  now(): Date {
    return new Date(Date.now() + this.clockAheadMs);
  }

  /** A prepared credential of this type. @throws Error when the state was not asked for one: a defect of the test */
  prepared(type: CredentialType): Credential {
    const found = this.credentials.find((one) => one.type === type);
    if (!found) throw new Error(`the wallet was not prepared with a credential of type ${type}`);
    return found;
  }

  /** A passkey of the integrator's domain that no account knows yet. */
  newPasskey(
    changes: { readonly credentialId?: string; readonly userHandle?: string } = {},
  ): SoftwarePasskey {
    return newPasskey(this.#means, changes);
  }

  // -------------------------------------------------------------------------------------------- sending and signing

  /** Sends a request without wallet headers. */
  send(request: WalletRequest, changes: Partial<WalletRequest> = {}): Promise<Answer> {
    return retryMeans(this.#means).send({ ...request, ...changes });
  }

  /** The whole signed retry of any request. */
  async signed(
    request: WalletRequest,
    by: KeyPair | WalletSession,
    bend: WalletBend = {},
  ): Promise<SignedRetry<Answer>> {
    const done = await signedRetry(retryMeans(this.#means), request, keyOf(by), bend);
    const asItShould = bend.stamp === undefined && bend.key === undefined && bend.payload === undefined;
    if (asItShould && done.retries[0] && succeeded(done.retries[0])) this.#means.platform.speaks(['stamp']);
    return done;
  }

  /** The first call alone, with the challenge that it gave. */
  async begin(
    request: WalletRequest,
  ): Promise<{ readonly first: Answer; readonly challenge: RetryChallenge | undefined }> {
    const first = await this.send(request, { label: `${request.label ?? 'a wallet request'} (first call)` });
    return { first, challenge: challengeIn(first) };
  }

  /** The retry alone, with a challenge that is at hand. */
  async retry(
    request: WalletRequest,
    challenge: RetryChallenge,
    by: KeyPair | WalletSession,
    bend: WalletBend = {},
  ): Promise<Answer> {
    const [answer] = await retry(retryMeans(this.#means), request, challenge, keyOf(by), {
      ...bend,
      times: 1,
    });
    return answer as Answer;
  }

  /** A fresh key pair whose private half is kept out of every record. */
  newKey(): KeyPair {
    return hideKey(this.#means.secrets, KeyPair.generate());
  }

  // --------------------------------------------------------------------------------------------------- credentials

  draftOtp(type: 'EMAIL_OTP' | 'SMS_OTP'): Draft {
    return draftOtp(this.#means, type, this.accountId);
  }

  draftOauth(bend: OauthDraft = {}): Promise<Draft> {
    return draftOauth(this.#means, this.accountId, this.now(), bend);
  }

  draftPasskey(bend: PasskeyDraft = {}): Draft {
    return draftPasskey(this.#means, this.accountId, bend);
  }

  /** A fresh draft of any type. */
  async draft(type: CredentialType): Promise<Draft> {
    return type === 'OAUTH'
      ? this.draftOauth()
      : type === 'PASSKEY'
        ? this.draftPasskey()
        : this.draftOtp(type);
  }

  /**
   * Registers a credential.
   *
   * @param by signs the retry; without it only the first call is made, which is enough for an account's first credential
   */
  async register(
    draft: Draft,
    by?: KeyPair | WalletSession,
    bend: WalletBend & { readonly label?: string } = {},
  ): Promise<Registration> {
    const request = labelled(walletRequests.register(draft.body), bend.label ?? `registering ${draft.type}`);
    const signedRetry = by ? await this.signed(request, by, bend) : alone(await this.send(request));
    const { exchange } = signedRetry.answer;
    const created =
      exchange.response !== undefined &&
      exchange.response.status < 300 &&
      (!by || signedRetry.retries.length > 0 || !signedRetry.challenge);
    const id = created ? (signedRetry.answer.body as { id?: unknown } | undefined)?.id : undefined;
    if (typeof id !== 'string') return { ...signedRetry, draft, credential: undefined };
    this.#means.platform.speaks(shownByRegistration(draft.type));
    return { ...signedRetry, draft, credential: registered(draft, id) };
  }

  list(changes: Partial<WalletRequest> = {}): Promise<Answer> {
    return this.send(walletRequests.list(this.accountId), changes);
  }

  /** The challenge call; a PASSKEY is sent the client's key. */
  challenge(
    credential: Pick<Credential, 'id' | 'type'>,
    changes: Partial<WalletRequest> & { readonly clientKey?: KeyPair } = {},
  ): Promise<Answer> {
    const { clientKey, ...rest } = changes;
    const key = credential.type === 'PASSKEY' ? (clientKey ?? this.newKey()).uncompressed : undefined;
    const as = challengeComponent(credential.type);
    return this.send(walletRequests.challenge(credential.id, as, key), rest);
  }

  /** Challenge and verify, whatever the type takes. Never throws for what the target does. */
  async login(credential: Credential, bend: OtpBend & OauthBend & PasskeyBend = {}): Promise<Login> {
    const login = await this.#login(credential, bend);
    const { challenge: _challenge, clientKey: _clientKey, ...bent } = bend;
    if (Object.keys(bent).length === 0) this.#means.platform.speaks(shownByLogin(credential.type, login));
    return login;
  }

  /** Opens a session key that was sealed to the client's key. @throws SealedKeyError where it does not open */
  async openKey(sealed: unknown, clientKey: KeyPair): Promise<KeyPair> {
    const { profile, platform, secrets } = this.#means;
    const key = await openSessionSigningKey(sealed, clientKey, profile.dialect.sessionKeySeal);
    platform.speaks(['sessionKeySeal']);
    return hideKey(secrets, key);
  }

  #login(credential: Credential, bend: OtpBend & OauthBend & PasskeyBend): Promise<Login> {
    switch (credential.type) {
      case 'OAUTH':
        return loginByIdentity(this.#means, credential, bend, this.now());
      case 'PASSKEY':
        return loginByPasskey(this.#means, credential, bend);
      default:
        return loginByCode(this.#means, credential, bend);
    }
  }

  revoke(
    credentialId: string,
    by: KeyPair | WalletSession,
    bend: WalletBend = {},
  ): Promise<SignedRetry<Answer>> {
    return this.signed(walletRequests.revoke(credentialId), by, bend);
  }

  // ---------------------------------------------------------------------------- sessions and wallet (paths: facts)

  listSessions(changes: Partial<WalletRequest> = {}): Promise<Answer> {
    return this.send(walletRequests.listSessions(this.accountId), changes);
  }

  /** @param clientKey the key that the new session key is sealed to */
  refreshSession(
    sessionId: string,
    by: KeyPair | WalletSession,
    clientKey: KeyPair,
    bend: WalletBend = {},
  ): Promise<SignedRetry<Answer>> {
    return this.signed(walletRequests.refreshSession(sessionId, clientKey.uncompressed), by, bend);
  }

  revokeSession(
    sessionId: string,
    by: KeyPair | WalletSession,
    bend: WalletBend = {},
  ): Promise<SignedRetry<Answer>> {
    return this.signed(walletRequests.revokeSession(sessionId), by, bend);
  }

  exportWallet(by: KeyPair | WalletSession, bend: WalletBend = {}): Promise<SignedRetry<Answer>> {
    return this.signed(walletRequests.exportWallet(this.accountId, this.newKey().uncompressed), by, bend);
  }

  setPrivacy(
    privateEnabled: boolean,
    by: KeyPair | WalletSession,
    bend: WalletBend = {},
  ): Promise<SignedRetry<Answer>> {
    return this.signed(walletRequests.setPrivacy(this.accountId, privateEnabled), by, bend);
  }

  setEmail(email: string, by: KeyPair | WalletSession, bend: WalletBend = {}): Promise<SignedRetry<Answer>> {
    return this.signed(walletRequests.setEmail(this.customerId, email), by, bend);
  }

  /**
   * Any documented request that a session of this account may sign: registers one more credential. Tells live keys from
   * dead ones. A passkey where the target takes them, since of these an account surely holds several.
   */
  async probe(
    by: KeyPair | WalletSession,
    bend: WalletBend & { readonly label?: string } = {},
  ): Promise<Registration> {
    const { capabilities } = this.#means.profile;
    const label = bend.label ?? 'a wallet request signed with this key';
    const draft = capabilities.includes('passkey') ? this.draftPasskey() : await this.draftOauth();
    return this.register(draft, by, { ...bend, label });
  }
}

/** An e-mail address that no other test uses. */
export function newEmail(): string {
  return `assay-${randomUUID()}@example.com`;
}

function keyOf(by: KeyPair | WalletSession): KeyPair {
  return by instanceof KeyPair ? by : by.key;
}

function alone(first: Answer): SignedRetry<Answer> {
  return { first, challenge: undefined, retries: [], answer: first };
}

function labelled(request: WalletRequest, label: string): WalletRequest {
  return { ...request, label };
}
