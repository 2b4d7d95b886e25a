import {
  expect,
  movesClock,
  test,
  verifies,
  type Answer,
  type Credential,
  type CredentialType,
  type Login,
  type Wallet,
} from '../../suite/index.ts';
import { badClientKeys } from '../support/tampered-logins.ts';

/** How many challenges are asked for where the target does not say how many are too many. */
const MANY = 40;
/** No more than so many, whatever the target says. */
const MOST = 200;

test(
  'the challenge of an EMAIL_OTP credential needs no body',
  verifies('CHALLENGE-EMAIL-OTP-NO-BODY', 'CHALLENGE-STATUS', 'CHALLENGE-OTP-BUNDLE'),
  async ({ given, check, need }) => {
    const wallet = await given.wallet({ credentials: ['EMAIL_OTP'] });
    const challenge = await wallet.challenge(wallet.credentialOf('EMAIL_OTP'));
    await check('CHALLENGE-EMAIL-OTP-NO-BODY', () => expect(challenge).toBeAccepted());
    need(challenge).accepted();
    await check('CHALLENGE-OTP-BUNDLE', () =>
      expect(isJson(challenge.body.otpEncryptionTargetBundle), 'the bundle is JSON as text').toBe(true),
    );
  },
);

test(
  'each passkey challenge is a new one, and its end lies ahead',
  verifies('CHALLENGE-PASSKEY-FRESH', 'CHALLENGE-PASSKEY-EXPIRES-AT'),
  async ({ given, check, need, observe }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
    const clientKey = wallet.newKey();
    const one = await wallet.challenge(credential, { clientKey });
    const two = await wallet.challenge(credential, { clientKey });
    need(one).accepted();
    need(two).accepted();
    await check('CHALLENGE-PASSKEY-EXPIRES-AT', () =>
      expect(two).toExpireAfter(wallet.clock.earliestNow(two)),
    );
    await check('CHALLENGE-PASSKEY-FRESH', () => {
      expect(two.body.challenge).not.toBe(one.body.challenge);
      expect(two.body.requestId).not.toBe(one.body.requestId);
    });
    const old = await wallet.login(credential, { clientKey, challenge: one });
    observe('passkey-challenge-old', old.answer);
  },
);

/** Whether the key is looked at when it is sent or when the session key is sealed to it is not shown: no session, in any case. */
const NO_KEYS = [
  ...badClientKeys.map(({ says, make }) => ({ says, body: () => ({ clientPublicKey: make() }) })),
  { says: 'left out', body: () => ({}) },
];

test(
  `a passkey mints no session for a client's key that is ${NO_KEYS.map(({ says }) => says).join(', or ')}`,
  verifies('CHALLENGE-PASSKEY-CLIENT-KEY'),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.signedIn('PASSKEY');
    const last: { login?: Login; answer: Answer }[] = [];
    for (const { says, body } of NO_KEYS) {
      const label = `a challenge for a client's key that is ${says}`;
      const challenge = await wallet.challenge(credential, { body: body(), label });
      const isRefused = (challenge.exchange.response?.status ?? 0) >= 400;
      const login = isRefused
        ? undefined
        : await wallet.login(credential, { challenge, label: `verifying on ${label}` });
      last.push(login ? { login, answer: login.answer } : { answer: challenge });
    }
    await wallet.needLogin(credential);
    for (const { login, answer } of last) {
      if (login) need.reachedVerify(login);
      await check('CHALLENGE-PASSKEY-CLIENT-KEY', () => expect(answer).toBeRefused());
    }
  },
);

const LIMITED: readonly CredentialType[] = ['EMAIL_OTP', 'SMS_OTP', 'PASSKEY'];
for (const type of LIMITED) {
  test(
    `${type} challenges issued too often are answered 429 with Retry-After`,
    verifies('CHALLENGE-RATE-LIMITED', 'CHALLENGE-RETRY-AFTER'),
    async ({ given, check, need, observe }) => {
      const { wallet, credential } = await given.holding(type);
      const { challengeLimit } = wallet.state;
      const answers = await askUntilLimited(wallet, credential);
      const last = need.that(answers.at(-1), 'no challenge was asked for');
      if (!isLimited(last)) need(answers[0] ?? last).accepted();
      const told = challengeLimit !== undefined && challengeLimit <= MOST;
      need.offered(
        told || isLimited(last),
        `${answers.length} challenges in a row were all issued, and the target names no number that is too many`,
      );
      await check('CHALLENGE-RATE-LIMITED', () => expect(last).toHaveHttpStatus(429));
      if (last.status !== 429) return;
      observe('challenge-rate', `429 at challenge ${answers.length}`, last);
      const wait = last.header('retry-after') ?? '';
      observe('retry-after-form', /^\d+$/.test(wait) ? 'seconds' : wait === '' ? 'absent' : 'a date', last);
    },
  );

  test(
    `after the time in Retry-After the challenge of ${type} is issued again`,
    movesClock(verifies('CHALLENGE-RETRY-AFTER-ENDS')),
    async ({ given, check, need }) => {
      const { wallet, credential } = await given.holding(type);
      const answers = await askUntilLimited(wallet, credential);
      const last = need.that(answers.at(-1), 'no challenge was asked for');
      need(answers[0] as Answer).accepted();
      need.offered(isLimited(last), 'no challenge was answered 429');
      const wait = secondsIn(last.header('retry-after'), [
        wallet.clock.now().getTime(),
        Date.parse(last.header('date') ?? ''),
      ]);
      need.that(wait !== undefined, 'the 429 does not tell how long to wait');
      await wallet.clock.letPass((wait as number) + 1);
      // A 429 is usually taken for one of a gateway. This one has come for the reason that its forerunner gave.
      const again = await wallet.challenge(credential, {
        label: `a challenge ${wait} s and one more after a Retry-After of ${wait} s`,
        impatient: true,
      });
      await check('CHALLENGE-RETRY-AFTER-ENDS', () => expect(again).toBeAccepted());
    },
  );
}

/** Challenges in a row, up to the first that is answered 429. Text messages cost money. */
async function askUntilLimited(wallet: Wallet, credential: Credential): Promise<readonly Answer[]> {
  const { challengeLimit } = wallet.state;
  wallet.need.offered(
    credential.type !== 'SMS_OTP' || challengeLimit !== undefined,
    'the target names no number that is too many, and text messages are not sent on a guess',
  );
  // A target may count them from the first or from the second on.
  const most = Math.min(challengeLimit === undefined ? MANY : challengeLimit + 1, MOST);
  const answers: Answer[] = [];
  while (answers.length < most && !(answers.length > 0 && isLimited(answers.at(-1) as Answer))) {
    const label = `challenge ${answers.length + 1} in a row`;
    answers.push(await wallet.challenge(credential, { label, impatient: true }));
  }
  return answers;
}

const isLimited = ({ exchange }: Answer) => exchange.response?.status === 429;

function isJson(text: unknown): boolean {
  try {
    return typeof text === 'string' && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** @param now by the clocks that a date may be meant by: the target's may have been moved, and its Date may have stayed */
function secondsIn(header: string | undefined, now: readonly number[]): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const until = Date.parse(header);
  if (Number.isNaN(until)) return undefined;
  const waits = now.filter((at) => !Number.isNaN(at)).map((at) => Math.ceil((until - at) / 1_000));
  return Math.max(0, ...waits);
}
