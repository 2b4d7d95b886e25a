import {
  KeyPair,
  oidcNonce,
  SealedKeyError,
  sealOtpBundle,
  type CeremonyOptions,
  type OidcOverrides,
  type OtpProof,
  type PasskeyAssertion,
  type SealForm,
  type SoftwarePasskey,
} from '../../../client/crypto/index.ts';
import { signedRetry, type RetryBend } from '../../../client/signed-retry.ts';
import type { Answer } from '../../answer.ts';
import { succeeded } from '../succeeded.ts';
import type { Credential, OauthCredential, OtpCredential, PasskeyCredential } from './credential.ts';
import { sharedIssuer } from './identities.ts';
import { concludeLogin, type Login } from './login.ts';
import { hideKey, retryMeans, type WalletMeans } from './means.ts';
import { walletRequests, type WalletRequest } from './requests.ts';

/** Changes to a request before it is sent. */
export type RequestChange = (request: WalletRequest) => WalletRequest;

interface CommonBend {
  /** The client's key pair; fresh unless given. */
  readonly clientKey?: KeyPair;
  /** Changes the verify request: body, path, headers, label. */
  readonly verify?: RequestChange;
}

/** What a login by one-time code may do differently. */
export interface OtpBend extends CommonBend {
  /** The code to seal; the right one unless given. */
  readonly code?: string;
  /** Answer of an earlier challenge call, used in place of a new one. */
  readonly challenge?: Answer;
  /** Seals in another way than it should. */
  readonly seal?: (targetBundle: unknown, proof: OtpProof, form: SealForm) => Promise<string>;
  /** Bends the signed retry. */
  readonly retry?: RetryBend<WalletRequest>;
}

/** What a login by OIDC identity may do differently. */
export interface OauthBend extends CommonBend {
  /** Claims that differ from those of the credential's identity. */
  readonly claims?: OidcOverrides;
  /** The text to send in place of the good token. */
  readonly token?: (good: string) => string;
  /** The clientPublicKey to send, here and in the nonce; the uncompressed point unless given. */
  readonly clientPublicKey?: string;
}

/** What a login by passkey may do differently. */
export interface PasskeyBend extends CommonBend {
  /** Asserts in another way than it should. */
  readonly assert?: (passkey: SoftwarePasskey, challenge: string) => PasskeyAssertion;
  readonly ceremony?: CeremonyOptions;
  /** Answer of an earlier challenge call, used in place of a new one. */
  readonly challenge?: Answer;
  /** Value of Request-Id on verify; null leaves it out. */
  readonly requestId?: string | null;
}

/** The challenge component of openapi.yaml that a credential of this type is answered with; none is described for OAUTH. */
export function challengeComponent(type: Credential['type']): string | undefined {
  return type === 'PASSKEY' ? 'PasskeyAuthChallenge' : type === 'OAUTH' ? undefined : 'ChallengeEmailOtp';
}

const keep: RequestChange = (request) => request;

/** Challenge, sealed code, signed retry (Credential flows, 1). */
export async function loginByCode(
  means: WalletMeans,
  credential: OtpCredential,
  bend: OtpBend = {},
): Promise<Login> {
  const clientKey = hideKey(means.secrets, bend.clientKey ?? KeyPair.generate());
  const challenge =
    bend.challenge ??
    (await askChallenge(means, walletRequests.challenge(credential.id, 'ChallengeEmailOtp')));
  const early = {
    challenge,
    first: undefined,
    signing: undefined,
    retries: [],
    answer: challenge,
    clientKey,
    session: undefined,
  };
  if (!succeeded(challenge)) return { ...early, problem: undefined, sealProblem: undefined };
  const otpCode = bend.code ?? (await rightCode(means, credential));
  const proof = { otpCode, publicKey: clientKey.uncompressed };
  let bundle: string;
  try {
    bundle = await (bend.seal ?? sealOtpBundle)(
      (challenge.body as { otpEncryptionTargetBundle?: unknown } | undefined)?.otpEncryptionTargetBundle,
      proof,
      means.profile.dialect.otpSeal,
    );
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error;
    return { ...early, problem: error.message, sealProblem: error };
  }
  means.secrets.add(bundle);
  const request = (bend.verify ?? keep)(walletRequests.verifyOtp(credential.id, credential.type, bundle));
  const {
    first,
    challenge: signing,
    retries,
    answer,
  } = await signedRetry(retryMeans(means), request, clientKey, bend.retry);
  return concludeLogin(means, credential, { challenge, first, signing, retries, answer, clientKey });
}

/** One verify call with a fresh token (Credential flows, 2). */
export async function loginByIdentity(
  means: WalletMeans,
  credential: OauthCredential,
  bend: OauthBend,
  now: Date,
): Promise<Login> {
  const clientKey = hideKey(means.secrets, bend.clientKey ?? KeyPair.generate());
  const clientPublicKey = bend.clientPublicKey ?? clientKey.uncompressed;
  const issuer = await sharedIssuer();
  const good = await issuer.token(
    credential.identity,
    undefined,
    { nonce: oidcNonce(clientPublicKey, means.profile.dialect.oidcNonce), ...bend.claims },
    now,
  );
  const token = bend.token?.(good) ?? good;
  means.secrets.add(good, token);
  const answer = await retryMeans(means).send(
    (bend.verify ?? keep)(walletRequests.verifyOauth(credential.id, token, clientPublicKey)),
  );
  return concludeLogin(means, credential, {
    challenge: undefined,
    first: answer,
    signing: undefined,
    retries: [],
    answer,
    clientKey,
  });
}

/** Challenge with the client's key, assertion, verify (Credential flows, 3). */
export async function loginByPasskey(
  means: WalletMeans,
  credential: PasskeyCredential,
  bend: PasskeyBend = {},
): Promise<Login> {
  const clientKey = hideKey(means.secrets, bend.clientKey ?? KeyPair.generate());
  const challenge =
    bend.challenge ??
    (await askChallenge(
      means,
      walletRequests.challenge(credential.id, 'PasskeyAuthChallenge', clientKey.uncompressed),
    ));
  const early = {
    challenge,
    first: undefined,
    signing: undefined,
    retries: [],
    answer: challenge,
    clientKey,
    session: undefined,
  };
  if (!succeeded(challenge)) return { ...early, problem: undefined, sealProblem: undefined };
  const { challenge: text, requestId } = (challenge.body ?? {}) as {
    challenge?: unknown;
    requestId?: unknown;
  };
  if (typeof text !== 'string')
    return {
      ...early,
      problem: 'the passkey challenge came without its challenge text',
      sealProblem: undefined,
    };
  const assertion = bend.assert?.(credential.passkey, text) ?? credential.passkey.assert(text, bend.ceremony);
  const header =
    bend.requestId === undefined
      ? typeof requestId === 'string'
        ? requestId
        : undefined
      : (bend.requestId ?? undefined);
  const answer = await retryMeans(means).send(
    (bend.verify ?? keep)(walletRequests.verifyPasskey(credential.id, assertion, header)),
  );
  return concludeLogin(means, credential, {
    challenge,
    first: answer,
    signing: undefined,
    retries: [],
    answer,
    clientKey,
  });
}

async function rightCode(means: WalletMeans, credential: OtpCredential): Promise<string> {
  const code = await means.codeFor(credential);
  means.secrets.add(code);
  return code;
}

function askChallenge(means: WalletMeans, request: WalletRequest): Promise<Answer> {
  return retryMeans(means).send(request);
}
