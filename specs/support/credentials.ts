import type { SignedRetry } from '../../client/signed-retry.ts';
import type { Answer } from '../../suite/index.ts';

/** The sentence that each wrong claim breaks. A token without iat or after its exp is something that the interface does not speak of. */
export const CLAIM_RULES: Readonly<Record<string, string>> = {
  'iat-too-old': 'OIDC-VERIFY-TOO-OLD',
  'nonce-of-another-key': 'OIDC-NONCE',
  'nonce-missing': 'OIDC-NONCE-MISSING',
  'iss-other': 'OIDC-ISS',
  'aud-other': 'OIDC-AUD',
  'sub-other': 'OIDC-SUB',
  'sub-missing': 'OIDC-SUB',
};

/** Which sentence of the interface each wrong assertion breaks. The others (presence, counter, type) are observed only. */
export const ASSERTION_RULES: Readonly<Record<string, string>> = {
  'challenge-other': 'VERIFY-PASSKEY-WRONG-CHALLENGE',
  'challenge-empty': 'VERIFY-PASSKEY-WRONG-CHALLENGE',
  'client-data-not-json': 'VERIFY-PASSKEY-WRONG-CHALLENGE',
  'challenge-decoded': 'VERIFY-PASSKEY-CHALLENGE-TEXT',
  'origin-other': 'VERIFY-PASSKEY-ORIGIN',
  'origin-look-alike': 'VERIFY-PASSKEY-ORIGIN',
  'rp-id-other': 'VERIFY-PASSKEY-ORIGIN',
  'signature-other-key': 'VERIFY-PASSKEY-SIGNATURE',
  'signature-tampered': 'VERIFY-PASSKEY-SIGNATURE',
  'signature-of-another-assertion': 'VERIFY-PASSKEY-SIGNATURE',
  'authenticator-data-tampered': 'VERIFY-PASSKEY-SIGNATURE',
  'signature-not-der': 'VERIFY-PASSKEY-SIGNATURE',
};

/** The rule that a malformed stamp breaks, by the part that is malformed. */
export const MALFORMED_RULES = {
  encoding: 'STAMP-MALFORMED-ENCODING',
  structure: 'STAMP-MALFORMED-STRUCTURE',
  fields: 'STAMP-MALFORMED-FIELDS',
} as const;

/**
 * Statuses that refuse the revocation of an account's only credential (section Credential operations): 400, and where the first
 * call has answered 202, the retry may be refused before for its signer, which cannot be a session of another credential.
 */
export function refusalsOfOnly({ retries }: Pick<SignedRetry<Answer>, 'retries'>): readonly number[] {
  return retries.length > 0 ? [400, 401, 403] : [400];
}
