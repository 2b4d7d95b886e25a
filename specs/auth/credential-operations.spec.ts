import {
  credentialRequests,
  expect,
  idsOf,
  signedOperation,
  test,
  verifies,
  type Answer,
  type Authorization,
  type CredentialType,
  type Given,
  type Mistake,
  type Need,
  type Platform,
  type Profile,
  type Wallet,
  type WalletRequest,
} from '../../suite/index.ts';
import {
  type Attempt,
  type Credentials,
  needTaken,
  namesTheCause,
  refusalsOfToken,
  wrongSecrets,
} from '../support/auth.ts';

/** Each credential operation, as a request that the right credentials make succeed without changing anything. */
const OPERATIONS = {
  'listing credentials': ({ accountId }: Wallet) => credentialRequests.list(accountId),
  'registering a credential': async (wallet: Wallet) =>
    credentialRequests.register((await wallet.draft('SMS_OTP')).body),
  'issuing a challenge': (wallet: Wallet) =>
    credentialRequests.challenge(wallet.credentialOf('EMAIL_OTP').id, undefined),
};

interface Prepared {
  readonly attempt: Attempt;
  /** Sends them all and then the control, with fewer calls than one by one. */
  readonly together?: (wrong: Credentials) => Promise<readonly Answer[]>;
}

type Preparing = (given: Given) => Promise<Prepared>;

/** The same, and calls that come after another one, whose credentials were right: each attempt starts anew. */
const ATTEMPTS: Readonly<Record<string, Preparing>> = {
  ...Object.fromEntries(
    (Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]).map((name) => [
      name,
      (given: Given) => prepared(given, name),
    ]),
  ),
  'revoking a credential': revoking,
  'retrying a registration': retrying('RETRY-CREDENTIAL-CREATE'),
  'retrying a revocation': retrying('RETRY-CREDENTIAL-REVOKE'),
  'retrying a verification': retrying('RETRY-OTP-VERIFY', 'EMAIL_OTP'),
  'issuing a passkey challenge': async (given) => {
    const { wallet, credential } = await given.holding('PASSKEY');
    const attempt: Attempt = (authorization, what) =>
      wallet.challenge(credential, { authorization, label: `asking for a passkey challenge with ${what}` });
    return { attempt };
  },
  'verifying a credential': verifying('EMAIL_OTP'),
  'verifying a passkey': verifying('PASSKEY'),
  'verifying an identity': verifying('OAUTH'),
};

/** Credentials that open no credential operation. */
interface Intruder {
  /** Follows the operation in the title. */
  readonly says: string;
  readonly rule: string;
  readonly credentials: (given: Given, profile: Profile) => Promise<Credentials>;
  /** The statuses that refuse them, by what another operation of the platform answers. None: another rule's matter. */
  readonly refused: (elsewhere: Answer) => readonly number[] | undefined;
}

/** Those of a group are sent about the same records. */
const INTRUDERS: readonly (readonly Intruder[])[] = [
  [
    {
      says: "without the platform's credentials is not authenticated",
      rule: 'AUTH-CREDENTIALS-NEED-BASIC',
      credentials: async () => [[undefined, 'no credentials']],
      refused: ({ status }) => ([401, 404, 405].includes(status) ? [401] : undefined),
    },
    {
      says: 'with a wrong secret is not authenticated',
      rule: 'AUTH-PLATFORM-WRONG-SECRET',
      credentials: async (_, profile) => wrongSecrets(profile),
      refused: () => [401],
    },
  ],
  [
    {
      says: 'does not open to an agent token',
      rule: 'AUTH-CREDENTIALS-REFUSE-AGENT',
      credentials: async (given) => {
        const agent = await given.agent();
        await agent.needTransfer();
        return [[agent.authorization, 'an agent token']];
      },
      refused: (elsewhere) =>
        elsewhere.accepted || [400, 401, 403, 404, 405].includes(elsewhere.status)
          ? refusalsOfToken(elsewhere)
          : undefined,
    },
  ],
];

for (const [name, prepare] of Object.entries(ATTEMPTS))
  for (const intruders of INTRUDERS)
    test(
      `${name} ${intruders.map(({ says }) => says).join(', and ')}`,
      verifies(...intruders.map(({ rule }) => rule), 'AUTH-FAILURE-CODE'),
      async ({ given, need, check, platform, profile }) => {
        const tried = new Map<string, readonly number[] | undefined>();
        const wrong: Credentials[number][] = [];
        const rules: string[] = [];
        for (const { rule, credentials, refused } of intruders) {
          const all = await credentials(given, profile);
          const [[authorization, which]] = all as [Credentials[number]];
          const elsewhere = await platform.call('listApprovals', {
            authorization,
            label: `another platform operation with ${which}`,
          });
          tried.set(rule, refused(elsewhere));
          wrong.push(...all);
          rules.push(...all.map(() => rule));
        }
        const answers = await sent(await prepare(given), wrong, { need, platform });
        for (const [at, answer] of answers.entries()) {
          const rule = rules[at] as string;
          const statuses = tried.get(rule);
          if (statuses) await check(rule, () => expect(answer).toBeRefused(...statuses));
        }
        await namesTheCause(check, answers);
        need.that(
          [...tried.values()].every(Boolean),
          'other operations of the platform take these credentials, which is the matter of another rule',
        );
      },
    );

/** The answers to wrong credentials; right ones come last, so that it is for the credentials that these are refused. */
async function sent(
  { attempt, together }: Prepared,
  wrong: Credentials,
  { need, platform }: { readonly need: Need; readonly platform: Platform },
): Promise<readonly Answer[]> {
  if (together) return together(wrong);
  const answers: Answer[] = [];
  for (const [authorization, what] of wrong) answers.push(await attempt(authorization, what));
  need(await attempt(platform.authorization, 'the right credentials')).available();
  return answers;
}

for (const [name, prepare] of Object.entries(ATTEMPTS))
  test(
    `${name} is nothing that another platform can do`,
    verifies('AUTH-OTHER-PLATFORM'),
    async ({ given, need, check, platform }) => {
      const authorization = await given.otherPlatform();
      await needTaken(platform, need, authorization);
      const { attempt, together } = await prepare(given);
      const what = "another platform's credentials";
      let tried: Answer;
      if (together) [tried] = (await together([[authorization, what]])) as [Answer];
      else {
        need(await attempt(platform.authorization, "its own platform's credentials")).available();
        tried = await (await prepare(given)).attempt(authorization, what);
      }
      // A list may also be empty.
      const shown = tried.exchange.response && tried.accepted ? idsOf(tried) : [];
      const holds = () => {
        if (name === 'listing credentials') expect(shown, 'credentials that are listed').toEqual([]);
        else expect(tried).toBeRefused();
      };
      await check('AUTH-OTHER-PLATFORM', holds, [tried]);
    },
  );

/** The request of an operation. A registration is of a kind that is not there yet. */
async function prepared(given: Given, name: keyof typeof OPERATIONS): Promise<Prepared> {
  const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
  return sending(wallet, await OPERATIONS[name](wallet));
}

/** A revocation needs a second credential to remain. */
async function revoking(given: Given): Promise<Prepared> {
  const { wallet } = await given.signedIn();
  const { id } = await wallet.addCredential('registering a credential that may be revoked');
  return sending(wallet, credentialRequests.revoke(id));
}

function sending(wallet: Wallet, request: WalletRequest): Prepared {
  const attempt: Attempt = (authorization, what) =>
    wallet.send(request, { authorization, label: `${request.label} with ${what}` });
  return { attempt };
}

/** The signed retry of a request: its first call has the right credentials, and its signature is right. */
function retrying(rule: string, type?: CredentialType): Preparing {
  const mistake = (authorization: Authorization | undefined, what: string): Mistake => ({
    label: `with ${what}`,
    tamper: { request: (first) => ({ ...first, authorization }) },
  });
  return async (given) => {
    const { wallet } = await given.signedIn(type);
    const operation = signedOperation(rule);
    return {
      attempt: async (...of) => (await wallet.signedRetry(operation, mistake(...of))).answer,
      together: async (wrong) => {
        const mistakes = wrong.map((one) => mistake(...one));
        return (await wallet.mistakenRetries(operation, mistakes)).map(({ answer }) => answer);
      },
    };
  };
}

function verifying(type: 'EMAIL_OTP' | 'PASSKEY' | 'OAUTH'): Preparing {
  return async (given) => {
    const { wallet, credential } = await given.holding(type);
    // A code serves until it is right, and its challenges are rate-limited.
    const codes = type === 'EMAIL_OTP' ? { challenge: await wallet.needChallenge(credential) } : {};
    const attempt: Attempt = async (authorization, what) => {
      const label = `verifying ${type} with ${what}`;
      const verify = (request: WalletRequest) => ({ ...request, authorization });
      const login = await wallet.attempt(credential, { ...codes, label, verify, retry: { times: 0 } });
      return login.answer;
    };
    return { attempt };
  };
}
