import { badClientKeys, tamperedClaims, unreadableTokens } from '../../client/crypto/index.ts';
import { expect, loggingIn, test, verifies } from '../../suite/index.ts';
import { CLAIM_RULES } from '../support/credentials.ts';

/** Seconds since a young token was issued: within the limit, with room for the way. */
const YOUNG_SECONDS = [15, 40, 57];
/** What the way to the target may take, so that the oldest of them is still young there, in milliseconds. */
const WAY_MS = 2_000;

/** Texts of signatures that somebody else made: of the same length, and by an algorithm with a shorter one. */
const OTHER_SIGNATURES = [
  { says: 'of the same length', make: (bytes: Buffer) => bytes.reverse() },
  { says: 'of 64 bytes', make: (bytes: Buffer) => bytes.subarray(0, 64) },
];

test(
  'a fresh token of the identity mints a session in one call',
  verifies('VERIFY-OAUTH-ACCEPTED', 'VERIFY-STATUS'),
  async ({ given, check, observe }) => {
    const { wallet, credential } = await given.holding('OAUTH');
    const login = await wallet.login(credential);
    await check(
      'VERIFY-OAUTH-ACCEPTED',
      () => {
        expect(login.answer).toBeAccepted();
        expect(login.answer.status, 'no signed retry is asked for').not.toBe(202);
      },
      { assumes: loggingIn.OAUTH },
    );
    const path = '/auth/credentials/{id}/challenge';
    observe(
      'challenge-of-oauth-credential',
      await wallet.send({
        operation: { method: 'POST', path },
        label: 'the challenge of an OAUTH credential',
        path: { id: credential.id },
      }),
    );
  },
);

test(
  'a token that was signed by somebody else is taken in a sandbox',
  verifies('OIDC-SANDBOX-SIGNATURE-SKIPPED'),
  async ({ given, check, observe }) => {
    const { wallet, credential } = await given.holding('OAUTH');
    await wallet.mustLogin(credential);
    for (const { says, make } of OTHER_SIGNATURES) {
      const login = await wallet.login(credential, {
        token: (good) =>
          good.replace(/[^.]+$/, (text) => make(Buffer.from(text, 'base64url')).toString('base64url')),
        label: `verifying with another signature, ${says}`,
      });
      await check('OIDC-SANDBOX-SIGNATURE-SKIPPED', () => expect(login.answer).toBeAccepted());
    }
    const token = { value: '' };
    await wallet.login(credential, { token: (good) => (token.value = good) });
    const clientKey = wallet.newKey();
    observe(
      'oidc-token-reused',
      (await wallet.login(credential, { clientKey, token: () => token.value })).answer.outcome,
    );
  },
);

for (const seconds of YOUNG_SECONDS)
  test(
    `a token of ${seconds} s ago is young enough`,
    verifies('OIDC-AGE-WITHIN-LIMIT'),
    async ({ given, check, need }) => {
      const { wallet, credential } = await given.holding('OAUTH');
      const control = await wallet.mustLogin(credential);
      // By whichever clock is ahead, so that it is not older than is meant.
      const iat = Math.ceil(wallet.clock.latestNow(control.answer).getTime() / 1_000) - seconds;
      const start = performance.now();
      const login = await wallet.login(credential, {
        claims: { iat },
        label: `verifying with a token of ${seconds} s ago`,
      });
      need.offered(
        performance.now() - start < WAY_MS,
        'the token was too long on its way for its age to be known',
      );
      await check('OIDC-AGE-WITHIN-LIMIT', () => expect(login.answer).toBeAccepted());
    },
  );

for (const { says, make } of badClientKeys)
  test(
    `an OAUTH verify is refused for a clientPublicKey that is ${says}`,
    verifies('VERIFY-OAUTH-CLIENT-KEY'),
    async ({ given, check }) => {
      const { wallet, credential } = await given.holding('OAUTH');
      await wallet.mustLogin(credential);
      // The nonce is that of the same text, so that it is not what is wrong.
      const login = await wallet.login(credential, {
        clientPublicKey: make(),
        label: `verifying with a clientPublicKey that is ${says}`,
      });
      await check('VERIFY-OAUTH-CLIENT-KEY', () => expect(login.answer).toBeRefused());
    },
  );

test(
  'an OAUTH verify is refused without clientPublicKey',
  verifies('VERIFY-OAUTH-CLIENT-KEY'),
  async ({ given, check }) => {
    const { wallet, credential } = await given.holding('OAUTH');
    await wallet.mustLogin(credential);
    const login = await wallet.login(credential, {
      verify: (request) => ({
        ...request,
        label: 'verifying without clientPublicKey',
        body: { ...(request.body as object), clientPublicKey: undefined },
      }),
    });
    await check('VERIFY-OAUTH-CLIENT-KEY', () => expect(login.answer).toBeRefused());
  },
);

for (const row of tamperedClaims) {
  const rule = CLAIM_RULES[row.name];
  if (rule === undefined) continue;
  test(
    `verify is refused with a token that ${row.says}`,
    verifies(rule),
    async ({ given, check, observe, profile }) => {
      const { wallet, credential } = await given.holding('OAUTH');
      await wallet.mustLogin(credential);
      const claims = row.make(
        credential.identity,
        Math.floor(wallet.clock.now().getTime() / 1_000),
        profile.dialect.oidcNonce,
      );
      const login = await wallet.login(credential, {
        claims,
        label: `verifying with a token that ${row.says}`,
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
    async ({ given, check }) => {
      const { wallet, credential } = await given.holding('OAUTH');
      await wallet.mustLogin(credential);
      const iat = Math.floor(wallet.clock.now().getTime() / 1_000) - seconds;
      const login = await wallet.login(credential, { claims: { iat } });
      await check('OIDC-VERIFY-TOO-OLD', () => expect(login.answer).toBeRefused());
    },
  );

for (const row of unreadableTokens)
  test(
    `verify is refused with a token that ${row.says}`,
    verifies('OIDC-MALFORMED'),
    async ({ given, check }) => {
      const { wallet, credential } = await given.holding('OAUTH');
      await wallet.mustLogin(credential);
      const login = await wallet.login(credential, {
        token: (good) => row.make(good),
        label: `verifying with a token that ${row.says}`,
      });
      await check('OIDC-MALFORMED', () => expect(login.answer).toBeRefused());
    },
  );
