import { type Life, Table, Waiting } from '../../world/table.ts';
import type { World } from '../../world/world.ts';
import { type ScaProfile, traitsOf } from '../customers/records.ts';
import type { Quote } from '../quotes/records.ts';

/** Challenges of logins, by id. */
export const scaLogins = new Table<ScaChallenge>();

/** The code of every text message of strong customer authentication, as in other sandboxes. */
export const SMS_CODE = '123456';

/** What a customer of an SCA region has to authorize next. Times in milliseconds since the epoch. */
export interface ScaChallenge {
  readonly id: string;
  readonly customerId: string;
  readonly factor: string;
  readonly availableFactors: readonly string[];
  readonly purpose?: string;
  /** WebAuthn challenge, base64url; of passkey challenges. */
  readonly nonce?: string;
  readonly status: 'OPEN' | 'USED' | 'EXPIRED';
  readonly expiresAt: number;
}

/** interface.md > ScaChallenge: after expiresAt it cannot be authorized. */
export const SCA_CHALLENGE_LIFE: Life<ScaChallenge['status']> = {
  kind: 'SCA challenge',
  moves: { OPEN: ['USED', 'EXPIRED'], USED: [], EXPIRED: [] },
};

export const openScaChallenges = new Waiting<ScaChallenge>('OPEN', (_world, { expiresAt }) => expiresAt);

/** How long an SCA session lasts, in milliseconds. */
export const SESSION_TIME = 180 * 24 * 3_600_000;

/** Milliseconds that the challenge of a quote can be authorized. */
const CHALLENGE_LIFETIME = 120_000;

/** How many authorizations a quote needs, one after the other. */
export function challengesFor(world: World, quote: Quote): number {
  return scaOf(world, quote.customerId)?.challenges ?? 0;
}

/** The challenge of the next step of a quote. */
export function issueChallenge(world: World, quote: Quote): ScaChallenge {
  const sca = scaOf(world, quote.customerId)!;
  const purpose = purposeOfStep(sca, quote.authorizations);
  const factor = world.behaviour.factorFor(sca, undefined);
  return world.behaviour.newChallenge(quote.customerId, sca, {
    factor,
    lifetime: CHALLENGE_LIFETIME,
    ...(purpose === undefined ? {} : { purpose }),
  });
}

/** Label of a step, when steps are told apart. @param step from 0 */
function purposeOfStep(sca: ScaProfile, step: number): string | undefined {
  return sca.purposes[step] ?? undefined;
}

/** Origins at which the ceremony of a login may run. */
export function allowedOrigins(world: World, challenge: ScaChallenge): readonly string[] {
  const passkey = scaOf(world, challenge.customerId)?.passkey;
  return passkey ? [passkey.origin, 'https://app.sandbox.example'] : [];
}

/** Strong authentication of a customer, in regions where it is required. */
export function scaOf(world: World, customerId: string): ScaProfile | undefined {
  return traitsOf(world, customerId).sca;
}
