import {
  expect,
  newEmail,
  signedOperation,
  test,
  verifies,
  type Wallet,
  type WalletRequest,
} from '../../suite/index.ts';

const MISMATCH = 'WALLET_SIGNATURE_BODY_MISMATCH';

interface OtherBody {
  /** Of the operation. */
  readonly rule: string;
  /** Follows "a retry". */
  readonly label: string;
  readonly needsPasskey?: true;
  /** A body that is as good in itself as that of the first call. */
  readonly other: (wallet: Wallet, first: Readonly<Record<string, unknown>>) => unknown;
}

const otherClientKey = (wallet: Wallet) => ({ clientPublicKey: wallet.newKey().uncompressed });

const OTHER_BODIES: readonly OtherBody[] = [
  {
    rule: 'RETRY-CREDENTIAL-CREATE',
    label: 'with another credential in the body',
    needsPasskey: true,
    other: (wallet) => wallet.draftPasskey().body,
  },
  {
    rule: 'RETRY-CREDENTIAL-CREATE',
    label: 'with another nickname in the body',
    needsPasskey: true,
    other: (_, first) => ({ ...first, nickname: 'Another nickname' }),
  },
  { rule: 'RETRY-SESSION-REFRESH', label: 'with another client key', other: otherClientKey },
  { rule: 'RETRY-WALLET-EXPORT', label: 'with another client key', other: otherClientKey },
  {
    rule: 'RETRY-WALLET-PRIVACY',
    label: 'with the opposite setting',
    other: (_, { privateEnabled }) => ({ privateEnabled: privateEnabled !== true }),
  },
  {
    rule: 'RETRY-CUSTOMER-EMAIL',
    label: 'with another e-mail',
    other: (_, first) => ({ ...first, email: newEmail() }),
  },
];

for (const { rule, label, needsPasskey, other } of OTHER_BODIES) {
  const operation = signedOperation(rule);
  test(
    `${operation.name}: a retry ${label} than that of the first call is refused`,
    verifies('RETRY-SAME-BODY'),
    async ({ given, check }) => {
      if (needsPasskey) given.mustProve('PASSKEY');
      const { wallet } = await given.signedIn(operation.signsInWith);
      const request = (first: WalletRequest) => ({
        ...first,
        body: other(wallet, first.body as Record<string, unknown>),
      });
      const changed = await wallet.signedRetry(operation, { label, tamper: { request } });
      await wallet.mustComplete(operation);
      await check('RETRY-SAME-BODY', () => expect(changed.answer).toBeUnauthorized(MISMATCH));
    },
  );
}

test(
  'registering OAUTH: a retry with the token of another identity is refused',
  verifies('RETRY-SAME-BODY'),
  async ({ given, check, need }) => {
    given.mustProve('OAUTH');
    const { wallet, session } = await given.signedIn();
    const { body } = await wallet.draftOauth();
    const changed = await wallet.register('OAUTH', session, {
      label: 'registering OAUTH, with the token of another identity',
      tamper: { request: (first) => ({ ...first, body }) },
    });
    need.challenged(changed);
    need((await wallet.register('OAUTH', session)).answer).accepted();
    await check('RETRY-SAME-BODY', () => expect(changed.answer).toBeUnauthorized(MISMATCH));
  },
);

test(
  'verifying a one-time code: a retry with another bundle is refused',
  verifies('RETRY-SAME-BODY'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.signedIn('EMAIL_OTP');
    await wallet.mustLogin(credential);
    const clientKey = wallet.newKey();
    const bodies: unknown[] = [];
    const keep = (request: WalletRequest): WalletRequest => (bodies.push(request.body), request);
    const first = await wallet.login(credential, { clientKey, verify: keep, retry: { times: 0 } });
    need.reachedVerify(first);
    const challenge = need.that(first.challenge, 'there was no challenge');
    // The same code and the same key, sealed twice: each body is as good as the other.
    const changed = await wallet.login(credential, {
      label: 'verifying, with another bundle on the retry',
      clientKey,
      challenge,
      verify: keep,
      retry: { tamper: { request: (request) => ({ ...request, body: bodies[0] }) } },
    });
    need.reachedVerify(changed);
    need.that(changed.retries.length > 0, 'there was no signed retry');
    await wallet.mustComplete(signedOperation('RETRY-OTP-VERIFY'));
    await check('RETRY-SAME-BODY', () => expect(changed.answer).toBeUnauthorized(MISMATCH));
  },
);
