import type { Fault } from '../fault.ts';
import { listingFaults } from './listing.ts';
import { oauthFaults } from './oauth.ts';
import { otpFaults } from './otp.ts';
import { passkeyFaults } from './passkey.ts';
import { registrationFaults } from './registration.ts';
import { retryFaults } from './retry.ts';
import { sessionFaults } from './sessions.ts';
import { shapeFaults } from './shapes.ts';
import { stampFaults } from './stamp.ts';

/** Breaches of the credential operations, the signed retry, sessions and wallets. */
export const credentialFaults: readonly Fault[] = [
  ...registrationFaults,
  ...listingFaults,
  ...otpFaults,
  ...oauthFaults,
  ...passkeyFaults,
  ...retryFaults,
  ...stampFaults,
  ...sessionFaults,
  ...shapeFaults,
];
