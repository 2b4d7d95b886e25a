import type { KeyPair } from '../../../client/crypto/index.ts';
import type { Secrets } from '../../../client/secrets/secrets.ts';
import type { RetryChallenge, RetryMeans } from '../../../client/signed-retry.ts';
import type { Profile } from '../../../target/profile.ts';
import { type Answer, succeeded } from '../../answer.ts';
import type { Clock } from '../../clock.ts';
import type { Need } from '../../need.ts';
import type { Platform } from '../platform.ts';
import type { Credential, OtpType } from './credential.ts';
import type { WalletRequest } from './requests.ts';

/** What a wallet is handed: who calls, what is kept secret, and where one-time codes come from. */
export interface WalletMeans {
  readonly platform: Platform;
  readonly secrets: Secrets;
  readonly profile: Profile;
  /** The last code that was sent for a one-time-code credential. */
  readonly codeFor: (credential: Credential<OtpType>) => Promise<string>;
  /** Ends the test where a wallet cannot get as far as its test needs. */
  readonly need: Need;
  readonly clock: Clock;
}

/** Signed retries through the platform's recorded calls. */
export function retryMeans({ platform, profile }: WalletMeans): RetryMeans<WalletRequest, Answer> {
  return {
    send: (request) => {
      const { operation, ...parts } = told(profile, request);
      return platform.call(operation, parts);
    },
    challengeIn,
    brand: profile.brand,
    stampForm: profile.dialect.stamp,
  };
}

/** A request whose body the interface does not show, as this target wants it. */
function told({ dialect }: Profile, request: WalletRequest): WalletRequest {
  const fields = dialect.bodies[String(request.operation)];
  return fields === undefined ? request : { ...request, body: { ...(request.body as object), ...fields } };
}

/** The challenge of a 2xx answer. Its status is another rule's concern. */
export function challengeIn(answer: Answer): RetryChallenge | undefined {
  if (!succeeded(answer)) return undefined;
  const { payloadToSign, requestId } = (answer.body ?? {}) as Record<string, unknown>;
  return typeof payloadToSign === 'string' && typeof requestId === 'string'
    ? { payloadToSign, requestId }
    : undefined;
}

/** Keeps a private key out of every record. */
export function hideKey(secrets: Secrets, key: KeyPair): KeyPair {
  secrets.addBytes(key.scalar);
  return key;
}
