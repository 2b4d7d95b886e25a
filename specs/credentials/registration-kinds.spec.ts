import { randomBytes } from 'node:crypto';
import {
  entriesOf,
  expect,
  succeeded,
  loggingIn,
  lower,
  ownIds,
  registering,
  test,
  verifies,
  type Answer,
  type Credential,
} from '../../suite/index.ts';
import { expectDropped, expectEcho, listWith, listedInTime } from '../support/credentials.ts';
import { expectSameTime } from '../support/instants.ts';
import { unpadded } from '../../suite/same-id.ts';

// ----------------------------------------------------------------------------------------------------- identities

/** Providers of identities that the interface's text does not name; a target may take the tokens of others. */
const GOOGLE = 'https://accounts.google.com';
const APPLE = 'https://appleid.apple.com';

/** Within the limit of a token's age, with room for what both calls of a registration may take. */
const YOUNG_SECONDS = 50;
const WAY_MS = 4_000;

/** What a list shows of one credential. */
function entryOf(list: Answer, id: string) {
  return entriesOf(list).find((one) => lower(one.id) === lower(id));
}

test(
  "the nickname of an OAUTH credential is the token's email",
  verifies('CREDENTIAL-OAUTH-NICKNAME'),
  async ({ given, check, need }) => {
    given.needProve('OAUTH');
    const { wallet, session } = await given.signedInBeside('OAUTH');
    const email = `nick-${wallet.accountId.slice(-12)}@example.com`;
    const registration = await wallet.register(await wallet.draftOauth({ identity: { email } }), session);
    const { id } = need.registered(registration);
    await check('CREDENTIAL-OAUTH-NICKNAME', () => expect(registration.answer.body.nickname).toBe(email));
    const list = await listWith(wallet, id);
    const entry = () => entryOf(list, id);
    need.that(entry(), 'the credential is not in the list');
    await check('CREDENTIAL-OAUTH-NICKNAME', () => expect(entry()?.nickname).toBe(email));
  },
);

test(
  'one account holds OAUTH credentials of several provider identities',
  verifies('CREDENTIAL-OAUTH-SEVERAL', 'CREDENTIAL-OAUTH-NICKNAME'),
  async ({ given, check, need, observe }) => {
    given.needProve('OAUTH');
    const { wallet, session } = await given.signedInBeside('OAUTH');
    const email = (provider: string) => `${provider}-${wallet.accountId.slice(-12)}@example.com`;
    const draft = await wallet.draftOauth({ identity: { iss: GOOGLE, email: email('google') } });
    const registration = await wallet.register(draft, session);
    need.offered(!registration.answer.refused, `this target takes no token of ${GOOGLE}`);
    const google = need.registered(registration);
    // A login may end the session before it, so its own signs what follows.
    const { session: signing } = await wallet.needLogin(google);
    const other = await given.signedInBeside('OAUTH');
    const alone = await other.wallet.register(
      await other.wallet.draftOauth({ identity: { iss: APPLE } }),
      other.session,
      { label: 'registering the other provider alone' },
    );
    need.offered(!alone.answer.refused, `this target takes no token of ${APPLE}`);
    need.registered(alone);
    // Providers count their users each for itself: the same number is somebody else there.
    const { sub } = google.identity;
    const apple = await wallet.draftOauth({ identity: { iss: APPLE, sub, email: email('apple') } });
    const second = await wallet.register(apple, signing, {
      label: 'registering an identity of another provider',
    });
    await check('CREDENTIAL-OAUTH-SEVERAL', () => expect(second.answer).toBeAccepted());
    need.registered(second);
    await check('CREDENTIAL-OAUTH-NICKNAME', () => expect(second.answer.body.nickname).toBe(email('apple')));
    const first = await wallet.login(google, {
      label: 'logging in with the first identity beside the second',
    });
    await check('CREDENTIAL-OAUTH-SEVERAL', () => expect(first.answer).toBeAccepted());

    const by = first.session ?? signing;
    const { identity } = google;
    const same = await wallet.register(await wallet.draftOauth({ identity }), by, {
      label: 'registering the same identity again',
    });
    const another = await wallet.register('OAUTH', by, {
      label: 'registering another identity of the same provider',
    });
    observe(
      'oauth-duplicate',
      { sameIdentity: same.answer.outcome, sameProvider: another.answer.outcome },
      same.answer,
      another.answer,
    );
  },
);

test(
  `registration takes a token of ${YOUNG_SECONDS} s ago`,
  verifies('OIDC-AGE-WITHIN-LIMIT'),
  async ({ given, check, need }) => {
    given.needProve('OAUTH');
    const control = await given.signedInBeside('OAUTH');
    await control.wallet.needRegister('OAUTH', control.session);
    const { wallet, session } = await given.signedInBeside('OAUTH');
    const label = `registering with a token of ${YOUNG_SECONDS} s ago`;
    const young = await wallet.clock.byEither(async (now) => {
      const iat = Math.ceil(now.getTime() / 1_000) - YOUNG_SECONDS;
      const draft = await wallet.draftOauth({ claims: { iat } });
      const start = performance.now();
      const registration = await wallet.register(draft, session, { label });
      need.offered(performance.now() - start < WAY_MS, 'the token was too long on its way');
      return registration;
    });
    await check('OIDC-AGE-WITHIN-LIMIT', () => expect(young.answer).toBeAccepted());
  },
);

// --------------------------------------------------------------------------------------------------- one-time codes

test(
  'EMAIL_OTP can be added back after it was removed, beside SMS_OTP too',
  verifies(
    'CREDENTIAL-CREATE-EMAIL-OTP',
    'CREDENTIAL-TYPES-TOGETHER',
    'CREDENTIAL-CREATE-ECHO',
    'CREDENTIAL-LIST-DROPS-REVOKED',
    'CREDENTIAL-LIST-COMPLETE',
    'VERIFY-EMAIL-OTP-ACCEPTED',
  ),
  async ({ given, check, need }) => {
    const { wallet, session, credential } = await given.signedIn('EMAIL_OTP');
    const other = await given.credential(wallet, 'PASSKEY', session);
    const otherSession = await given.session(wallet, other);
    await wallet.needRevoke(credential.id, otherSession);
    wallet.signWith(other, otherSession);
    need.that(await expectDropped(check, wallet, credential.id), 'the credential is still there');
    const label = 'adding EMAIL_OTP back';
    const back = await wallet.register('EMAIL_OTP', otherSession, { label });
    await check('CREDENTIAL-CREATE-EMAIL-OTP', () => expect(back.answer).toBeAccepted(), {
      assumes: registering.EMAIL_OTP,
    });
    const added = need.registered(back);
    await check('CREDENTIAL-CREATE-ECHO', () => expectEcho(wallet, 'EMAIL_OTP', back.answer.body));
    const again = await listWith(wallet, added.id);
    await check(
      'CREDENTIAL-LIST-COMPLETE',
      () =>
        // A removed one that is still there is CREDENTIAL-LIST-DROPS-REVOKED.
        expect(ownIds(again, wallet).filter((id) => id !== lower(credential.id))).toEqual(
          [lower(other.id), lower(added.id)].sort(),
        ),
      listedInTime(again, [other.id, added.id]),
    );
    const login = await wallet.attempt(added, {
      label: 'logging in with the credential that was added back',
    });
    await check('VERIFY-EMAIL-OTP-ACCEPTED', () => expect(login.answer).toBeAccepted(), {
      assumes: loggingIn.EMAIL_OTP,
    });
    // The login may have ended the session before it.
    const signing = await given.session(wallet, other);
    await given.credential(wallet, 'SMS_OTP', signing);
    await wallet.needRevoke(added.id, signing);
    const beside = await wallet.register('EMAIL_OTP', signing, {
      label: 'adding EMAIL_OTP back beside SMS_OTP',
    });
    await check('CREDENTIAL-TYPES-TOGETHER', () => expect(beside.answer).toBeAccepted());
  },
);

// --------------------------------------------------------------------------------------------------------- passkeys

test(
  'a passkey keeps its WebAuthn credentialId, its nickname and its createdAt',
  verifies('CREDENTIAL-PASSKEY-ID-ECHO', 'CREDENTIAL-PASSKEY-NICKNAME', 'CREDENTIAL-CREATED-AT'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    const nickname = 'Kitchen laptop';
    const registration = await wallet.register(wallet.draftPasskey({ nickname }), session);
    const { id, passkey } = need.registered(registration);
    const keeps = async (shown: () => { credentialId?: unknown; nickname?: unknown } | undefined) => {
      await check('CREDENTIAL-PASSKEY-ID-ECHO', () =>
        expect(unpadded(shown()?.credentialId)).toBe(passkey.credentialId),
      );
      await check('CREDENTIAL-PASSKEY-NICKNAME', () => expect(shown()?.nickname).toBe(nickname));
    };
    await keeps(() => registration.answer.body);
    const list = await listWith(wallet, id);
    const entry = () => entryOf(list, id);
    need.that(entry(), 'the passkey is not in the list');
    await keeps(entry);
    const times = [registration.answer.body.createdAt, entry()?.createdAt] as const;
    await expectSameTime(check, 'CREDENTIAL-CREATED-AT', times, [registration.answer, list]);
    // Which letters a nickname may have is not shown.
    const foreign = 'Küche 台所';
    const { answer } = await wallet.register(wallet.draftPasskey({ nickname: foreign }), session);
    answer.tellFault();
    if (succeeded(answer) && answer.status !== 202)
      await check('CREDENTIAL-PASSKEY-NICKNAME', () => expect(answer.body.nickname).toBe(foreign));
  },
);

test(
  'one account holds several passkeys, and each is shown as it was registered',
  verifies('CREDENTIAL-PASSKEY-SEVERAL', 'CREDENTIAL-PASSKEY-ID-ECHO', 'CREDENTIAL-PASSKEY-NICKNAME'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    const held: Credential<'PASSKEY'>[] = [];
    const nicknameOf = (number: number) => `Passkey ${number}`;
    for (const [at, credentialId] of nearIds().entries()) {
      const number = at + 1;
      const passkey = wallet.newPasskey({ credentialId });
      const draft = wallet.draftPasskey({ passkey, nickname: nicknameOf(number) });
      const registration = await wallet.register(draft, session);
      // The first one may fail for reasons of its own, which another rule tells.
      if (number > 1)
        await check('CREDENTIAL-PASSKEY-SEVERAL', () => expect(registration.answer).toBeAccepted());
      held.push(need.registered(registration));
    }
    const list = await listWith(wallet, String(held.at(-1)?.id));
    for (const [at, { id, passkey }] of held.entries()) {
      const entry = entryOf(list, id);
      if (!entry) continue;
      const isItsOwn = () => expect(unpadded(entry.credentialId)).toBe(passkey.credentialId);
      await check('CREDENTIAL-PASSKEY-ID-ECHO', isItsOwn, [list]);
      const isCalled = () => expect(entry.nickname).toBe(nicknameOf(at + 1));
      await check('CREDENTIAL-PASSKEY-NICKNAME', isCalled, [list]);
    }
    // Later than all registrations: a login may end the session that signs them.
    await wallet.needLogin(held.at(-1) as Credential);
    for (const credential of held.slice(0, -1)) {
      const login = await wallet.attempt(credential, {
        label: 'logging in with an earlier one of three passkeys',
      });
      await check('CREDENTIAL-PASSKEY-SEVERAL', () => expect(login.answer).toBeAccepted());
    }
  },
);

/** Distinct ids all the same: a random one, the same letters in the other case, and the same but for its end. */
function nearIds(): readonly string[] {
  // Whole groups of three bytes: no letter carries spare bits.
  const id = randomBytes(30).toString('base64url');
  const otherCase = id.replace(/[a-z]/gi, (letter) =>
    letter === lower(letter) ? letter.toUpperCase() : lower(letter),
  );
  const otherEnd = id.slice(0, -4) + randomBytes(3).toString('base64url');
  return [id, otherCase, otherEnd];
}

test('whether a passkey may stand on two accounts', async ({ given, observe }) => {
  const { wallet, session } = await given.signedIn();
  const { passkey } = await wallet.needRegister('PASSKEY', session);
  const other = await given.signedIn();
  const there = await other.wallet.register(other.wallet.draftPasskey({ passkey }), other.session, {
    label: 'registering the same passkey on another account',
  });
  observe('passkey-of-another-account', there.answer);
});

/** Both characters that base64url has and base64 has not: a decoder of the other alphabet gets other bytes, or none. */
const WITH_BOTH = Buffer.from([0xfb, 0xff, 0xbf, ...randomBytes(13)]).toString('base64url');

test(
  'byte values of a passkey are taken as base64url',
  verifies('PASSKEY-BYTES-BASE64URL'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    await wallet.needRegister('PASSKEY', session, 'a good registration');
    const passkey = wallet.newPasskey({ credentialId: WITH_BOTH });
    const registration = await wallet.register(wallet.draftPasskey({ passkey }), session, {
      label: 'a registration whose credentialId holds - and _',
    });
    await check('PASSKEY-BYTES-BASE64URL', () => expect(registration.answer).toBeAccepted());
    const login = await wallet.attempt(need.registered(registration));
    await check('PASSKEY-BYTES-BASE64URL', () => expect(login.answer).toBeAccepted());
  },
);

test('whether characters that base64url has not are dropped', async ({ given, observe }) => {
  const { wallet, session } = await given.signedIn();
  for (const field of ['credentialId', 'clientDataJson', 'attestationObject'] as const) {
    const draft = wallet.draftPasskey({
      register: (passkey, challenge) => {
        const { attestation, ...rest } = passkey.register(challenge);
        // A decoder that drops such characters gets the right bytes all the same.
        const stray = `${attestation[field].slice(0, 4)}%${attestation[field].slice(4)}`;
        return { ...rest, attestation: { ...attestation, [field]: stray } };
      },
    });
    const { answer } = await wallet.register(draft, session, {
      label: `a registration whose ${field} is not base64url`,
    });
    observe('passkey-stray-characters', { [field]: answer.outcome }, answer);
  }
  await wallet.needSign(session);
});
