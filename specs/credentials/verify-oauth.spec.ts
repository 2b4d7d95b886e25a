import { expect, loggingIn, test, verifies } from '../../suite/index.ts';

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
