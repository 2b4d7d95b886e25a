import {
  expect,
  test,
  verifies,
  type Credential,
  type Wallet,
  type WalletRequest,
} from '../../suite/index.ts';

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
      given.mustProve(type);
      const { wallet, session } = await given.signedIn('EMAIL_OTP');
      const [email, other] = await both(wallet, () => given.credential(wallet, type, session));
      await wallet.mustLogin(email);
      await wallet.mustLogin(other);
      const otherAtEmail = await wallet.attempt(other, { verify: at(email) });
      await check('VERIFY-TYPE-MISMATCH', () => expect(otherAtEmail.answer).toBeRefused());
      const emailAtOther = await wallet.attempt(email, { verify: at(other) });
      await check('VERIFY-TYPE-MISMATCH', () => expect(emailAtOther.answer).toBeRefused());
      observe('verify-other-type-answer', otherAtEmail.answer, emailAtOther.answer);
    },
  );

test('whether the type in a verify body is read', async ({ given, observe }) => {
  const { wallet, credential } = await given.holding('EMAIL_OTP');
  await wallet.mustLogin(credential);
  const login = await wallet.login(credential, {
    verify: (request) => ({
      ...request,
      body: { ...(request.body as object), type: 'SMS_OTP' },
      label: 'verifying EMAIL_OTP as SMS_OTP',
    }),
  });
  observe('verify-other-type-answer', login.answer);
});
