import { unreadableTokens } from '../../client/crypto/index.ts';
import { entriesOf, idsOf, expect, lower, test, verifies } from '../../suite/index.ts';
import { listUntil } from '../support/credential-lists.ts';

/** Providers of identities that the interface's text does not name; a target may take the tokens of others. */
const GOOGLE = 'https://accounts.google.com';
const APPLE = 'https://appleid.apple.com';

/** What both calls of a registration may take, in milliseconds, for a young token to be young at the second one. */
const WAY_MS = 4_000;

/** Seconds since a token was issued: well beyond the limit with its clock skew, by minutes, by most of a token's life. */
const TOO_OLD_SECONDS = [70, 600, 3_000];

test(
  "the nickname of an OAUTH credential is the token's email",
  verifies('CREDENTIAL-OAUTH-NICKNAME'),
  async ({ given, check, need }) => {
    given.mustProve('OAUTH');
    const { wallet, session } = await given.signedIn();
    const email = `nick-${wallet.accountId.slice(-12)}@example.com`;
    const registration = await wallet.register(await wallet.draftOauth({ identity: { email } }), session);
    const credential = need.registered(registration);
    await check('CREDENTIAL-OAUTH-NICKNAME', () => expect(registration.answer.body.nickname).toBe(email));
    const list = await listUntil(wallet, (seen) => idsOf(seen).includes(lower(credential.id)));
    need(list).accepted();
    const entry = () => entriesOf(list).find((one) => lower(one.id) === lower(credential.id));
    need.that(entry(), 'the credential is not in the list');
    await check('CREDENTIAL-OAUTH-NICKNAME', () => expect(entry()?.nickname).toBe(email));
  },
);

test(
  'one account holds OAUTH credentials of several provider identities',
  verifies('CREDENTIAL-OAUTH-SEVERAL'),
  async ({ given, check, need, observe }) => {
    given.mustProve('OAUTH');
    const { wallet, session } = await given.signedIn();
    const draft = await wallet.draftOauth({ identity: { iss: GOOGLE } });
    const registration = await wallet.register(draft, session);
    need.offered(!registration.answer.refused, `this target takes no token of ${GOOGLE}`);
    const google = need.registered(registration);
    // A login may end the session before it, so its own signs what follows.
    const { session: signing } = await wallet.mustLogin(google);
    const other = await given.signedIn();
    const alone = await other.wallet.register(
      await other.wallet.draftOauth({ identity: { iss: APPLE } }),
      other.session,
      { label: 'registering the other provider alone' },
    );
    need.offered(!alone.answer.refused, `this target takes no token of ${APPLE}`);
    need.registered(alone);
    const second = await wallet.register(await wallet.draftOauth({ identity: { iss: APPLE } }), signing, {
      label: 'registering an identity of another provider',
    });
    await check('CREDENTIAL-OAUTH-SEVERAL', () => expect(second.answer).toBeAccepted());
    need.registered(second);
    const first = await wallet.login(google, {
      label: 'logging in with the first identity beside the second',
    });
    await check('CREDENTIAL-OAUTH-SEVERAL', () => expect(first.answer).toBeAccepted());

    const identity = draft.type === 'OAUTH' ? draft.identity : {};
    const same = await wallet.register(await wallet.draftOauth({ identity }), first.session ?? signing, {
      label: 'registering the same identity again',
    });
    const another = await wallet.register('OAUTH', first.session ?? signing, {
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

/** Within the limit, with room for the way. */
const YOUNG_SECONDS = 50;

test(
  `registration takes a token of ${YOUNG_SECONDS} s ago`,
  verifies('OIDC-AGE-WITHIN-LIMIT'),
  async ({ given, check }) => {
    given.mustProve('OAUTH');
    const control = await given.signedIn();
    await control.wallet.mustRegister('OAUTH', control.session);
    const { wallet, session } = await given.signedIn();
    const iat = Math.ceil(wallet.clock.now().getTime() / 1_000) - YOUNG_SECONDS;
    const label = `registering with a token of ${YOUNG_SECONDS} s ago`;
    const draft = await wallet.draftOauth({ claims: { iat } });
    const start = performance.now();
    const young = await wallet.register(draft, session, { label });
    wallet.need.offered(performance.now() - start < WAY_MS, 'the token was too long on its way');
    await check('OIDC-AGE-WITHIN-LIMIT', () => expect(young.answer).toBeAccepted());
  },
);

for (const seconds of TOO_OLD_SECONDS)
  test(
    `registration with a token of ${seconds} s ago is refused`,
    verifies('OIDC-CREATE-TOO-OLD'),
    async ({ given, check }) => {
      given.mustProve('OAUTH');
      const { wallet, session } = await given.signedIn();
      await wallet.mustRegister('OAUTH', session);
      const iat = Math.floor(wallet.clock.now().getTime() / 1_000) - seconds;
      const old = await wallet.register(await wallet.draftOauth({ claims: { iat } }), session, {
        label: `registering with a token of ${seconds} s ago`,
      });
      await check('OIDC-CREATE-TOO-OLD', () => expect(old.answer).toBeRefused());
    },
  );

for (const row of unreadableTokens)
  test(
    `registration is refused with a token that ${row.says}`,
    verifies('OIDC-MALFORMED'),
    async ({ given, check }) => {
      given.mustProve('OAUTH');
      const { wallet, session } = await given.signedIn();
      await wallet.mustRegister('OAUTH', session);
      const wrong = await wallet.register(
        await wallet.draftOauth({ token: (good) => row.make(good) }),
        session,
        { label: `registering with a token that ${row.says}` },
      );
      await check('OIDC-MALFORMED', () => expect(wrong.answer).toBeRefused());
    },
  );
