import { shapeRules } from '../../schemas/openapi.ts';
import { test, verifies, credentialRequests } from '../../suite/index.ts';

test(
  'every type of credential is answered as an AuthMethod',
  verifies(...shapeRules('AuthMethod'), ...shapeRules('CredentialList')),
  async ({ given, need }) => {
    for (const type of ['SMS_OTP', 'OAUTH', 'PASSKEY'] as const) given.mustProve(type);
    const { wallet, session } = await given.signedIn();
    for (const type of ['SMS_OTP', 'OAUTH', 'PASSKEY'] as const) await wallet.mustRegister(type, session);
    need(await wallet.list()).accepted();
  },
);

test(
  'the challenge of a one-time code carries a bundle',
  verifies(...shapeRules('ChallengeEmailOtp')),
  async ({ given, need }) => {
    const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
    need(await wallet.challenge(wallet.credentialOf('EMAIL_OTP'))).accepted();
  },
);

test(
  'the challenge of a passkey has its parts',
  verifies(...shapeRules('PasskeyAuthChallenge')),
  async ({ given, need }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
    need(await wallet.challenge(credential)).accepted();
  },
);

for (const type of ['EMAIL_OTP', 'SMS_OTP'] as const)
  test(
    `the session of ${type} has its parts and no sealed key`,
    verifies(...shapeRules('AuthSessionEmailOtp')),
    async ({ given }) => {
      const { wallet, credential } = await given.holding(type);
      await wallet.mustLogin(credential);
    },
  );

for (const type of ['OAUTH', 'PASSKEY'] as const)
  test(
    `the session of ${type} has its end and its sealed key`,
    verifies(...shapeRules('AuthSessionSealed')),
    async ({ given, need }) => {
      const { wallet, credential } = await given.holding(type);
      const login = await wallet.login(credential);
      need(login.answer).accepted();
    },
  );

test(
  'the 202 of each credential operation has its parts',
  verifies(...shapeRules('CredentialSignedRetryChallenge')),
  async ({ given, need }) => {
    const { wallet, credential, session } = await given.signedIn();
    need(
      await wallet.send(credentialRequests.register(wallet.draftPasskey().body), {
        label: 'the first call of a registration',
      }),
    ).accepted();
    need.registered(await wallet.probe(session));
    need(
      await wallet.send(credentialRequests.revoke(credential.id), {
        label: 'the first call of a revocation',
      }),
    ).accepted();
    const login = await wallet.login(credential);
    need(login.answer).accepted();
  },
);
