import { compressed, open, pointOf, type Sealed } from '../../crypto/keys.ts';
import { isObject } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import type { World } from '../../world/world.ts';
import { type Credential, type OtpChallenge, otpChallenges, otpIsSpent } from './records.ts';

/** What a bundle says, once it has been opened. */
export interface OtpProof {
  readonly challenge: OtpChallenge;
  readonly code: string;
  /** Compressed point, lower-case hex. */
  readonly publicKey: string;
}

/** Opens a bundle with the key of the credential's challenge. */
export async function readOtpBundle(world: World, credential: Credential, text: string): Promise<OtpProof> {
  const { behaviour } = world;
  const sealed = behaviour.parseBundle(text);
  if (!sealed) throw behaviour.refuseBundle('is no JSON text with encappedPublic and ciphertext in hex');
  for (const challenge of behaviour.openChallenges(credential)) {
    const plaintext = await behaviour.openBundle(challenge, sealed);
    if (plaintext) {
      challenge.answeredAt ??= world.clock.now(credential.customerId);
      return readPlaintext(world, challenge, plaintext);
    }
  }
  throw behaviour.refuseBundle('does not open with the key of the last challenge');
}

/**
 * interface.md > Credential operations: JSON text with encappedPublic and ciphertext. How these are encoded is not shown;
 * here in hex.
 *
 * @returns undefined where the text is no such bundle
 */
export function parseBundle(_world: World, text: string): Sealed | undefined {
  const bundle = jsonObject(text);
  const encapsulated = pointOf(bundle?.['encappedPublic']);
  const ciphertext = bundle?.['ciphertext'];
  if (!encapsulated || typeof ciphertext !== 'string' || !/^([0-9a-f]{2})+$/i.test(ciphertext))
    return undefined;
  return { encapsulated, ciphertext: Buffer.from(ciphertext, 'hex') };
}

/** The challenges that can be answered: the last one alone, while it is neither used nor late. */
export function openChallenges(world: World, credential: Credential): readonly OtpChallenge[] {
  const last = (otpChallenges.get(world, credential.id) ?? []).slice(-1);
  return last.filter((challenge) => !otpIsSpent(challenge));
}

/**
 * interface.md > Authentication: in a sandbox HPKE runs fully.
 *
 * @returns undefined where the challenge's key does not open it
 */
export function openBundle(
  _world: World,
  challenge: OtpChallenge,
  sealed: Sealed,
): Promise<Buffer | undefined> {
  return open(challenge.target, sealed);
}

/** interface.md > Credential operations: a JSON object with otp_code and public_key. @throws Refusal */
function readPlaintext(world: World, challenge: OtpChallenge, plaintext: Buffer): OtpProof {
  const content = jsonObject(plaintext.toString('utf8'));
  const point = pointOf(content?.['public_key']);
  const code = content?.['otp_code'];
  if (!point || typeof code !== 'string')
    throw world.behaviour.refuseBundle('holds no otp_code and public_key');
  return { challenge, code, publicKey: compressed(point).toString('hex') };
}

/** interface.md > Authentication: the code of a sandbox is 000000. Which error another one gets is not shown. */
export function codeIsRight(world: World, { challenge, code }: OtpProof): Passes {
  if (code !== challenge.code) throw world.behaviour.refuseProof('The code is wrong.');
}

/** A wrong code is told at the first call already. */
export function checkCodeEarly(world: World, proof: OtpProof): Passes {
  world.behaviour.codeIsRight(proof);
}

/** The key of the session. @returns compressed point, lower-case hex */
export function otpSessionKey(_world: World, proof: OtpProof): string {
  return proof.publicKey;
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
