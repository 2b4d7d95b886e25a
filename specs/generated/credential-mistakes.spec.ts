import { tamperedAssertions, tamperedClaims } from '../../client/crypto/index.ts';
import { wrongRecordIds } from '../../generators/ids.ts';
import { made, mistakesIn, spread, type Body, type Mistake } from '../../generators/mistakes.ts';
import { requestShape } from '../../generators/requests.ts';
import { sentBody } from '../../suite/bodies.ts';
import {
  credentialRequests,
  entriesOf,
  expect,
  lower,
  ownIds,
  registering,
  signedOperations,
  survey,
  test,
  verifies,
  type CredentialType,
} from '../../suite/index.ts';
import { ASSERTION_RULES, CLAIM_RULES } from '../support/credentials.ts';
import { notAccepted } from '../support/refusals.ts';
import { RETRY_MISTAKES } from './models/retry-mistakes.ts';

const CREATE = requestShape('createCredential');
const VERIFY = requestShape('verifyCredential');
/** Mistakes of one kind in one field that are tried. */
const ALIKE = 6;

/** What of a registration the text leaves open: a nickname may be optional, and its transports are a hint. */
const OPEN = /^(nickname|attestation\.(transports|credentialId))$/;

/** The e-mail and privacy of a wallet, its export and its sessions are signed like the rest; their paths are not shown. */
const OPERATIONS = signedOperations.filter(
  ({ assumes, rule }) => assumes.length === 0 && rule !== 'RETRY-OTP-VERIFY',
);

for (const type of ['OAUTH', 'PASSKEY', 'EMAIL_OTP'] as const)
  test(
    `a registration of ${type} with one mistake registers nothing`,
    verifies('CREDENTIAL-CREATE-BODY', 'CREDENTIAL-FURTHER-CREATED'),
    async ({ given, need, check }) => {
      given.mustProve(type);
      const { wallet, session } = await given.signedIn(type === 'EMAIL_OTP' ? 'PASSKEY' : undefined);
      const draft = await wallet.draft(type);
      const before = await wallet.list();
      const mistakes = spread(mistakesIn(CREATE.body!.schema, draft.body), ALIKE).filter(
        ({ field }) => !OPEN.test(field),
      );

      await survey(check, mistakes, async ({ field, kind, body }, on) => {
        const label = `registering ${type}, ${field}: ${kind}`;
        const { first, answer, retries } = await wallet.register({ ...draft, body }, session, { label });
        on.told(first);
        if (retries.length > 0) on.told(answer);
        on.must(sentBody(CREATE, first) === 'illegal', 'what was sent is legal');
        on.must(
          retries.length > 0 || first.exchange.response?.status !== 202,
          'the 202 gives nothing that can be signed',
        );
        await on.hold('CREDENTIAL-CREATE-BODY', () => notAccepted(answer), [answer]);
      });

      const after = await wallet.list({ label: "listing the account's credentials after the mistakes" });
      if (before.exchange.response && after.exchange.response && before.accepted && after.accepted)
        await check(
          'CREDENTIAL-CREATE-BODY',
          () => expect(ownIds(after, wallet), 'credentials').toEqual(ownIds(before, wallet)),
          [before, after],
        );
      const right = await wallet.register(draft, session, { label: `registering ${type} without a mistake` });
      need(right.answer).accepted();
      need.that(right.retries.length > 0, 'the 202 gives nothing that can be signed');
      await check('CREDENTIAL-FURTHER-CREATED', () => expect(right.answer).toHaveHttpStatus(201), {
        assumes: type === 'EMAIL_OTP' ? registering[type] : [],
      });
    },
  );

/** The rule that a mistake in the body of verify breaks; none where the credential in the path tells as much. */
const VERIFY_RULES: Readonly<Record<string, (one: Mistake) => string | undefined>> = {
  OAUTH: ({ field }) =>
    field === 'clientPublicKey'
      ? 'VERIFY-OAUTH-CLIENT-KEY'
      : field === 'oidcToken'
        ? 'VERIFY-TYPE-MISMATCH'
        : undefined,
  EMAIL_OTP: ({ field }) => (field === 'encryptedOtpBundle' ? 'VERIFY-EMAIL-OTP-UNREADABLE' : undefined),
  PASSKEY: ({ field }) =>
    /^assertion(\.(clientDataJson|authenticatorData|signature))?$/.test(field)
      ? 'VERIFY-TYPE-MISMATCH'
      : undefined,
};
/** A body of the right shape, from which the mistakes are listed; the real one is made for each login. */
const VERIFY_BODIES: Readonly<Record<string, Body>> = {
  OAUTH: { type: 'OAUTH', oidcToken: 'a.b.c', clientPublicKey: '04ab' },
  EMAIL_OTP: { type: 'EMAIL_OTP', encryptedOtpBundle: '{}' },
  PASSKEY: {
    type: 'PASSKEY',
    assertion: { credentialId: 'aa', clientDataJson: 'aa', authenticatorData: 'aa', signature: 'aa' },
  },
};

for (const type of ['OAUTH', 'PASSKEY', 'EMAIL_OTP'] satisfies CredentialType[]) {
  const ruleOf = VERIFY_RULES[type]!;
  const mistakes = spread(mistakesIn(VERIFY.body!.schema, VERIFY_BODIES[type]!), 4).filter((one) =>
    ruleOf(one),
  );
  test(
    `a verify of ${type} with one mistake mints no session`,
    verifies(...new Set(mistakes.map((one) => ruleOf(one)!))),
    async ({ given, need, check }) => {
      const control = await given.holding(type);
      const right = await control.wallet.login(control.credential);
      need.that(right.session, right.problem ?? `the control was answered ${right.answer.outcome}`);

      await survey(check, mistakes, async (mistake, on) => {
        // Challenges for one credential are rate-limited, so each has its own.
        const { wallet, credential } = await given.holding(type);
        const login = await wallet.login(credential, {
          verify: (request) => ({
            ...request,
            body: made(mistake, request.body as Body),
            label: `verifying ${type}, ${mistake.field}: ${mistake.kind}`,
          }),
        });
        on.told(login.answer);
        const first = on.must(login.first, 'the login ended before its verify call');
        on.must(sentBody(VERIFY, first) === 'illegal', 'what was sent is legal');
        await on.hold(ruleOf(mistake)!, () => notAccepted(login.answer));
      });
    },
  );
}

test(
  'a list for a tampered account id shows no credential of the account',
  verifies('CREDENTIAL-LIST-ONLY-ACCOUNT'),
  async ({ given, need, check }) => {
    const { wallet, credential } = await given.signedIn();
    const control = await wallet.list();
    need(control).accepted();
    need.that(
      entriesOf(control).some(({ id }) => lower(id) === lower(credential.id)),
      'the list does not show the credential of the account',
    );

    await survey(
      check,
      wrongRecordIds(wallet.accountId),
      async ({ id, mistake }, on) => {
        const answer = on.told(
          await wallet.send(credentialRequests.list(id), {
            label: `listing for an account id with a mistake: ${mistake}`,
          }),
        );
        await on.hold('CREDENTIAL-LIST-ONLY-ACCOUNT', () => {
          const shown = answer.accepted ? entriesOf(answer).map((entry) => lower(entry.id)) : [];
          expect(shown, 'credentials shown').not.toContain(lower(credential.id));
        });
      },
      { runs: 15 },
    );
  },
);

test(
  'every mistake in a signed retry is refused as what it is, whatever the operation',
  verifies(...new Set(RETRY_MISTAKES.map(({ rule }) => rule))),
  async ({ given, check }) => {
    // Every mistake with two operations, and every operation with many mistakes.
    const inputs = RETRY_MISTAKES.flatMap((_, at) =>
      [at, at + 1].map((turn) => ({ rule: OPERATIONS[turn % OPERATIONS.length]!.rule, at })),
    );
    const wallets = new Map(
      await Promise.all(
        OPERATIONS.map(
          async (operation) =>
            [operation.rule, { operation, ...(await given.signedIn(operation.signsInWith)) }] as const,
        ),
      ),
    );

    await survey(check, inputs, async ({ rule, at }, on) => {
      const mistake = on.must(RETRY_MISTAKES[at], 'there is no such mistake');
      const { operation, wallet } = on.must(wallets.get(rule), 'there is no such operation');
      const prepared = await wallet.prepare(operation);
      const { first, challenge } = await prepared.send({ label: mistake.says, times: 0 });
      on.told(first);
      const held = on.must(challenge, 'the first call gave nothing that can be signed');
      const tamper = on.must(
        mistake.tampering(wallet, held.payloadToSign),
        'this mistake leaves the payload as it is',
      );
      const request = on.must(prepared.request, 'there is no request to send');
      const label = `${request.label ?? rule} ${mistake.says}`;
      const answer = on.told(await wallet.retry({ ...request, label }, held, prepared.key, { tamper }));
      // The control, last: the right retry with the same challenge or, where a mistake has used it up, with a new one.
      const right = await prepared.send({ label: 'with nothing wrong' });
      on.must(
        right.retries[0]?.exchange.response?.status.toString().startsWith('2'),
        'the control was refused',
      );
      await on.hold(mistake.rule, () => mistake.expected(answer));
    });
  },
);

test(
  'every wrong claim and every wrong assertion mints no session',
  verifies(
    ...new Set(
      [...Object.values(CLAIM_RULES), ...Object.values(ASSERTION_RULES)].filter(
        (rule) => rule !== 'VERIFY-PASSKEY-CHALLENGE-TEXT',
      ),
    ),
  ),
  async ({ given, need, check, profile }) => {
    given.mustProve('OAUTH');
    const claims = tamperedClaims.filter(({ name }) => name in CLAIM_RULES).map(({ name }) => name);
    const assertions = tamperedAssertions
      .filter(({ name }) => name in ASSERTION_RULES && name !== 'challenge-decoded')
      .map(({ name }) => name);
    const oauth = await given.holding('OAUTH');
    need.that((await oauth.wallet.login(oauth.credential)).session, 'the control was refused');

    await survey(check, claims, async (name, on) => {
      const { wallet, credential } = oauth;
      const row = on.must(
        tamperedClaims.find((one) => one.name === name),
        'there is no such claim',
      );
      on.must(credential.type === 'OAUTH', 'the credential is no identity');
      const { identity } = credential as Extract<typeof credential, { type: 'OAUTH' }>;
      const now = Math.floor(wallet.clock.now().getTime() / 1_000);
      const login = await wallet.login(credential, {
        claims: row.make(identity, now, profile.dialect.oidcNonce),
        verify: (request) => ({ ...request, label: `verifying with a token that ${row.says}` }),
      });
      on.told(login.answer);
      on.must(login.first, login.problem ?? 'the login ended before its verify call');
      await on.hold(CLAIM_RULES[name] as string, () => expect(login.answer).toBeRefused());
    });
    if (!profile.capabilities.includes('passkey')) return;
    await survey(check, assertions, async (name, on) => {
      // Challenges for one credential are rate-limited, so each has its own.
      const { wallet, credential } = await given.holding('PASSKEY');
      const row = on.must(
        tamperedAssertions.find((one) => one.name === name),
        'there is no such assertion',
      );
      const login = await wallet.login(credential, {
        assert: (passkey, text) => row.make(passkey, text),
        verify: (request) => ({ ...request, label: `verifying with an assertion that ${row.says}` }),
      });
      on.told(login.answer);
      on.must(login.first, login.problem ?? 'the login ended before its verify call');
      on.must(login.first, 'the login ended before its verify call');
      const right = await wallet.login(credential);
      on.must(right.session, 'the control was refused');
      await on.hold(ASSERTION_RULES[name] as string, () => expect(login.answer).toBeRefused());
    });
  },
);
