import { faultsOf } from './row.ts';

/** Ownership verification of external accounts. */
export const accountFaults = faultsOf([
  [
    'verified-account-stays-pending',
    'ACCOUNT-VERIFY-ACTIVE',
    'A verification that succeeds leaves the account pending.',
    { statusWhenProven: () => () => 'PENDING_OWNERSHIP_VERIFICATION' },
  ],
  [
    'verified-account-called-verified',
    'ACCOUNT-VERIFY-ACTIVE',
    'A verified account has the status VERIFIED.',
    { statusWhenProven: () => () => 'VERIFIED' },
  ],
  [
    'failed-account-stays-pending',
    'ACCOUNT-VERIFY-UNVERIFIED',
    'A verification that fails leaves the account pending.',
    { statusWhenNotProven: () => () => 'PENDING_OWNERSHIP_VERIFICATION' },
  ],
  [
    'any-signature-verifies',
    'ACCOUNT-VERIFY-WRONG-SIGNATURE',
    'Every signature verifies the ownership.',
    { ownershipProven: () => () => true },
  ],
  [
    'liveness-proves-nothing',
    'ACCOUNT-LIVENESS',
    'A liveness check that succeeds leaves the account UNVERIFIED.',
    {
      settleLiveness: () => (world, account) => world.rules.settleOwnership(world, account, false),
    },
  ],
  [
    'failed-liveness-changes-nothing',
    'ACCOUNT-LIVENESS',
    'A liveness check that fails leaves the account pending.',
    {
      settleLiveness: (original) => (world, account, holds) => {
        if (holds) original(world, account, holds);
      },
    },
  ],
  [
    'verification-in-the-background',
    'ACCOUNT-VERIFY-SYNCHRONOUS',
    'Verify answers before the signature was looked at.',
    {
      whenOwnershipKnown: () => (_world, settle) => {
        setTimeout(settle, 150).unref();
      },
    },
  ],
  [
    'challenge-counts-as-attempt',
    'ACCOUNT-CHALLENGE-CHANGES-NOTHING',
    'Asking for a challenge ends the verification as failed.',
    {
      afterOwnershipChallenge: () => (_world, account) => {
        account.status = 'UNVERIFIED';
      },
      awaitsOwnership: () => () => undefined,
    },
  ],
]);
