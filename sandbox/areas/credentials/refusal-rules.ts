import { Refusal } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';

/** The wallet signature header as this deployment spells it. */
export function signatureHeader(world: World): string {
  return `${world.config.brand}-Wallet-Signature`;
}

export function refuseMissingSignature(world: World): Refusal {
  return new Refusal(
    401,
    'WALLET_SIGNATURE_MISSING',
    `${world.rules.signatureHeader()} is required beside Request-Id.`,
  );
}

export function refuseMissingRequestId(world: World): Refusal {
  return new Refusal(
    401,
    'REQUEST_ID_MISSING',
    `Request-Id is required beside ${world.rules.signatureHeader()}.`,
  );
}

/** @param part of the header that cannot be read */
export function refuseMalformedSignature(
  world: World,
  part: 'encoding' | 'structure' | 'fields',
  why: string,
): Refusal {
  return new Refusal(
    401,
    'WALLET_SIGNATURE_MALFORMED',
    `The ${part} of ${world.rules.signatureHeader()} cannot be read: ${why}.`,
  );
}

export function refuseOtherBody(_world: World): Refusal {
  return new Refusal(401, 'WALLET_SIGNATURE_BODY_MISMATCH', 'The signed request had another body.');
}

/** The signature does not verify with the key that it names. */
export function refuseInvalidSignature(_world: World): Refusal {
  return new Refusal(401, 'WALLET_SIGNATURE_INVALID', 'The wallet signature does not verify.');
}

/** The signature is good, but its key may not sign this. */
export function refuseSigner(_world: World, why: string): Refusal {
  return new Refusal(401, 'WALLET_SIGNATURE_INVALID', why);
}

/** A session of the credential that is to be revoked signed the revocation. */
export function refuseOwnSession(world: World): Refusal {
  return world.rules.refuseSigner('A revocation is signed with a session of a different credential.');
}

/** Which code a Request-Id that is unknown, used, late or of another request gets is left open. */
export function refuseRequestId(_world: World, why: string): Refusal {
  return new Refusal(401, 'WALLET_SIGNATURE_INVALID', why);
}

/** A proof of a login that is not good enough: code, token or assertion. */
export function refuseProof(_world: World, why: string): Refusal {
  return new Refusal(401, 'UNAUTHORIZED', why);
}

/** Credential input that passes its schema and is unusable all the same. @param field dot-notation path */
export function refuseField(world: World, field: string, why: string): Refusal {
  return world.rules.refuseInvalidFields([{ field, constraint: {}, message: `${field} ${why}` }]);
}

export function refuseClientKey(world: World): Refusal {
  return world.rules.refuseField('clientPublicKey', 'must be a P-256 public key in hex');
}

export function refuseDuplicate(_world: World, code: string, why: string): Refusal {
  return new Refusal(400, code, why);
}

export function refuseOnlyCredential(_world: World): Refusal {
  return new Refusal(400, 'INVALID_INPUT', 'The only credential of an account cannot be revoked.');
}

/** @param seconds until a challenge is issued again, whole */
export function refuseTooOften(world: World, seconds: number): Refusal {
  return new Refusal(429, 'RATE_LIMITED', 'Challenges are issued too often for this credential.', {
    headers: { 'retry-after': world.rules.retryAfter(seconds) },
  });
}

/** Whole seconds. */
export function retryAfter(_world: World, seconds: number): string {
  return String(seconds);
}
