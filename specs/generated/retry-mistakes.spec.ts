import { tamperedAssertions, tamperedClaims } from '../../client/crypto/index.ts';
import { expect, signedOperations, survey, test, verifies } from '../../suite/index.ts';
import { ASSERTION_RULES, CLAIM_RULES } from '../support/rules-of-mistakes.ts';
import { RETRY_MISTAKES } from './models/retry-mistakes.ts';

/** The e-mail and privacy of a wallet, its export and its sessions are signed like the rest; their paths are not shown. */
const OPERATIONS = signedOperations.filter(
  ({ assumes, rule }) => assumes.length === 0 && rule !== 'RETRY-OTP-VERIFY',
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
