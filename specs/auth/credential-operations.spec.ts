import { KeyPair, SealedKeyError, sealOtpBundle } from '../../client/crypto/index.ts';
import type { WalletAccountState } from '../../target/states/types.ts';
import { expect, test, verifies, type Given, type Need, type Platform } from '../../suite/index.ts';
import { type Attempt, namesTheCause, refusalsOfToken } from '../support/auth.ts';

interface Parts {
  readonly platform: Platform;
  readonly need: Need;
  readonly accountId: string;
  readonly credentialId: string;
}

/** Each credential operation, as a request that the right credentials make succeed without changing anything. */
const OPERATIONS: readonly (readonly [name: string, prepare: (parts: Parts) => Promise<Attempt>])[] = [
  [
    'listing credentials',
    async ({ platform, accountId }) =>
      (authorization, what) =>
        platform.call('listCredentials', {
          query: { accountId },
          authorization,
          label: `the credential list with ${what}`,
        }),
  ],
  [
    'registering a credential',
    async ({ platform, accountId }) =>
      (authorization, what) =>
        platform.call('createCredential', {
          body: { type: 'SMS_OTP', accountId },
          authorization,
          label: `a registration with ${what}`,
        }),
  ],
  [
    'issuing a challenge',
    async ({ platform, credentialId }) =>
      (authorization, what) =>
        platform.call('challengeCredential', {
          path: { id: credentialId },
          authorization,
          label: `a challenge with ${what}`,
        }),
  ],
  ['verifying a credential', verification],
  [
    'revoking a credential',
    async ({ platform, credentialId }) =>
      (authorization, what) =>
        platform.call('revokeCredential', {
          path: { id: credentialId },
          authorization,
          label: `a revocation with ${what}`,
        }),
  ],
];

for (const [name, prepare] of OPERATIONS) {
  test(
    `${name} without the platform's credentials is not authenticated`,
    verifies('AUTH-CREDENTIALS-NEED-BASIC', 'AUTH-FAILURE-CODE'),
    async ({ given, need, check, platform }) => {
      const attempt = await prepare({ platform, need, ...(await wallet(given, name)) });
      const elsewhere = await platform.call('listApprovals', {
        authorization: undefined,
        label: 'another platform operation with no credentials',
      });
      need.that(
        [401, 404, 405].includes(elsewhere.status),
        `platform operations answer ${elsewhere.outcome} without credentials, which is the matter of another rule`,
      );
      const none = await attempt(undefined, 'no credentials');
      need(await attempt(platform.authorization, 'the right credentials')).available();

      await check('AUTH-CREDENTIALS-NEED-BASIC', () => expect(none).toHaveHttpStatus(401));
      await namesTheCause(check, none);
    },
  );

  test(
    `${name} does not open to an agent token`,
    verifies('AUTH-CREDENTIALS-REFUSE-AGENT', 'AUTH-FAILURE-CODE'),
    async ({ given, need, check, platform }) => {
      const agent = await given.agent();
      need(await agent.transferOut()).accepted();
      const attempt = await prepare({ platform, need, ...(await wallet(given, name)) });
      const elsewhere = await platform.call('listApprovals', {
        authorization: agent.authorization,
        label: 'another platform operation with an agent token',
      });
      need.that(
        elsewhere.accepted || [400, 401, 403, 404, 405].includes(elsewhere.status),
        `platform operations answer ${elsewhere.outcome} to an agent token`,
      );
      const byAgent = await attempt(agent.authorization, 'an agent token');
      need(await attempt(platform.authorization, 'the right credentials')).available();

      await check('AUTH-CREDENTIALS-REFUSE-AGENT', () =>
        expect(byAgent).toBeRefused(...refusalsOfToken(elsewhere)),
      );
      await namesTheCause(check, byAgent);
    },
  );
}

/** A revocation needs a second credential to remain, a registration a kind that is not there yet. */
async function wallet(given: Given, operation: string): Promise<{ accountId: string; credentialId: string }> {
  const credentials = operation === 'revoking a credential' ? ['EMAIL_OTP', 'SMS_OTP'] : ['EMAIL_OTP'];
  const state = await given.state<WalletAccountState>('wallet-account', { credentials }, [
    'accountId',
    'credentials',
  ]);
  return {
    accountId: state.accountId,
    credentialId: state.credentials.find(({ type }) => type === 'EMAIL_OTP')?.id ?? '',
  };
}

async function verification({ platform, need, credentialId }: Parts): Promise<Attempt> {
  const challenge = await platform.call('challengeCredential', { path: { id: credentialId } });
  need(challenge).available();
  const { otpEncryptionTargetBundle: target } = challenge.body as { otpEncryptionTargetBundle?: string };
  need.that(target, 'the challenge came without otpEncryptionTargetBundle');
  const encryptedOtpBundle = await sealOtpBundle(
    target,
    {
      otpCode: SANDBOX_CODE,
      publicKey: KeyPair.generate().uncompressed,
    },
    platform.dialect.otpSeal,
  ).catch((error: unknown) => {
    if (!(error instanceof SealedKeyError)) throw error;
    return undefined;
  });
  need.that(encryptedOtpBundle, 'nothing can be sealed under the otpEncryptionTargetBundle of the challenge');
  return (authorization, what) =>
    platform.call('verifyCredential', {
      path: { id: credentialId },
      body: { type: 'EMAIL_OTP', encryptedOtpBundle },
      authorization,
      label: `a verify with ${what}`,
    });
}

/** The code that every sandbox takes (section Authentication, 8). */
const SANDBOX_CODE = '000000';
