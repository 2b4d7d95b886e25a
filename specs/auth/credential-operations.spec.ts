import {
  credentialRequests,
  expect,
  signedOperation,
  test,
  verifies,
  type Answer,
  type CredentialType,
  type Given,
  type OtpType,
  type Wallet,
  type WalletRequest,
} from '../../suite/index.ts';
import { type Attempt, namesTheCause, refusalsOfToken, wrongSecrets } from '../support/auth.ts';

/** Each credential operation, as a request that the right credentials make succeed without changing anything. */
const OPERATIONS = {
  'listing credentials': ({ accountId }: Wallet) => credentialRequests.list(accountId),
  'registering a credential': async (wallet: Wallet) =>
    credentialRequests.register((await wallet.draft('SMS_OTP')).body),
  'issuing a challenge': (wallet: Wallet) =>
    credentialRequests.challenge(wallet.credentialOf('EMAIL_OTP').id, undefined),
  'revoking a credential': (wallet: Wallet) => credentialRequests.revoke(wallet.credentialOf('EMAIL_OTP').id),
};

type Preparing = (given: Given) => Promise<Attempt>;

/** The same, and calls that come after another one, whose credentials were right: each attempt starts anew. */
const ATTEMPTS: Readonly<Record<string, Preparing>> = {
  ...Object.fromEntries(
    (Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]).map((name) => [
      name,
      (given: Given) => prepared(given, name),
    ]),
  ),
  'retrying a registration': retrying('RETRY-CREDENTIAL-CREATE'),
  'retrying a revocation': retrying('RETRY-CREDENTIAL-REVOKE'),
  'retrying a verification': retrying('RETRY-OTP-VERIFY', 'EMAIL_OTP'),
  'issuing a passkey challenge': async (given) => {
    const { wallet, credential } = await given.holding('PASSKEY');
    return (authorization, what) =>
      wallet.challenge(credential, { authorization, label: `asking for a passkey challenge with ${what}` });
  },
  'verifying a credential': verifying('EMAIL_OTP'),
  'verifying a passkey': verifying('PASSKEY'),
  'verifying an identity': verifying('OAUTH'),
};

for (const [name, prepare] of Object.entries(ATTEMPTS)) {
  test(
    `${name} without the platform's credentials is not authenticated`,
    verifies('AUTH-CREDENTIALS-NEED-BASIC', 'AUTH-FAILURE-CODE'),
    async ({ given, need, check, platform }) => {
      const attempt = await prepare(given);
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
    `${name} with a wrong secret is not authenticated`,
    verifies('AUTH-PLATFORM-WRONG-SECRET', 'AUTH-FAILURE-CODE'),
    async ({ given, need, check, platform, profile }) => {
      const attempt = await prepare(given);
      const answers: Answer[] = [];
      for (const [authorization, what] of wrongSecrets(profile))
        answers.push(await attempt(authorization, what));
      need(await attempt(platform.authorization, 'the right credentials')).available();

      await check('AUTH-PLATFORM-WRONG-SECRET', () => {
        for (const answer of answers) expect(answer).toHaveHttpStatus(401);
      });
      await namesTheCause(check, ...answers);
    },
  );

  test(
    `${name} does not open to an agent token`,
    verifies('AUTH-CREDENTIALS-REFUSE-AGENT', 'AUTH-FAILURE-CODE'),
    async ({ given, need, check, platform }) => {
      const agent = await given.agent();
      await agent.mustTransfer();
      const attempt = await prepare(given);
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

/** The request of an operation. A revocation needs a second credential to remain, a registration a kind that is not there yet. */
async function prepared(given: Given, name: keyof typeof OPERATIONS): Promise<Attempt> {
  const others: readonly OtpType[] = name === 'revoking a credential' ? ['SMS_OTP'] : [];
  const wallet = await given.wallet({ credentials: ['EMAIL_OTP', ...others] });
  const request = await OPERATIONS[name](wallet);
  return (authorization, what) =>
    wallet.send(request, { authorization, label: `${request.label} with ${what}` });
}

/** The signed retry of a request: its first call has the right credentials, and its signature is right. */
function retrying(rule: string, type?: CredentialType): Preparing {
  return async (given) => {
    const { wallet } = await given.signedIn(type);
    return async (authorization, what) => {
      const request = (first: WalletRequest) => ({ ...first, authorization });
      const { answer } = await wallet.signedRetry(signedOperation(rule), {
        label: `with ${what}`,
        tamper: { request },
      });
      return answer;
    };
  };
}

function verifying(type: 'EMAIL_OTP' | 'PASSKEY' | 'OAUTH'): Preparing {
  return async (given) => {
    const { wallet, credential } = await given.holding(type);
    // A code serves until it is right, and its challenges are rate-limited.
    const codes = type === 'EMAIL_OTP' ? { challenge: await wallet.mustChallenge(credential) } : {};
    return async (authorization, what) => {
      const label = `verifying ${type} with ${what}`;
      const verify = (request: WalletRequest) => ({ ...request, authorization });
      const login = await wallet.attempt(credential, { ...codes, label, verify, retry: { times: 0 } });
      return login.answer;
    };
  };
}
