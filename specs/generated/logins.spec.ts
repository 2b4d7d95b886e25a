import fc from 'fast-check';
import {
  badClientKeys,
  badOtpBundles,
  unreadableTokens,
  type SoftwarePasskey,
} from '../../client/crypto/index.ts';
import {
  expect,
  loggingIn,
  survey,
  test,
  verifies,
  type Credential,
  type CredentialType,
  type Given,
  type Login,
  type Walk,
  type Wallet,
  type WalletSession,
} from '../../suite/index.ts';

const TYPES = ['EMAIL_OTP', 'SMS_OTP', 'OAUTH', 'PASSKEY'] as const;
const ACCEPTED: Readonly<Record<CredentialType, string>> = {
  EMAIL_OTP: 'VERIFY-EMAIL-OTP-ACCEPTED',
  SMS_OTP: 'VERIFY-SMS-OTP-FLOW',
  OAUTH: 'VERIFY-OAUTH-ACCEPTED',
  PASSKEY: 'VERIFY-PASSKEY-ACCEPTED',
};
const OF_CODES: readonly CredentialType[] = ['EMAIL_OTP', 'SMS_OTP'];

test(
  'whatever credential a login is made with, its session signs, again and again',
  verifies(
    ...Object.values(ACCEPTED),
    'RETRY-OTP-VERIFY',
    'SESSION-KEY-SEALED-TO-CLIENT',
    'SESSION-KEY-SIGNS',
    'VERIFY-EMAIL-OTP-SESSION-KEY',
    'SESSION-ANY-CREDENTIAL',
    'CHALLENGE-PASSKEY-FRESH',
    'VERIFY-PASSKEY-USER-HANDLE',
  ),
  async ({ given, check, profile }) => {
    const provable = TYPES.filter((type) => type !== 'PASSKEY' || profile.capabilities.includes('passkey'));
    const inputs = provable.flatMap((type) => [1, 2].map((logins) => ({ type, logins })));
    await survey(check, inputs, async ({ type, logins }, on) => {
      const { wallet, credential } = await given.holding(type);
      const challenges = new Set<unknown>();
      for (let turn = 1; turn <= logins; turn += 1) {
        const withoutHandle = type === 'PASSKEY' && turn === 2;
        const login = await wallet.login(credential, withoutHandle ? { assert: assertWithoutHandle } : {});
        on.told(login.answer);
        const first = on.must(login.first, 'the login ended before its verify call');
        const { sealProblem, challenge } = login;
        on.must(!challenge || challenge.breaches.length === 0, 'the challenge breaks a rule of its own');
        if (type === 'PASSKEY' && challenge)
          await on.hold(
            'CHALLENGE-PASSKEY-FRESH',
            () =>
              expect(challenges.has(challenge.body?.challenge), 'the challenge was issued before').toBe(
                false,
              ),
            [challenge],
          );
        challenges.add(challenge?.body?.challenge);
        if (OF_CODES.includes(type) && first.accepted)
          await on.hold('RETRY-OTP-VERIFY', () => expect(first).toHaveHttpStatus(202));
        await on.hold(
          withoutHandle ? 'VERIFY-PASSKEY-USER-HANDLE' : ACCEPTED[type],
          () => {
            expect(login.answer).toBeAccepted();
            if (!OF_CODES.includes(type))
              expect(login.answer.status, 'a signed retry is asked for').not.toBe(202);
          },
          { assumes: loggingIn[type] },
        );
        const isOpen = sealProblem === undefined || sealProblem.problem === 'does-not-open';
        if (!OF_CODES.includes(type) && isOpen)
          await on.hold(
            'SESSION-KEY-SEALED-TO-CLIENT',
            () => expect(login.problem, "opening the key with the client's private key").toBeUndefined(),
            { evidence: [login.answer], assumes: ['sessionKeySeal'] },
          );
        await signs(on, wallet, on.must(login.session, 'there is no session'), type, given);
      }
    });
  },
);

function assertWithoutHandle(passkey: SoftwarePasskey, challenge: string) {
  const { userHandle: _left, ...assertion } = passkey.assert(challenge);
  return assertion;
}

/** A session signs a request; where another session of the account does, and it does not, that is the fault of its kind. */
async function signs(
  on: Walk,
  wallet: Wallet,
  session: WalletSession,
  type: CredentialType,
  given: Given,
): Promise<void> {
  const probe = await wallet.probe(session, { label: `a wallet request signed by the session of ${type}` });
  on.told(probe.answer);
  on.must(probe.retries.length > 0, 'the request could not be signed');
  const isRefused = probe.answer.exchange.response && !probe.answer.accepted;
  // A key that no credential's session signs with is wrong for every type.
  const other = isRefused ? await given.signedIn(type === 'EMAIL_OTP' ? 'OAUTH' : 'EMAIL_OTP') : undefined;
  const elsewhere = other && (await other.wallet.probe(other.session)).answer;
  on.must(!other || (elsewhere?.exchange.response && elsewhere.accepted), 'no session signs here');
  const rule =
    type === 'EMAIL_OTP'
      ? 'VERIFY-EMAIL-OTP-SESSION-KEY'
      : type === 'SMS_OTP'
        ? 'SESSION-ANY-CREDENTIAL'
        : 'SESSION-KEY-SIGNS';
  await on.hold(rule, () => expect(probe.answer).toBeAccepted(), {
    assumes: type === 'SMS_OTP' ? [] : ['sessionKeySeal', 'stamp'],
  });
}

/** One way to get a login wrong, and the sentence that it breaks. */
interface WrongLogin {
  readonly type: 'EMAIL_OTP' | 'OAUTH' | 'PASSKEY';
  readonly says: string;
  readonly rule: string;
  readonly statuses?: readonly number[];
  /** Undefined where the mistake cannot be made here. */
  readonly attempt: (parts: {
    wallet: Wallet;
    credential: Credential;
    given: Given;
    label: string;
  }) => Promise<Login | undefined>;
}

const CODES = ['000001', '', '0000000', '999999', '00000', '100000', '000000 x'];
const labelled = (label: string) => ({
  verify: <R extends object>(request: R): R => ({ ...request, label }),
});

const bundleRule = (name: string, part: string): string | undefined =>
  part === 'form' || name === 'ciphertext-tampered' || name === 'ciphertext-in-clear'
    ? 'VERIFY-EMAIL-OTP-UNREADABLE'
    : name === 'sealed-to-another-key'
      ? 'VERIFY-EMAIL-OTP-OTHER-TARGET'
      : name === 'plaintext-without-code'
        ? 'VERIFY-EMAIL-OTP-WRONG-CODE'
        : undefined;

const WRONG: readonly WrongLogin[] = [
  ...CODES.map((code): WrongLogin => ({
    type: 'EMAIL_OTP',
    says: `with the code "${code}"`,
    rule: 'VERIFY-EMAIL-OTP-WRONG-CODE',
    attempt: ({ wallet, credential, label }) => wallet.login(credential, { code, ...labelled(label) }),
  })),
  ...badOtpBundles.flatMap((row): readonly WrongLogin[] => {
    const rule = bundleRule(row.name, row.part);
    return rule === undefined
      ? []
      : [
          {
            type: 'EMAIL_OTP',
            says: `with a bundle that ${row.says}`,
            rule,
            attempt: ({ wallet, credential, label }) =>
              wallet.login(credential, { seal: (...parts) => row.make(...parts), ...labelled(label) }),
          },
        ];
  }),
  {
    type: 'EMAIL_OTP',
    says: 'whose retry another key signs',
    rule: 'VERIFY-EMAIL-OTP-SIGNER',
    statuses: [401, 403],
    attempt: async ({ wallet, credential, label }) => {
      const login = await wallet.login(credential, {
        retry: { tamper: { key: wallet.newKey() } },
        ...labelled(label),
      });
      return login.retries.length > 0 ? login : undefined;
    },
  },
  ...badClientKeys.map(({ says, make }): WrongLogin => ({
    type: 'OAUTH',
    says: `with a clientPublicKey that is ${says}`,
    rule: 'VERIFY-OAUTH-CLIENT-KEY',
    attempt: ({ wallet, credential, label }) =>
      wallet.login(credential, { clientPublicKey: make(), ...labelled(label) }),
  })),
  ...unreadableTokens.map((row): WrongLogin => ({
    type: 'OAUTH',
    says: `with a token that ${row.says}`,
    rule: 'OIDC-MALFORMED',
    attempt: ({ wallet, credential, label }) =>
      wallet.login(credential, { token: (good) => row.make(good), ...labelled(label) }),
  })),
  ...[70, 120, 600, 3_000].map((seconds): WrongLogin => ({
    type: 'OAUTH',
    says: `with a token of ${seconds} s ago`,
    rule: 'OIDC-VERIFY-TOO-OLD',
    attempt: ({ wallet, credential, label }) =>
      wallet.login(credential, {
        claims: { iat: Math.floor(wallet.clock.now().getTime() / 1_000) - seconds },
        ...labelled(label),
      }),
  })),
  {
    type: 'PASSKEY',
    says: 'without Request-Id',
    rule: 'VERIFY-PASSKEY-REQUEST-ID-MISSING',
    statuses: [400, 401],
    attempt: ({ wallet, credential, label }) =>
      wallet.login(credential, { requestId: null, ...labelled(label) }),
  },
  {
    type: 'PASSKEY',
    says: 'with a Request-Id that was never issued',
    rule: 'VERIFY-PASSKEY-REQUEST-ID-FOREIGN',
    attempt: ({ wallet, credential, label }) =>
      wallet.login(credential, { requestId: `Request:${crypto.randomUUID()}`, ...labelled(label) }),
  },
  {
    type: 'PASSKEY',
    says: "with the challenge of another account's passkey",
    rule: 'VERIFY-PASSKEY-REQUEST-ID-FOREIGN',
    attempt: async ({ wallet, credential, given, label }) => {
      const other = await given.holding('PASSKEY');
      const challenge = await other.wallet.challenge(other.credential);
      return challenge.exchange.response && challenge.accepted
        ? wallet.login(credential, { challenge, ...labelled(label) })
        : undefined;
    },
  },
  {
    type: 'PASSKEY',
    says: 'with a Request-Id that has minted a session',
    rule: 'VERIFY-PASSKEY-REQUEST-ID-REUSED',
    statuses: [401],
    attempt: async ({ wallet, credential, label }) => {
      const { challenge, clientKey, session } = await wallet.login(credential);
      return challenge && session
        ? wallet.login(credential, { challenge, clientKey, ...labelled(label) })
        : undefined;
    },
  },
  {
    type: 'PASSKEY',
    says: "with the assertion of another account's passkey",
    rule: 'VERIFY-PASSKEY-FOREIGN-CREDENTIAL',
    attempt: async ({ wallet, credential, given, label }) => {
      const other = await given.holding('PASSKEY');
      const { passkey } = other.credential as Extract<Credential, { type: 'PASSKEY' }>;
      return wallet.login(credential, { assert: (_, text) => passkey.assert(text), ...labelled(label) });
    },
  },
];

for (const type of ['EMAIL_OTP', 'OAUTH', 'PASSKEY'] as const) {
  const rows = WRONG.filter((row) => row.type === type);
  test(
    `no login by ${type} with something wrong in it mints a session`,
    verifies(...new Set(rows.map(({ rule }) => rule))),
    async ({ given, check }) => {
      given.mustProve(type);
      await survey(
        check,
        rows.map((_, at) => at),
        async (at, on) => {
          const { says, rule, statuses = [], attempt } = on.must(rows[at], 'there is no such mistake');
          // Challenges for one credential are rate-limited, so each has its own.
          const { wallet, credential } = await given.holding(type);
          const right = await wallet.login(credential);
          on.must(right.session, right.problem ?? 'the control was refused');
          const label = `verifying ${says}`;
          const login = on.must(
            await attempt({ wallet, credential, given, label }),
            'it cannot be made here',
          );
          on.must(login.first, login.problem ?? 'the login ended before its verify call');
          on.told(login.answer);
          await on.hold(rule, () => expect(login.answer).toBeRefused(...statuses));
        },
      );
    },
  );
}

test(
  'a token is young for a minute, whatever its second',
  verifies('OIDC-AGE-WITHIN-LIMIT', 'OIDC-SANDBOX-SIGNATURE-SKIPPED'),
  async ({ given, check, profile }) => {
    given.mustProve('OAUTH');
    const { wallet, credential } = await given.holding('OAUTH');
    const control = await wallet.login(credential);
    const isSandbox = profile.capabilities.includes('sandbox');
    // What the way to the target and two clocks may differ in leaves the last seconds open.
    const ages = fc.record({ seconds: fc.integer({ min: 0, max: 56 }), forged: fc.boolean() });
    await survey(
      check,
      ages,
      async ({ seconds, forged }, on) => {
        on.must(control.session, 'the control was refused');
        const iat = Math.ceil(wallet.clock.latestNow(control.answer).getTime() / 1_000) - seconds;
        const begun = performance.now();
        const isForged = forged && isSandbox;
        const login = await wallet.login(credential, {
          claims: { iat },
          ...(isForged ? { token: withAnotherSignature } : {}),
          ...labelled(
            `verifying with a token of ${seconds} s ago${isForged ? ', signed by somebody else' : ''}`,
          ),
        });
        on.told(login.answer);
        on.must(performance.now() - begun < 2_000, 'the token was too long on its way');
        await on.hold(isForged ? 'OIDC-SANDBOX-SIGNATURE-SKIPPED' : 'OIDC-AGE-WITHIN-LIMIT', () =>
          expect(login.answer).toBeAccepted(),
        );
      },
      { runs: 12 },
    );
  },
);

function withAnotherSignature(good: string): string {
  return good.replace(/[^.]+$/, (text) => Buffer.from(text, 'base64url').reverse().toString('base64url'));
}
