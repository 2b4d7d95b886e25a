import { KeyPair } from '../../client/crypto/key-pair.ts';
import { oidcNonce } from '../../client/crypto/oidc.ts';
import {
  expect,
  succeeded,
  test,
  verifies,
  type Answer,
  type Credential,
  type CredentialType,
  type Login,
  type Wallet,
  type WalletRequest,
} from '../../suite/index.ts';
import {
  badClientKeys,
  badOtpBundles,
  tamperedClaims,
  unreadableTokens,
  otherIssuer,
} from '../support/tampered-logins.ts';
import { tamperedAssertions } from '../support/tampered-passkeys.ts';

/** One thing that is wrong in a login, whose right twin mints a session. */
interface Wrong {
  readonly rule: string;
  readonly type: CredentialType;
  /** Follows "verify is refused". */
  readonly says: string;
  /** @param challenge absent where the type has none */
  readonly change: (wallet: Wallet, credential: Credential, challenge: Answer | undefined) => Change;
  /** The statuses that refuse it, where not every 4xx does. */
  readonly statuses?: readonly number[];
  /** The answer as an observation. */
  readonly question?: readonly [id: string, as: string];
}

type Change = NonNullable<Parameters<Wallet['attempt']>[1]>;

const UNREADABLE_BUNDLES = [
  { says: 'missing', value: undefined },
  { says: 'a number', value: 1 },
  { says: 'an object and not JSON text', value: { encappedPublic: '04', ciphertext: '00' } },
];

const WRONG: readonly Wrong[] = [
  ...badOtpBundles.map((row): Wrong => ({
    rule: row.rule,
    type: 'EMAIL_OTP',
    says: `with an encryptedOtpBundle that ${row.says}`,
    change: () => ({ seal: row.make.bind(row) }),
  })),
  ...UNREADABLE_BUNDLES.map(({ says, value }): Wrong => ({
    rule: 'VERIFY-EMAIL-OTP-UNREADABLE',
    type: 'EMAIL_OTP',
    says: `with an encryptedOtpBundle that is ${says}`,
    change: () => ({ verify: withFields({ encryptedOtpBundle: value }) }),
  })),
  ...badClientKeys.map(({ says, make }): Wrong => ({
    rule: 'VERIFY-OAUTH-CLIENT-KEY',
    type: 'OAUTH',
    says: `for a clientPublicKey that is ${says}`,
    // The nonce is that of the same text, so that it is not what is wrong.
    change: () => ({ clientPublicKey: make() }),
  })),
  {
    rule: 'VERIFY-OAUTH-CLIENT-KEY',
    type: 'OAUTH',
    says: 'without clientPublicKey',
    change: () => ({ verify: withFields({ clientPublicKey: undefined }) }),
  },
  ...tamperedClaims.map((row): Wrong => ({
    rule: row.rule,
    type: 'OAUTH',
    says: `with a token that ${row.says}`,
    change: ({ clock, means }, credential) => {
      const { identity } = credential as Credential<'OAUTH'>;
      const now = Math.floor(clock.earliestNow().getTime() / 1_000);
      const nonceOf = (key: KeyPair) => oidcNonce(key.uncompressed, means.profile.dialect.oidcNonce);
      const clientKey = KeyPair.generate();
      return { clientKey, claims: row.make(identity, now, nonceOf, clientKey) };
    },
    question: ['oidc-failure-answers', row.name],
  })),
  ...[120, 600, 3_000].map((seconds): Wrong => ({
    rule: 'OIDC-VERIFY-TOO-OLD',
    type: 'OAUTH',
    says: `with a token of ${seconds} s ago`,
    change: ({ clock }) => ({ claims: { iat: Math.floor(clock.earliestNow().getTime() / 1_000) - seconds } }),
  })),
  ...unreadableTokens.map((row): Wrong => ({
    rule: 'OIDC-MALFORMED',
    type: 'OAUTH',
    says: `with a token that ${row.says}`,
    change: () => ({ token: (good) => row.make(good) }),
  })),
  ...tamperedAssertions.map((row): Wrong => ({
    rule: row.rule,
    type: 'PASSKEY',
    says: `with an assertion that ${row.says}`,
    change: (wallet, _, challenge) => {
      // Another rule's concern, but without hex there are no bytes to decode.
      wallet.need.that(
        row.rule !== 'VERIFY-PASSKEY-CHALLENGE-TEXT' ||
          /^([0-9a-f]{2})+$/i.test(String(challenge?.body?.challenge)),
        'the challenge is not hex',
      );
      return { assert: row.make.bind(row) };
    },
  })),
  {
    rule: 'VERIFY-PASSKEY-REQUEST-ID-MISSING',
    type: 'PASSKEY',
    says: 'without Request-Id',
    change: () => ({ requestId: null }),
    statuses: [400, 401],
  },
  {
    rule: 'VERIFY-PASSKEY-REQUEST-ID-FOREIGN',
    type: 'PASSKEY',
    says: 'with a Request-Id that was never issued',
    change: () => ({ requestId: `Request:${crypto.randomUUID()}` }),
  },
];

/** Challenges for one credential are rate-limited, so it serves for so many rows of one rule; an identity has none. */
const ROWS = 4;
const BY_RULE = [...new Set(WRONG.map(({ rule }) => rule))].flatMap((rule) => {
  const ofRule = WRONG.filter((row) => row.rule === rule);
  const most = ofRule[0]?.type === 'OAUTH' ? ofRule.length : ROWS;
  return ofRule.flatMap((_, at) => (at % most === 0 ? [ofRule.slice(at, at + most)] : []));
});

for (const rows of BY_RULE) {
  const [{ type, rule }] = rows as [Wrong];
  test(
    `${type}: verify is refused ${rows.map(({ says }) => says).join(', ')}`,
    verifies(rule),
    async ({ given, check, observe }) => {
      const { wallet, credential } = await given.holding(type);
      const answers = await mistakenLogins(wallet, credential, rows);
      for (const [at, { statuses = [], question }] of rows.entries()) {
        const answer = answers[at] as Answer;
        await check(rule, () => expect(answer).toBeRefused(...statuses));
        if (question) observe(question[0], { [question[1]]: answer.outcome }, answer);
      }
      // A token costs no challenge, so the first mistake is made once more.
      if (type !== 'OAUTH') return;
      const [again] = await mistakenLogins(wallet, credential, rows.slice(0, 1));
      await check(rule, () => expect(again as Answer).toBeRefused());
    },
  );
}

/**
 * Makes each mistake in a login. Codes are tried about one challenge where it serves until the right one, which comes last and
 * is the control; each assertion has a challenge of its own, and so has each code where a wrong one uses the challenge up.
 */
async function mistakenLogins(
  wallet: Wallet,
  credential: Credential,
  rows: readonly Wrong[],
): Promise<readonly Answer[]> {
  const asked = async () => (credential.type === 'OAUTH' ? undefined : wallet.needChallenge(credential));
  const verify = async ({ says, change }: Wrong, challenge: Answer | undefined) => {
    const wrong = { label: `verifying ${says}`, ...change(wallet, credential, challenge) };
    return (await wallet.attempt(credential, challenge ? { challenge, ...wrong } : wrong)).answer;
  };
  const answers: Answer[] = [];
  if (credential.type === 'EMAIL_OTP') {
    const challenge = await wallet.needChallenge(credential);
    for (const row of rows) if (!answers.some(succeeded)) answers.push(await verify(row, challenge));
    if (!answers.some(succeeded)) {
      if ((await wallet.login(credential, { challenge })).session) return answers;
      answers.splice(1);
    }
  }
  await wallet.needLogin(credential);
  for (const row of rows.slice(answers.length)) answers.push(await verify(row, await asked()));
  return answers;
}

function withFields(fields: object): (request: WalletRequest) => WalletRequest {
  return (request) => ({ ...request, body: { ...(request.body as object), ...fields } });
}

// ------------------------------------------------------------------- what is right in itself, and another one's

/** An assertion or a challenge of somebody else: another passkey of the account, another account, an earlier login. */
interface Foreign {
  readonly rule: string;
  readonly says: string;
  readonly attempt: (own: Own, other: Own) => Promise<Login>;
  /** Whose it is: another account's unless given. */
  readonly of?: 'the same account';
}

interface Own {
  readonly wallet: Wallet;
  readonly credential: Credential<'PASSKEY'>;
}

/** With a counter beyond those of every passkey of the test: it must not be for its counter that this one is refused. */
const asserting = (passkey: Own['credential']['passkey']) => (_: unknown, challenge: string) =>
  passkey.assert(challenge, { counter: passkey.counter + 1_000 });

/** Those with another counter come last of each account: what follows one that is taken may be refused for its own. */
const FOREIGN: readonly Foreign[] = [
  {
    rule: 'VERIFY-PASSKEY-REQUEST-ID-FOREIGN',
    says: "the Request-Id of another passkey's challenge",
    of: 'the same account',
    attempt: async ({ wallet, credential }, other) => {
      const challenge = await wallet.needChallenge(other.credential);
      return wallet.attempt(credential, { requestId: String(challenge.body.requestId) });
    },
  },
  {
    rule: 'VERIFY-PASSKEY-WRONG-CHALLENGE',
    says: 'the Request-Id of another challenge of its own',
    of: 'the same account',
    attempt: async ({ wallet, credential }) => {
      const [challenge, other] = [
        await wallet.needChallenge(credential),
        await wallet.needChallenge(credential),
      ];
      return wallet.attempt(credential, { challenge, requestId: String(other.body.requestId) });
    },
  },
  {
    rule: 'VERIFY-PASSKEY-REQUEST-ID-FOREIGN',
    says: 'the whole challenge of another passkey of the account',
    of: 'the same account',
    attempt: async ({ wallet, credential }, other) =>
      wallet.attempt(credential, { challenge: await wallet.needChallenge(other.credential) }),
  },
  {
    rule: 'VERIFY-PASSKEY-REQUEST-ID-FOREIGN',
    says: "the whole challenge of another account's passkey",
    attempt: async ({ wallet, credential }, other) =>
      wallet.attempt(credential, { challenge: await other.wallet.needChallenge(other.credential) }),
  },
  {
    rule: 'VERIFY-PASSKEY-FOREIGN-CREDENTIAL',
    says: 'the assertion of another passkey of the account',
    of: 'the same account',
    attempt: ({ wallet, credential }, { credential: { passkey } }) =>
      wallet.attempt(credential, { assert: asserting(passkey) }),
  },
  {
    rule: 'VERIFY-PASSKEY-FOREIGN-CREDENTIAL',
    says: "the assertion of another account's passkey",
    attempt: ({ wallet, credential }, { credential: { passkey } }) =>
      wallet.attempt(credential, { assert: asserting(passkey) }),
  },
];

for (const whose of ['the same account', undefined] as const) {
  const rows = FOREIGN.filter(({ of }) => of === whose);
  test(
    `a passkey verify is refused with ${rows.map(({ says }) => says).join(', or with ')}`,
    verifies(...new Set(rows.map(({ rule }) => rule))),
    async ({ given, check }) => {
      const own = await given.signedIn('PASSKEY');
      const { wallet, credential, session } = own;
      const other = whose
        ? { wallet, credential: await given.credential(wallet, 'PASSKEY', session) }
        : await given.signedIn('PASSKEY');
      if (whose) await wallet.needLogin(other.credential);
      await wallet.needLogin(credential);
      for (const { rule, attempt } of rows) {
        const { answer } = await attempt(own, other);
        await check(rule, () => expect(answer).toBeRefused());
      }
    },
  );
}

test(
  'OAUTH: verify is refused with a token of another identity of the account',
  verifies('OIDC-SUB'),
  async ({ given, check, need }) => {
    const { wallet, credential, session } = await given.signedIn('OAUTH');
    const iss = otherIssuer(credential.identity.iss);
    const registration = await wallet.register(await wallet.draftOauth({ identity: { iss } }), session);
    need.offered(!registration.answer.refused, `this target takes no token of ${iss} beside the other`);
    const { identity } = need.registered(registration);
    await wallet.needLogin(credential);
    const { answer } = await wallet.attempt(credential, { claims: { ...identity } });
    await check('OIDC-SUB', () => expect(answer).toBeRefused());
  },
);

// ------------------------------------------------------------------------------------------------- another type's body

/** The same verify call, at the path of another credential of the account. */
function at(credential: Credential): (request: WalletRequest) => WalletRequest {
  return (request) => ({
    ...request,
    path: { id: credential.id },
    label: `verifying ${credential.type} with the body of another type`,
  });
}

async function both(wallet: Wallet, prepare: () => Promise<Credential>): Promise<[Credential, Credential]> {
  return [wallet.credentials[0] as Credential, await prepare()];
}

/** A service that goes by the credential in the path finds no proof in the body of one of these; of SMS_OTP it may. */
for (const type of ['OAUTH', 'PASSKEY'] as const)
  test(
    `EMAIL_OTP and ${type} do not take each other's verify body`,
    verifies('VERIFY-TYPE-MISMATCH'),
    async ({ given, check, observe }) => {
      given.needProve(type);
      const { wallet, session } = await given.signedIn('EMAIL_OTP');
      const [email, other] = await both(wallet, () => given.credential(wallet, type, session));
      await wallet.needLogin(email);
      await wallet.needLogin(other);
      const otherAtEmail = await wallet.attempt(other, { verify: at(email) });
      await check('VERIFY-TYPE-MISMATCH', () => expect(otherAtEmail.answer).toBeRefused());
      const emailAtOther = await wallet.attempt(email, { verify: at(other) });
      await check('VERIFY-TYPE-MISMATCH', () => expect(emailAtOther.answer).toBeRefused());
      observe('verify-other-type-answer', otherAtEmail.answer, emailAtOther.answer);
    },
  );

test('whether the type in a verify body is read', async ({ given, observe }) => {
  const { wallet, credential } = await given.holding('EMAIL_OTP');
  await wallet.needLogin(credential);
  const login = await wallet.login(credential, {
    verify: (request) => ({
      ...request,
      body: { ...(request.body as object), type: 'SMS_OTP' },
      label: 'verifying EMAIL_OTP as SMS_OTP',
    }),
  });
  observe('verify-other-type-answer', login.answer);
});
