import { tamperedClaims, unreadableTokens } from '../../client/crypto/index.ts';
import { expect, test, verifies } from '../../suite/index.ts';
import { CLAIM_RULES } from './support/rules-of-bends.ts';
import { controlLogin } from './support/sign-in.ts';

for (const row of tamperedClaims) {
  const rule = CLAIM_RULES[row.name];
  if (rule === undefined) continue;
  test(
    `verify is refused with a token that ${row.says}`,
    verifies(rule),
    async ({ given, check, need, observe, profile }) => {
      const { wallet, credential } = await given.signedIn('OAUTH');
      await controlLogin(need, wallet, credential);
      need.that(credential.type === 'OAUTH', 'the credential is no identity');
      const { identity } = credential as Extract<typeof credential, { type: 'OAUTH' }>;
      const claims = row.make(
        identity,
        Math.floor(wallet.now().getTime() / 1_000),
        profile.dialect.oidcNonce,
      );
      const login = await wallet.login(credential, {
        claims,
        verify: (request) => ({ ...request, label: `verifying with a token that ${row.says}` }),
      });
      await check(rule, () => expect(login.answer).toBeRefused());
      observe('oidc-failure-answers', { [row.name]: login.answer.outcome }, login.answer);
    },
  );
}

for (const seconds of [120, 600, 3_000])
  test(
    `verify is refused with a token of ${seconds} s ago`,
    verifies('OIDC-VERIFY-TOO-OLD'),
    async ({ given, check, need }) => {
      const { wallet, credential } = await given.signedIn('OAUTH');
      await controlLogin(need, wallet, credential);
      const iat = Math.floor(wallet.now().getTime() / 1_000) - seconds;
      const login = await wallet.login(credential, { claims: { iat } });
      await check('OIDC-VERIFY-TOO-OLD', () => expect(login.answer).toBeRefused());
    },
  );

for (const row of unreadableTokens)
  test(
    `verify is refused with a token that ${row.says}`,
    verifies('OIDC-MALFORMED'),
    async ({ given, check, need }) => {
      const { wallet, credential } = await given.signedIn('OAUTH');
      await controlLogin(need, wallet, credential);
      const login = await wallet.login(credential, {
        token: (good) => row.make(good),
        verify: (request) => ({ ...request, label: `verifying with a token that ${row.says}` }),
      });
      await check('OIDC-MALFORMED', () => expect(login.answer).toBeRefused());
    },
  );
