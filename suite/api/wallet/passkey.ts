import { randomBytes, randomUUID } from 'node:crypto';
import {
  KeyPair,
  SoftwarePasskey,
  type CeremonyOptions,
  type PasskeyAssertion,
  type PasskeyRegistration,
} from '../../../client/crypto/index.ts';
import { type Answer, succeeded } from '../../answer.ts';
import type { Credential, Draft } from './credential.ts';
import { concludeLogin, endedAtChallenge, verifyRequest, type Login, type LoginOptions } from './login.ts';
import { hideKey, retryMeans, type WalletMeans } from './means.ts';
import { walletRequests } from './requests.ts';

/** What a PASSKEY registration may do differently. */
export interface PasskeyDraftOptions {
  readonly passkey?: SoftwarePasskey;
  readonly nickname?: string;
  /** Registers in another way than it should. */
  readonly register?: (passkey: SoftwarePasskey, challenge: Uint8Array) => PasskeyRegistration;
}

/** What a login by passkey may do differently. */
export interface PasskeyLoginOptions extends LoginOptions {
  /** Asserts in another way than it should. */
  readonly assert?: (passkey: SoftwarePasskey, challenge: string) => PasskeyAssertion;
  readonly ceremony?: CeremonyOptions;
  /** Answer of an earlier challenge call, used in place of a new one. */
  readonly challenge?: Answer;
  /** Value of Request-Id on verify; null leaves it out. */
  readonly requestId?: string | null;
}

/** In what a passkey differs from any other of the integrator's domain. */
export interface PasskeyChanges {
  readonly credentialId?: string;
  readonly userHandle?: string;
  /** What its authenticator counts from; one that keeps no counter says 0 each time. */
  readonly counter?: number;
}

/** A passkey of the integrator's domain. Its assertions carry a userHandle, as those of platforms' passkeys do. */
export function newPasskey(
  { profile, secrets }: Pick<WalletMeans, 'profile' | 'secrets'>,
  changes: PasskeyChanges = {},
): SoftwarePasskey {
  const userHandle = Buffer.from(randomUUID()).toString('base64url');
  const key = hideKey(secrets, KeyPair.generate());
  return new SoftwarePasskey({ ...profile.dialect.passkey, userHandle, key, ...changes });
}

export function draftPasskey(
  means: WalletMeans,
  accountId: string,
  { nickname = 'Assay passkey', ...options }: PasskeyDraftOptions = {},
): Draft<'PASSKEY'> {
  const passkey = options.passkey ?? newPasskey(means);
  const challenge = new Uint8Array(randomBytes(32));
  const registration = options.register?.(passkey, challenge) ?? passkey.register(challenge);
  return { type: 'PASSKEY', passkey, body: { type: 'PASSKEY', accountId, nickname, ...registration } };
}

/** Challenge with the client's key, assertion, verify (Credential flows, 3). */
export async function loginByPasskey(
  means: WalletMeans,
  credential: Credential<'PASSKEY'>,
  options: PasskeyLoginOptions = {},
): Promise<Login> {
  const { send } = retryMeans(means);
  const { id, passkey } = credential;
  const clientKey = hideKey(means.secrets, options.clientKey ?? KeyPair.generate());
  const challenge =
    options.challenge ??
    (await send(walletRequests.challenge(id, 'PasskeyAuthChallenge', clientKey.uncompressed)));
  if (!succeeded(challenge)) return endedAtChallenge(challenge, clientKey);
  const { challenge: text, requestId } = (challenge.body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof text !== 'string')
    return endedAtChallenge(challenge, clientKey, 'the passkey challenge came without its challenge text');
  const assertion = options.assert?.(passkey, text) ?? passkey.assert(text, options.ceremony);
  const issued = typeof requestId === 'string' ? requestId : undefined;
  const header = options.requestId === undefined ? issued : (options.requestId ?? undefined);
  const answer = await send(verifyRequest(walletRequests.verifyPasskey(id, assertion, header), options));
  const steps = { challenge, first: answer, signing: undefined, retries: [], answer, clientKey };
  return concludeLogin(means, credential, steps);
}
