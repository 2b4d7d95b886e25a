import {
  KeyPair,
  oidcNonce,
  openSessionSigningKey,
  SealedKeyError,
  sealOtpBundle,
  type CeremonyOptions,
  type OtpProof,
  type PasskeyAssertion,
  type SealForm,
  type SoftwarePasskey,
} from '../../../client/crypto/index.ts';
import type { RetryChallenge, RetryOptions } from '../../../client/signed-retry.ts';
import type { DialectAssumption } from '../../../target/dialect/keys.ts';
import type { OtpType } from '../../../target/states/types.ts';
import { type Answer, succeeded } from '../../answers/answer.ts';
import { tokenOf, type TokenOptions } from './drafts.ts';
import {
  credentialRequests,
  loggingIn,
  type Credential,
  type CredentialType,
  type WalletRequest,
  type WalletSession,
} from './requests.ts';
import type { WalletSigner } from './signer.ts';

/** What a login may do differently, whatever the credential. */
interface AnyLoginOptions {
  /** The client's key pair; fresh unless given. */
  readonly clientKey?: KeyPair;
  /** What the verify call is for, in plain words. */
  readonly label?: string;
  /** Changes the verify request: body, path, headers. */
  readonly verify?: (request: WalletRequest) => WalletRequest;
}

/** Everything about one login, whatever the credential. */
export interface Login {
  /** Answer of the challenge call, where the type has one. */
  readonly challenge: Answer | undefined;
  /** Answer of the first verify call; absent when the login could not get that far. */
  readonly first: Answer | undefined;
  /** Of one-time codes: what the first verify call gave to sign. */
  readonly signing: RetryChallenge | undefined;
  /** Answer of each signed retry. */
  readonly retries: readonly Answer[];
  /** Where the login ended. */
  readonly answer: Answer;
  /** The client's key pair; of one-time codes it is the session key too. */
  readonly clientKey: KeyPair;
  /** Present when a usable session came back. */
  readonly session: WalletSession | undefined;
  /** Why there is no session although nothing was refused, in one sentence. */
  readonly problem: string | undefined;
  /** Which part of a sealed key or bundle could not be used. */
  readonly sealProblem: SealedKeyError | undefined;
}

/** What a login of each type may do differently. */
export type LoginOptions = CodeLoginOptions & OauthLoginOptions & PasskeyLoginOptions;

/** What a challenge call may do differently; a PASSKEY is sent the client's key. */
export type ChallengeOptions = Partial<WalletRequest> & { readonly clientKey?: KeyPair };

/** The component that the answer to a challenge call must be. */
const CHALLENGES = {
  EMAIL_OTP: 'ChallengeEmailOtp',
  SMS_OTP: 'ChallengeEmailOtp',
  PASSKEY: 'PasskeyAuthChallenge',
  OAUTH: undefined,
};

/** The challenge call. */
export function askChallenge(
  wallet: WalletSigner,
  { id, type }: Pick<Credential, 'id' | 'type'>,
  { clientKey, ...changes }: ChallengeOptions = {},
): Promise<Answer> {
  const key = type === 'PASSKEY' ? (clientKey ?? wallet.newKey()).uncompressed : undefined;
  return wallet.send(credentialRequests.challenge(id, CHALLENGES[type], key), changes);
}

/** Challenge and verify, whatever the type takes. Never throws for what the target does. */
export async function logIn(
  wallet: WalletSigner,
  credential: Credential,
  options: LoginOptions,
): Promise<Login> {
  const { type } = credential;
  const login =
    type === 'OAUTH'
      ? await loginByIdentity(wallet, credential, options)
      : type === 'PASSKEY'
        ? await loginByPasskey(wallet, credential, options)
        : await loginByCode(wallet, credential, options);
  const { challenge: _challenge, clientKey: _clientKey, label: _label, ...different } = options;
  const isUsual = Object.keys(different).every((option) => option === 'retry');
  if (type === 'EMAIL_OTP' && isUsual && login.first)
    wallet.blameUnsigned({ first: login.first, challenge: login.signing }, 'RETRY-OTP-VERIFY');
  if (Object.keys(different).length === 0) wallet.means.platform.speaks(shownByLogin(type, login));
  return login;
}

/** What a login with nothing wrong in it has shown. */
function shownByLogin(type: CredentialType, login: Login): readonly DialectAssumption[] {
  const isSigned = type === 'OAUTH' || type === 'PASSKEY' || login.retries.length > 0;
  if (!login.first || !isSigned || !succeeded(login.answer)) return [];
  const opened = login.session && (type === 'OAUTH' || type === 'PASSKEY');
  return [...loggingIn[type], ...(opened ? (['sessionKeySeal'] as const) : [])];
}

// --------------------------------------------------------------------------------------------------- one-time codes

/** What a login by one-time code may do differently. */
interface CodeLoginOptions extends AnyLoginOptions {
  /** The code to seal; the right one unless given. */
  readonly code?: string;
  /** Answer of an earlier challenge call, used in place of a new one. */
  readonly challenge?: Answer;
  /** Seals in another way than it should. */
  readonly seal?: (targetBundle: unknown, proof: OtpProof, form: SealForm) => Promise<string>;
  /** How the signed retry is made. */
  readonly retry?: RetryOptions<WalletRequest, Answer>;
}

/** Challenge, sealed code, signed retry (Credential flows, 1). */
async function loginByCode(
  wallet: WalletSigner,
  credential: Credential<OtpType>,
  options: CodeLoginOptions,
): Promise<Login> {
  const { secrets, profile, codeFor } = wallet.means;
  const clientKey = wallet.hidden(options.clientKey ?? KeyPair.generate());
  const challenge = options.challenge ?? (await askChallenge(wallet, credential));
  if (!succeeded(challenge)) return endedAtChallenge(challenge, clientKey);
  const otpCode = options.code ?? (await codeFor(credential));
  if (options.code === undefined) secrets.add(otpCode);
  const { otpEncryptionTargetBundle } = (challenge.body ?? {}) as { otpEncryptionTargetBundle?: unknown };
  const proof = { otpCode, publicKey: clientKey.uncompressed };
  let encryptedOtpBundle: string;
  try {
    encryptedOtpBundle = await (options.seal ?? sealOtpBundle)(
      otpEncryptionTargetBundle,
      proof,
      profile.dialect.otpSeal,
    );
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error;
    return endedAtChallenge(challenge, clientKey, error);
  }
  secrets.add(encryptedOtpBundle);
  const request = verifying(options, {
    operation: 'verifyCredential',
    label: 'verifying the one-time code',
    path: { id: credential.id },
    as: 'AuthSessionEmailOtp',
    body: { type: credential.type, encryptedOtpBundle },
  });
  const { challenge: signing, ...rest } = await wallet.signed(request, clientKey, options.retry);
  return conclude(wallet, credential, { ...rest, challenge, signing, clientKey });
}

// --------------------------------------------------------------------------------------------------------- identities

/** What a login by OIDC identity may do differently. */
interface OauthLoginOptions extends AnyLoginOptions, TokenOptions {
  /** The clientPublicKey to send, here and in the nonce; the uncompressed point unless given. */
  readonly clientPublicKey?: string;
}

/** One verify call with a fresh token (Credential flows, 2). */
async function loginByIdentity(
  wallet: WalletSigner,
  credential: Credential<'OAUTH'>,
  options: OauthLoginOptions,
): Promise<Login> {
  const clientKey = wallet.hidden(options.clientKey ?? KeyPair.generate());
  const clientPublicKey = options.clientPublicKey ?? clientKey.uncompressed;
  const nonce = oidcNonce(clientPublicKey, wallet.means.profile.dialect.oidcNonce);
  const claims = { nonce, ...options.claims };
  const oidcToken = await tokenOf(wallet, credential.identity, { ...options, claims });
  const request = verifying(options, {
    operation: 'verifyCredential',
    label: 'verifying the OIDC identity',
    path: { id: credential.id },
    as: 'AuthSessionSealed',
    body: { type: 'OAUTH', oidcToken, clientPublicKey },
  });
  const answer = await wallet.send(request);
  return conclude(wallet, credential, { ...NOTHING_YET, first: answer, answer, clientKey });
}

// ----------------------------------------------------------------------------------------------------------- passkeys

/** What a login by passkey may do differently. */
interface PasskeyLoginOptions extends AnyLoginOptions {
  /** Asserts in another way than it should. */
  readonly assert?: (passkey: SoftwarePasskey, challenge: string) => PasskeyAssertion;
  readonly ceremony?: CeremonyOptions;
  /** Answer of an earlier challenge call, used in place of a new one. */
  readonly challenge?: Answer;
  /** Value of Request-Id on verify; null leaves it out. */
  readonly requestId?: string | null;
}

/** Challenge with the client's key, assertion, verify (Credential flows, 3). */
async function loginByPasskey(
  wallet: WalletSigner,
  credential: Credential<'PASSKEY'>,
  options: PasskeyLoginOptions,
): Promise<Login> {
  const { id, passkey } = credential;
  const clientKey = wallet.hidden(options.clientKey ?? KeyPair.generate());
  const challenge = options.challenge ?? (await askChallenge(wallet, credential, { clientKey }));
  if (!succeeded(challenge)) return endedAtChallenge(challenge, clientKey);
  const { challenge: text, requestId } = (challenge.body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof text !== 'string')
    return endedAtChallenge(challenge, clientKey, 'the passkey challenge came without its challenge text');
  const assertion = options.assert?.(passkey, text) ?? passkey.assert(text, options.ceremony);
  const issued = typeof requestId === 'string' ? requestId : undefined;
  const request = verifying(options, {
    operation: 'verifyCredential',
    label: 'verifying the passkey',
    path: { id },
    as: 'AuthSessionSealed',
    headers: { 'Request-Id': options.requestId === undefined ? issued : (options.requestId ?? undefined) },
    body: { type: 'PASSKEY', assertion },
  });
  const answer = await wallet.send(request);
  return conclude(wallet, credential, { ...NOTHING_YET, challenge, first: answer, answer, clientKey });
}

// ------------------------------------------------------------------------------------------------------- each of them

/** The verify request, as the login wants it. */
function verifying({ label, verify }: AnyLoginOptions, request: WalletRequest): WalletRequest {
  const labelled = label === undefined ? request : { ...request, label };
  return verify?.(labelled) ?? labelled;
}

/** A login that has shown nothing yet. */
const NOTHING_YET = {
  challenge: undefined,
  first: undefined,
  signing: undefined,
  retries: [],
  session: undefined,
  problem: undefined,
  sealProblem: undefined,
};

/** A login that got no further than its challenge. @param problem why, where the challenge was not refused */
function endedAtChallenge(challenge: Answer, clientKey: KeyPair, problem?: string | SealedKeyError): Login {
  const ended = { ...NOTHING_YET, challenge, answer: challenge, clientKey };
  return problem instanceof SealedKeyError
    ? { ...ended, problem: problem.message, sealProblem: problem }
    : { ...ended, problem };
}

type Steps = Pick<Login, 'challenge' | 'first' | 'signing' | 'retries' | 'answer' | 'clientKey'>;

/** The session in the last answer of a login; the sealed key is opened with the client's key, and kept secret. */
async function conclude(
  wallet: WalletSigner,
  { id: credentialId, type }: Credential,
  steps: Steps,
): Promise<Login> {
  const { answer, clientKey } = steps;
  const ended = { ...NOTHING_YET, ...steps };
  const { response } = answer.exchange;
  if (!response || response.status >= 300) return ended;
  const isCode = type === 'EMAIL_OTP' || type === 'SMS_OTP';
  if (isCode && steps.retries.length === 0)
    return { ...ended, problem: `"${answer.label}" gave nothing that can be signed` };
  const { expiresAt, id, encryptedSessionSigningKey } = (answer.body ?? {}) as Record<string, unknown>;
  const about = { credentialId, type, expiresAt: textOf(expiresAt), id: textOf(id) };
  if (isCode) return { ...ended, session: { ...about, key: clientKey } };
  try {
    const form = wallet.means.profile.dialect.sessionKeySeal;
    const key = wallet.hidden(await openSessionSigningKey(encryptedSessionSigningKey, clientKey, form));
    return { ...ended, session: { ...about, key } };
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error;
    return { ...ended, problem: error.message, sealProblem: error };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
