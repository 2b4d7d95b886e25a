import { Table } from '../core/table.ts';
import type { World } from '../core/world.ts';
import type { Passkey } from '../crypto/webauthn.ts';

/** Strong customer authentication of one customer. Times in milliseconds since the epoch. */
export interface ScaProfile {
  /** How many authorizations a send needs. */
  readonly challenges: number;
  readonly availableFactors: readonly string[];
  /** Label of each step; null: none. */
  readonly purposes: readonly (string | null)[];
  readonly passkey?: Passkey & { readonly userHandle: string };
  sessionExpiresAt?: number;
  lockedUntil?: number;
  failedAttempts: number;
}

/** Limits in force for one customer; sizes and volumes in the smallest unit of the sending currency. */
export interface Limits {
  readonly transactionSize?: bigint;
  readonly dailyVolume?: bigint;
  /** Payments to one counterparty in a day. */
  readonly velocity?: number;
  /** From this amount on the destination's ownership must be verified. */
  readonly ownershipThreshold: bigint;
}

/** What the service knows about a customer besides the data that the platform sent. */
export interface Traits {
  hasAcceptedTerms: boolean;
  isReady: boolean;
  /** Set: this counterparty is not enabled for the customer's accounts. */
  closedTo?: string;
  kyc: 'APPROVED' | 'PENDING' | 'REJECTED';
  limits: Limits;
  /** Only in regions where it is required. */
  sca?: ScaProfile;
  /** The customer's payment provider mandates contact verification. */
  mandatesContact: boolean;
  /** Contact codes that were sent and not yet confirmed, by channel. */
  readonly contactCodes: Map<string, string>;
  /** Set: new quotes live this long, in milliseconds. */
  quoteLifetime?: number;
  /** Set: realtime funding is paid in through an account of this type. */
  fundingAccountType?: string;
}

const traits = new Table<Traits>();

/** The traits of a customer: without more ado, one that may do everything. */
export function traitsOf(world: World, customerId: string): Traits {
  return (
    traits.get(world, customerId) ??
    traits.put(world, customerId, {
      hasAcceptedTerms: true,
      isReady: true,
      kyc: 'APPROVED',
      limits: { ownershipThreshold: 100_000n },
      mandatesContact: false,
      contactCodes: new Map(),
    })
  );
}
