import type { SignedRetry } from '../../client/signed-retry.ts';
import type { Answer } from '../../suite/index.ts';

/**
 * Statuses that refuse the revocation of an account's only credential (section Credential operations): 400, and where the first
 * call has answered 202, the retry may be refused before for its signer, which cannot be a session of another credential.
 */
export function refusalsOfOnly({ retries }: Pick<SignedRetry<Answer>, 'retries'>): readonly number[] {
  return retries.length > 0 ? [400, 401, 403] : [400];
}
