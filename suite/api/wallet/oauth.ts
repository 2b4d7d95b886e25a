import { randomUUID } from 'node:crypto';
import {
  KeyPair,
  oidcNonce,
  OidcIssuer,
  type OidcIdentity,
  type OidcOverrides,
} from '../../../client/crypto/index.ts';
import type { Credential, Draft } from './credential.ts';
import { concludeLogin, verifyRequest, type Login, type LoginOptions } from './login.ts';
import { hideKey, retryMeans, type WalletMeans } from './means.ts';
import { walletRequests } from './requests.ts';

/** What a token may say differently from what it should. */
interface TokenOptions {
  /** Claims to set, or with undefined to leave out. */
  readonly claims?: OidcOverrides;
  /** The text to send in place of the good token. */
  readonly token?: (good: string) => string;
}

/** What an OAUTH registration may do differently. */
export interface OauthDraftOptions extends TokenOptions {
  /** Whose credential it is; somebody whom no other test knows unless given. */
  readonly identity?: Partial<OidcIdentity>;
}

/** What a login by OIDC identity may do differently. */
export interface OauthLoginOptions extends LoginOptions, TokenOptions {
  /** The clientPublicKey to send, here and in the nonce; the uncompressed point unless given. */
  readonly clientPublicKey?: string;
}

export async function draftOauth(
  means: WalletMeans,
  accountId: string,
  now: Date,
  { identity: changes, ...options }: OauthDraftOptions = {},
): Promise<Draft<'OAUTH'>> {
  const { issuer: iss, audience: aud } = means.profile.dialect.oidcToken;
  const sub = randomUUID();
  const identity = { iss, aud, sub, email: `assay-${sub}@example.com`, ...changes };
  const oidcToken = await tokenOf(means, identity, now, options);
  return { type: 'OAUTH', identity, body: { type: 'OAUTH', accountId, oidcToken } };
}

/** One verify call with a fresh token (Credential flows, 2). */
export async function loginByIdentity(
  means: WalletMeans,
  credential: Credential<'OAUTH'>,
  options: OauthLoginOptions,
  now: Date,
): Promise<Login> {
  const clientKey = hideKey(means.secrets, options.clientKey ?? KeyPair.generate());
  const clientPublicKey = options.clientPublicKey ?? clientKey.uncompressed;
  const nonce = oidcNonce(clientPublicKey, means.profile.dialect.oidcNonce);
  const claims = { nonce, ...options.claims };
  const token = await tokenOf(means, credential.identity, now, { ...options, claims });
  const request = verifyRequest(walletRequests.verifyOauth(credential.id, token, clientPublicKey), options);
  const answer = await retryMeans(means).send(request);
  const steps = { challenge: undefined, first: answer, signing: undefined, retries: [], answer, clientKey };
  return concludeLogin(means, credential, steps);
}

let issuer: Promise<OidcIssuer> | undefined;

/** A token by the issuer of this process; its RSA key takes a tenth of a second to make. */
async function tokenOf(
  { secrets }: WalletMeans,
  identity: OidcIdentity,
  now: Date,
  options: TokenOptions,
): Promise<string> {
  issuer ??= OidcIssuer.create();
  const good = await (await issuer).token(identity, undefined, options.claims, now);
  const token = options.token?.(good) ?? good;
  secrets.add(good, token);
  return token;
}
