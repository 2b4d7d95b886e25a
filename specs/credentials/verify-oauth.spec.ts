import { badClientKeys } from '../../client/crypto/index.ts';
import { expect, test, verifies, type Answer, type Wallet } from '../../suite/index.ts';
import { loggingIn } from './support/assumes.ts';
import { controlLogin } from './support/sign-in.ts';

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
  async ({ given, check, need, observe }) => {
    const { wallet, credential } = await given.signedIn('OAUTH');
    await controlLogin(need, wallet, credential);
    for (const { says, make } of OTHER_SIGNATURES) {
      const login = await wallet.login(credential, {
        token: (good) =>
          good.replace(/[^.]+$/, (text) => make(Buffer.from(text, 'base64url')).toString('base64url')),
        verify: (request) => ({ ...request, label: `verifying with another signature, ${says}` }),
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
      const { wallet, credential } = await given.signedIn('OAUTH');
      const control = await controlLogin(need, wallet, credential);
      const iat = Math.ceil(latestNow(wallet, control.answer) / 1_000) - seconds;
      const start = performance.now();
      const login = await wallet.login(credential, {
        claims: { iat },
        verify: (request) => ({ ...request, label: `verifying with a token of ${seconds} s ago` }),
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
    async ({ given, check, need }) => {
      const { wallet, credential } = await given.signedIn('OAUTH');
      await controlLogin(need, wallet, credential);
      // The nonce is that of the same text, so that it is not what is wrong.
      const login = await wallet.login(credential, {
        clientPublicKey: make(),
        verify: (request) => ({ ...request, label: `verifying with a clientPublicKey that is ${says}` }),
      });
      await check('VERIFY-OAUTH-CLIENT-KEY', () => expect(login.answer).toBeRefused());
    },
  );

test(
  'an OAUTH verify is refused without clientPublicKey',
  verifies('VERIFY-OAUTH-CLIENT-KEY'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.signedIn('OAUTH');
    await controlLogin(need, wallet, credential);
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

/** Milliseconds since 1970, by our clock or the target's, whichever is ahead: a token must not be older than is meant. */
function latestNow(wallet: Wallet, answer: Answer): number {
  const theirs = wallet.clockAheadMs === 0 ? Date.parse(answer.header('date') ?? '') : Number.NaN;
  return Number.isNaN(theirs) ? wallet.now().getTime() : Math.max(theirs, wallet.now().getTime());
}
