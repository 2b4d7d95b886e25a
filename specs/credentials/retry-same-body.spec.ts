import { newEmail, test, verifies, type Wallet, type WalletRequest } from '../../suite/index.ts';
import { expectUnauthorized, mistaken, mustChallenge, mustComplete } from './support/attempts.ts';
import { controlLogin, mustReachVerify } from './support/sign-in.ts';
import { signedOperation } from './support/signed-operations.ts';

const MISMATCH = 'WALLET_SIGNATURE_BODY_MISMATCH';

/** For each operation that has a body: another body, as good in itself. */
const OTHER_BODIES: readonly {
  rule: string;
  says: string;
  other: (wallet: Wallet, first: WalletRequest) => unknown;
}[] = [
  {
    rule: 'RETRY-CREDENTIAL-CREATE',
    says: 'with another credential in the body',
    other: (wallet) => wallet.draftPasskey().body,
  },
  {
    rule: 'RETRY-CREDENTIAL-CREATE',
    says: 'with another nickname in the body',
    other: (_, { body }) => ({ ...(body as object), nickname: 'Another nickname' }),
  },
  {
    rule: 'RETRY-SESSION-REFRESH',
    says: 'with another client key',
    other: (wallet) => ({ clientPublicKey: wallet.newKey().uncompressed }),
  },
  {
    rule: 'RETRY-WALLET-EXPORT',
    says: 'with another client key',
    other: (wallet) => ({ clientPublicKey: wallet.newKey().uncompressed }),
  },
  {
    rule: 'RETRY-WALLET-PRIVACY',
    says: 'with the opposite setting',
    other: (_, { body }) => ({
      privateEnabled: (body as { privateEnabled?: unknown }).privateEnabled !== true,
    }),
  },
  {
    rule: 'RETRY-CUSTOMER-EMAIL',
    says: 'with another e-mail',
    other: (_, { body }) => ({ ...(body as object), email: newEmail() }),
  },
];

for (const { rule, says, other } of OTHER_BODIES) {
  const { name, prepare } = signedOperation(rule);
  test(
    `${name}: a retry ${says} than that of the first call is refused`,
    verifies('RETRY-SAME-BODY'),
    async ({ given, check, need, profile }) => {
      if (says.includes('nickname') || says.includes('credential')) given.mustProve('PASSKEY');
      const situation = await prepare({ given, need, profile });
      const request = (first: WalletRequest): WalletRequest => ({
        ...first,
        body: other(situation.wallet, first),
      });
      for (const answer of await mistaken(need, situation, [{ says, bend: { request } }]))
        await check('RETRY-SAME-BODY', () => expectUnauthorized(answer, MISMATCH));
    },
  );
}

test(
  'registering OAUTH: a retry with the token of another identity is refused',
  verifies('RETRY-SAME-BODY'),
  async ({ given, check, need }) => {
    given.mustProve('OAUTH');
    const { wallet, session } = await given.signedIn();
    const other = await wallet.draftOauth();
    const bent = await wallet.register(await wallet.draftOauth(), session, {
      request: (first) => ({ ...first, body: other.body }),
      label: 'registering OAUTH, with the token of another identity',
    });
    mustChallenge(need, bent);
    need((await wallet.register(await wallet.draftOauth(), session)).answer).accepted();
    await check('RETRY-SAME-BODY', () => expectUnauthorized(bent.answer, MISMATCH));
  },
);

test(
  'verifying a one-time code: a retry with another bundle is refused',
  verifies('RETRY-SAME-BODY'),
  async ({ given, check, need, profile }) => {
    const situation = await signedOperation('RETRY-OTP-VERIFY').prepare({ given, need, profile });
    const { wallet } = situation;
    const credential = wallet.prepared('EMAIL_OTP');
    await controlLogin(need, wallet, credential);
    const clientKey = wallet.newKey();
    const bodies: unknown[] = [];
    const keep = (request: WalletRequest): WalletRequest => (bodies.push(request.body), request);
    const first = await wallet.login(credential, { clientKey, verify: keep, retry: { times: 0 } });
    mustReachVerify(need, first);
    // The same code and the same key, sealed once more: a body as good as the first.
    const challenge = need.that(first.challenge, 'there was no challenge');
    const bent = await wallet.login(credential, {
      clientKey,
      challenge,
      verify: keep,
      retry: {
        request: (request) => ({
          ...request,
          label: 'verifying with another bundle on the retry',
          body: bodies[0],
        }),
      },
    });
    mustReachVerify(need, bent);
    need.that(bent.retries.length > 0, 'there was no signed retry');
    await mustComplete(need, situation);
    await check('RETRY-SAME-BODY', () => expectUnauthorized(bent.answer, MISMATCH));
  },
);
