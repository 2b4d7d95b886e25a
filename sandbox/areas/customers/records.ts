import type { Passkey } from '../../crypto/webauthn.ts';
import { isObject, type Json, type JsonObject } from '../../server/json.ts';
import type { Passes } from '../../server/refusal.ts';
import { Table } from '../../world/table.ts';
import { newRecord, type World } from '../../world/world.ts';
import type { Platform } from '../platform/records.ts';

/** A customer of a platform. Times in milliseconds since the epoch. */
export interface Customer {
  readonly id: string;
  readonly platformId: string;
  readonly platformCustomerId: string;
  readonly customerType: 'INDIVIDUAL' | 'BUSINESS';
  /** What the platform told about it, as it was sent. */
  data: JsonObject;
  readonly createdAt: number;
  updatedAt: number;
}

export const customers = new Table<Customer>();

type NewCustomer = Partial<Pick<Customer, 'platformCustomerId' | 'customerType' | 'data'>>;

/** Puts a new customer on record. */
export function addCustomer(world: World, platform: Platform, wanted: NewCustomer = {}): Customer {
  const born = newRecord(world, 'Customer');
  return customers.put(world, born.id, {
    ...born,
    platformId: platform.id,
    platformCustomerId: wanted.platformCustomerId ?? `customer-${born.id.slice(-12)}`,
    customerType: wanted.customerType ?? 'INDIVIDUAL',
    data: wanted.data ?? {},
  });
}

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

/** Strong customer authentication as it usually is, before any login. */
export function usualSca({ behaviour }: World): ScaProfile {
  return {
    challenges: behaviour.usualChallenges(),
    availableFactors: ['SMS_OTP'],
    purposes: ['CURRENCY_CONVERSION', 'PAYOUT'],
    failedAttempts: 0,
  };
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
  /** Set: external accounts are born with this status. */
  statusOfNewAccounts?: string;
  /** Set: new quotes live this long, in milliseconds. */
  quoteLifetime?: number;
  /** Set: realtime funding is paid in through an account of this type. */
  fundingAccountType?: string;
}

/** Countries in which a send is authorized by strong customer authentication (interface.md names the EU). */
const EUROPEAN_UNION = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/** Whether the address of a customer lies where the law asks more. @param data as the platform sent it */
export function isEuropean({ address }: JsonObject): boolean {
  return isObject(address) && EUROPEAN_UNION.has(String(address['country']));
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

/** What must be known of everybody who is verified, by dot path. */
export const NEEDED = ['fullName', 'birthDate', 'address.country', 'identifier'] as const;

/** The code of every contact verification. */
export const CONTACT_CODE = '123456';

/** Consent to a version that is not supported is none. */
export function consentFits(world: World, consent: Json | undefined): Passes {
  if (!isObject(consent) || world.behaviour.termsSupported(String(consent['termsVersion']))) return;
  throw world.behaviour.refuseTermsVersion(String(consent['termsVersion']));
}

/** Version of the end-user terms in force. */
export function currentTerms(_world: World): string {
  return '2026-08-01';
}
