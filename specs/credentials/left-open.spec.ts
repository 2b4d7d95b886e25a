import { movesClock, test, credentialRequests, type Answer, type Draft } from '../../suite/index.ts';

const WRONG_CODES = 6;
const CODE_SECONDS = 200;

test('which bodies create credentials of one-time codes, and what nicknames and transports passkeys take', async ({
  given,
  observe,
}) => {
  for (const [question, type] of [
    ['email-otp-create-body', 'EMAIL_OTP'],
    ['sms-otp-create-body', 'SMS_OTP'],
  ] as const) {
    const wallet = await given.wallet({ credentials: [] });
    const draft = wallet.draftCode(type);
    const { answer } = await wallet.register(draft);
    observe(question, { fields: Object.keys(draft.body), answer: answer.outcome });
  }
  const transports = (value: unknown) => (attestation: object) => ({
    attestation: { ...attestation, transports: value },
  });
  const nickname = (value: unknown) => () => ({ nickname: value });
  for (const [question, what, change] of [
    ['passkey-nickname-limits', 'empty', nickname('')],
    ['passkey-nickname-limits', 'absent', nickname(undefined)],
    ['passkey-nickname-limits', '100 characters', nickname('n'.repeat(100))],
    ['passkey-nickname-limits', '101 characters', nickname('n'.repeat(101))],
    ['passkey-transports', 'absent', transports(undefined)],
    ['passkey-transports', 'empty', transports([])],
    ['passkey-transports', 'unknown', transports(['carrier-pigeon'])],
    ['passkey-algorithms', 'attestation none, ES256', () => ({})],
  ] as const) {
    const wallet = await given.wallet({ credentials: [] });
    const draft = wallet.draftPasskey();
    const { attestation = {} } = draft.body as { attestation?: object };
    const changed = { ...draft, body: { ...draft.body, ...change(attestation) } } as Draft;
    const { answer } = await wallet.register(changed, undefined, {
      label: `a passkey, ${question}: ${what}`,
    });
    observe(question, { [what]: answer.outcome });
  }
});

test('what an identity without e-mail, and without nonce, is called', async ({ given, observe }) => {
  for (const claims of [{ email: undefined }, {}]) {
    const wallet = await given.wallet({ credentials: [] });
    const { answer } = await wallet.register(await wallet.draftOauth({ claims: claims as object }));
    const nickname: unknown =
      answer.exchange.response && answer.accepted
        ? (answer.body as { nickname?: unknown } | undefined)?.nickname
        : answer.outcome;
    if ('email' in claims)
      observe(
        'oauth-nickname-without-email',
        nickname === undefined
          ? 'absent'
          : typeof nickname === 'string' && nickname.includes('@')
            ? 'an e-mail'
            : nickname,
        answer,
      );
    else observe('oauth-nonce-at-creation', `without a nonce: ${answer.outcome}`, answer);
  }
});

test('how an identity token may name its audience, and how far off it may be in time', async ({
  given,
  observe,
}) => {
  const { wallet, credential } = await given.holding('OAUTH');
  await wallet.needLogin(credential);
  const now = Math.floor(wallet.clock.now().getTime() / 1_000);
  for (const [question, offsets] of [
    ['oidc-iat-in-the-future', [2, 30, 120]],
    ['oidc-skew', [-62, -64, -68]],
  ] as const)
    for (const offset of offsets)
      observe(question, {
        [`${offset} s`]: (await wallet.login(credential, { claims: { iat: now + offset } })).answer.outcome,
      });
  const aud = [credential.identity.aud].flat();
  const list = await wallet.login(credential, { claims: { aud } });
  // JWT knows both forms: taken or not, it is no reason to break.
  list.answer.tellFault();
  observe('oidc-audience-list', list.answer);
  observe('oidc-nonce-encoding', {
    'lower-case hex over the text': (await wallet.login(credential)).answer.outcome,
  });
});

test('what one-time codes live through', movesClock({}), async ({ given, clock, observe }) => {
  const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
  const credential = wallet.credentialOf('EMAIL_OTP');
  await wallet.needLogin(credential);
  const challenge = await wallet.challenge(credential);
  const bundle = (challenge.body as { otpEncryptionTargetBundle?: unknown } | undefined)
    ?.otpEncryptionTargetBundle;
  observe('otp-bundle-format', typeof bundle === 'string' ? keysOf(bundle) : 'absent', challenge);
  const answers: Answer[] = [];
  for (let turn = 0; turn < WRONG_CODES; turn += 1)
    answers.push((await wallet.login(credential, { code: '999999' })).answer);
  const right = await wallet.login(credential);
  observe(
    'otp-attempts',
    { 'wrong codes': answers.map((answer) => answer.outcome), then: right.answer.outcome },
    ...answers.slice(-1),
    right.answer,
  );
  const sms = await given.wallet({ credentials: ['SMS_OTP'] });
  observe('otp-sms-sandbox-code', {
    '000000': (await sms.login(sms.credentialOf('SMS_OTP'), { code: '000000' })).answer.outcome,
  });
  const old = await given.wallet({ credentials: ['EMAIL_OTP'] });
  const issued = await old.challenge(old.credentialOf('EMAIL_OTP'));
  await clock.advance(CODE_SECONDS, old.customerId);
  const late = await old.login(old.credentialOf('EMAIL_OTP'), { challenge: issued });
  observe('otp-code-lifetime', `after ${CODE_SECONDS} s: ${late.answer.outcome}`, late.answer);
});

test('whether an older Request-Id serves, and what a first registration does with wallet headers', async ({
  given,
  need,
  observe,
}) => {
  const { wallet, session } = await given.signedIn();
  const request = credentialRequests.register(wallet.draftPasskey().body);
  const older = need.offered((await wallet.begin(request)).challenge, 'the first call gave no challenge');
  need.offered((await wallet.begin(request)).challenge, 'the second call gave no challenge');
  observe('retry-superseded', await wallet.retry(request, older, session));
  const empty = need.offered(
    await given.emptyWallet(),
    'no account without credentials can be prepared here',
  );
  const first = await empty.retry(credentialRequests.register(empty.draftPasskey().body), older, session);
  observe('signed-headers-on-first-credential', first);
});

function keysOf(text: string): readonly string[] | string {
  try {
    return Object.keys(JSON.parse(text) as object);
  } catch {
    return 'no JSON';
  }
}
