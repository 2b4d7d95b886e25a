import { openSessionSigningKey, SealedKeyError, type KeyPair } from '../../../client/crypto/index.ts';
import type { RetryChallenge } from '../../../client/signed-retry.ts';
import type { Answer } from '../../answer.ts';
import type { Credential, WalletSession } from './credential.ts';
import { hideKey, type WalletMeans } from './means.ts';
import type { WalletRequest } from './requests.ts';

/** What a login may do differently, whatever the credential. */
export interface LoginOptions {
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

/** The verify request, as the login wants it. */
export function verifyRequest(request: WalletRequest, { label, verify }: LoginOptions): WalletRequest {
  const labelled = label === undefined ? request : { ...request, label };
  return verify?.(labelled) ?? labelled;
}

/** A login that got no further than its challenge. @param problem why, where the challenge was not refused */
export function endedAtChallenge(
  challenge: Answer,
  clientKey: KeyPair,
  problem?: string | SealedKeyError,
): Login {
  return {
    challenge,
    first: undefined,
    signing: undefined,
    retries: [],
    answer: challenge,
    clientKey,
    session: undefined,
    problem: problem instanceof SealedKeyError ? problem.message : problem,
    sealProblem: problem instanceof SealedKeyError ? problem : undefined,
  };
}

type Steps = Pick<Login, 'challenge' | 'first' | 'signing' | 'retries' | 'answer' | 'clientKey'>;

/** The session in the last answer of a login; the sealed key is opened with the client's key, and kept secret. */
export async function concludeLogin(
  { secrets, profile }: WalletMeans,
  { id: credentialId, type }: Credential,
  steps: Steps,
): Promise<Login> {
  const { answer, clientKey } = steps;
  const ended = { ...steps, session: undefined, problem: undefined, sealProblem: undefined };
  const { response } = answer.exchange;
  if (!response || response.status >= 300) return ended;
  const isCode = type === 'EMAIL_OTP' || type === 'SMS_OTP';
  if (isCode && steps.retries.length === 0)
    return { ...ended, problem: `"${answer.label}" gave nothing that can be signed` };
  const { expiresAt, id, encryptedSessionSigningKey } = (answer.body ?? {}) as Record<string, unknown>;
  const about = { credentialId, type, expiresAt: textOf(expiresAt), id: textOf(id) };
  if (isCode) return { ...ended, session: { ...about, key: clientKey } };
  try {
    const form = profile.dialect.sessionKeySeal;
    const key = hideKey(secrets, await openSessionSigningKey(encryptedSessionSigningKey, clientKey, form));
    return { ...ended, session: { ...about, key } };
  } catch (error) {
    if (!(error instanceof SealedKeyError)) throw error;
    return { ...ended, problem: error.message, sealProblem: error };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
