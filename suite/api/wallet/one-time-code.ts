import {
  KeyPair,
  SealedKeyError,
  sealOtpBundle,
  type OtpProof,
  type SealForm,
} from '../../../client/crypto/index.ts';
import { signedRetry, type RetryOptions } from '../../../client/signed-retry.ts';
import { type Answer, succeeded } from '../../answer.ts';
import type { Credential, Draft, OtpType } from './credential.ts';
import { concludeLogin, endedAtChallenge, verifyRequest, type Login, type LoginOptions } from './login.ts';
import { hideKey, retryMeans, type WalletMeans } from './means.ts';
import { walletRequests, type WalletRequest } from './requests.ts';

/** What a login by one-time code may do differently. */
export interface CodeLoginOptions extends LoginOptions {
  /** The code to seal; the right one unless given. */
  readonly code?: string;
  /** Answer of an earlier challenge call, used in place of a new one. */
  readonly challenge?: Answer;
  /** Seals in another way than it should. */
  readonly seal?: (targetBundle: unknown, proof: OtpProof, form: SealForm) => Promise<string>;
  /** How the signed retry is made. */
  readonly retry?: RetryOptions<WalletRequest>;
}

export function draftCode<T extends OtpType>({ profile }: WalletMeans, type: T, accountId: string): Draft<T> {
  return { type, body: { type, accountId, ...profile.dialect.credentialBody[type] } } as unknown as Draft<T>;
}

/** Challenge, sealed code, signed retry (Credential flows, 1). */
export async function loginByCode(
  means: WalletMeans,
  credential: Credential<OtpType>,
  options: CodeLoginOptions = {},
): Promise<Login> {
  const { secrets, profile } = means;
  const { send } = retryMeans(means);
  const clientKey = hideKey(secrets, options.clientKey ?? KeyPair.generate());
  const challenge =
    options.challenge ?? (await send(walletRequests.challenge(credential.id, 'ChallengeEmailOtp')));
  if (!succeeded(challenge)) return endedAtChallenge(challenge, clientKey);
  const otpCode = options.code ?? (await means.codeFor(credential));
  if (options.code === undefined) secrets.add(otpCode);
  const { otpEncryptionTargetBundle } = (challenge.body ?? {}) as { otpEncryptionTargetBundle?: unknown };
  const proof = { otpCode, publicKey: clientKey.uncompressed };
  let bundle: string;
  try {
    bundle = await (options.seal ?? sealOtpBundle)(otpEncryptionTargetBundle, proof, profile.dialect.otpSeal);
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error;
    return endedAtChallenge(challenge, clientKey, error);
  }
  secrets.add(bundle);
  const request = verifyRequest(walletRequests.verifyOtp(credential.id, credential.type, bundle), options);
  const { challenge: signing, ...rest } = await signedRetry(
    retryMeans(means),
    request,
    clientKey,
    options.retry,
  );
  return concludeLogin(means, credential, { ...rest, challenge, signing, clientKey });
}
