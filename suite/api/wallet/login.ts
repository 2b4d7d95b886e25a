import { openSessionSigningKey, SealedKeyError, type KeyPair } from '../../../client/crypto/index.ts';
import type { RetryChallenge } from '../../../client/signed-retry.ts';
import type { Answer } from '../../answer.ts';
import type { Credential } from './credential.ts';
import { hideKey, type WalletMeans } from './means.ts';
import type { WalletSession } from './wallet-session.ts';

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

type Steps = Pick<Login, 'challenge' | 'first' | 'signing' | 'retries' | 'answer' | 'clientKey'>;

/** The session in the last answer of a login; the sealed key is opened with the client's key, and kept secret. */
export async function concludeLogin(
  { secrets, profile }: WalletMeans,
  credential: Credential,
  steps: Steps,
): Promise<Login> {
  const outcome = (session?: WalletSession, problem?: string, seal?: SealedKeyError): Login => ({
    ...steps,
    session,
    problem,
    sealProblem: seal,
  });
  const { response } = steps.answer.exchange;
  if (!response || response.status >= 300) return outcome();
  const minted = Boolean(
    steps.retries.length > 0 || (credential.type !== 'EMAIL_OTP' && credential.type !== 'SMS_OTP'),
  );
  if (!minted) return outcome(undefined, `"${steps.answer.label}" gave nothing that can be signed`);
  const { expiresAt, id, encryptedSessionSigningKey } = (steps.answer.body ?? {}) as Record<string, unknown>;
  const about = {
    credentialId: credential.id,
    type: credential.type,
    expiresAt: textOf(expiresAt),
    id: textOf(id),
  };
  if (credential.type === 'EMAIL_OTP' || credential.type === 'SMS_OTP')
    return outcome({ ...about, key: steps.clientKey });
  try {
    return outcome({
      ...about,
      key: hideKey(
        secrets,
        await openSessionSigningKey(
          encryptedSessionSigningKey,
          steps.clientKey,
          profile.dialect.sessionKeySeal,
        ),
      ),
    });
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error;
    return outcome(undefined, error.message, error);
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
