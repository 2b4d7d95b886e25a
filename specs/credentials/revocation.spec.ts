import {
  expect,
  idsOf,
  isRefusedUnsigned,
  lower,
  newEmail,
  registering,
  succeeded,
  test,
  verifies,
  walletRequests,
  type Answer,
  type Credential,
  type CredentialType,
  type Given,
  type Wallet,
  type WalletSession,
} from '../../suite/index.ts';
import {
  expectDropped,
  isDoneAtOnce,
  listWith,
  listWithout,
  needEnd,
  needRefreshed,
  refusalsOfOnly,
} from '../support/credentials.ts';

/** An account with a session of its first credential, and a second credential with a session of its own. */
async function twoSignedIn(given: Given, type?: CredentialType) {
  const one = await given.signedIn(type);
  const second = await one.wallet.addCredential('registering a second credential');
  return { ...one, second, secondSession: await given.session(one.wallet, second) };
}

/** A wallet with a credential of this type that is going to be revoked, and another one that keeps the wallet open. */
async function withDoomed(given: Given, type: CredentialType) {
  given.needProve(type);
  if (type === 'EMAIL_OTP') {
    const { second, secondSession, ...first } = await twoSignedIn(given, type);
    const { wallet, credential: doomed, session: doomedSession } = first;
    wallet.signWith(second, secondSession);
    return { wallet, session: secondSession, credential: second, doomed, doomedSession };
  }
  const { wallet, session, credential } = await given.signedInBeside(type);
  const doomed = await given.credential(wallet, type, session);
  const { session: doomedSession } = await wallet.needLogin(doomed);
  return { wallet, session, credential, doomed, doomedSession };
}

const TYPES: readonly CredentialType[] = ['PASSKEY', 'OAUTH', 'SMS_OTP', 'EMAIL_OTP'];
/** Of these an account may hold more than one. */
const SEVERAL: ReadonlySet<CredentialType> = new Set(['PASSKEY', 'OAUTH']);

/**
 * A duplicate is what the account has. EMAIL_OTP is added back in registration-kinds.spec.ts; whether a passkey that was
 * revoked has been "already registered" is left open.
 */
const ADDED_BACK = {
  OAUTH: 'CREDENTIAL-CREATE-OAUTH',
  SMS_OTP: 'CREDENTIAL-CREATE-SMS-OTP',
} as const;

test(
  'a session of another credential completes a revocation, which answers 204',
  verifies(
    'CREDENTIAL-REVOKE-COMPLETES',
    'CREDENTIAL-REVOKE-OTHER-CREDENTIAL',
    'CREDENTIAL-REVOKE-STATUS',
    'CREDENTIAL-REVOKE-NO-BODY',
  ),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    // To register it shows that this session signs. To log in with it might end the session: nothing is said of two beside each other.
    const second = await wallet.addCredential('registering a second credential');
    const revocation = await wallet.revoke(second.id, session);
    need.challenged(revocation);
    const { answer } = revocation;
    // Refused for want of authority it is the signer that is not taken; refused otherwise it is the revocation.
    const unauthorized = [401, 403].includes(answer.exchange.response?.status ?? 0);
    if (unauthorized || succeeded(answer))
      await check('CREDENTIAL-REVOKE-OTHER-CREDENTIAL', () => expect(answer).toBeAccepted());
    need.that(!unauthorized, `the revocation was answered ${answer.outcome}`);
    // Another success status than the documented ones is CREDENTIAL-REVOKE-STATUS.
    if (!answer.accepted || answer.status === 202)
      await check('CREDENTIAL-REVOKE-COMPLETES', () => expect(answer).toHaveHttpStatus(204));
    else await check('CREDENTIAL-REVOKE-COMPLETES', () => expect(answer).toBeAccepted());
  },
);

for (const type of TYPES)
  test(
    `a session of ${type} does not sign the revocation of the credential that issued it`,
    verifies('CREDENTIAL-REVOKE-OWN-SESSION'),
    async ({ given, check, need, observe }) => {
      const { wallet, session, doomed, doomedSession } = await withDoomed(given, type);
      const label = 'another wallet request of the session that the credential issued';
      need.registered(await wallet.tryKey(doomedSession, { label }));
      const isListed = (list: Answer) => succeeded(list) && idsOf(list).includes(lower(doomed.id));
      const wasListed = isListed(await wallet.list({ label: 'listing the credentials before' }));
      const own = await wallet.revoke(doomed.id, doomedSession);
      need.challenged(own);
      // The session of the other credential may have ended with this login, and this one where its credential was revoked.
      const still = await wallet.tryKey(doomedSession, { label: 'registering another credential' });
      const spare = still.credential ?? (await wallet.addCredential('registering it by the other session'));
      // Reads may follow later: a list that has shown this one, and shows its end, shows what came before it, too.
      const withSpare = wasListed ? await listWith(wallet, spare.id) : undefined;
      await wallet.needRevoke(spare.id, still.credential ? doomedSession : session);
      await check('CREDENTIAL-REVOKE-OWN-SESSION', () => expect(own.answer).toBeRefused(400, 401, 403));
      if (wasListed && own.answer.refused) {
        // The end of one of its kind is not what it is blamed for.
        const after = withSpare && spare.type === type ? withSpare : await listWithout(wallet, spare.id);
        await check(
          'CREDENTIAL-REVOKE-OWN-SESSION',
          () => expect(isListed(after), 'still listed').toBe(true),
          [own.answer, after],
        );
      }
      observe('revoke-own-session-answer', own.answer);
    },
  );

test(
  'the only credential of an account cannot be revoked',
  verifies('CREDENTIAL-REVOKE-ONLY'),
  async ({ given, check, need, observe }) => {
    const { wallet, credential, session } = await given.signedIn();
    const only = await wallet.revoke(credential.id, session);
    const isGone = succeeded(only.answer) && only.answer.status !== 202;
    if (!isGone) {
      // The control: with a second credential beside it the same one, which is still there, can be revoked.
      const label = 'registering another credential';
      const still = await wallet.tryKey(session, { label });
      const isKept = () => expect(still.answer, 'by the session of what was not revoked').toBeAccepted();
      const again = still.credential ? still : await wallet.tryKey(await given.session(wallet, credential));
      const second = need.registered(again);
      if (only.answer.refused) await check('CREDENTIAL-REVOKE-ONLY', isKept, [only.answer, still.answer]);
      const control = await wallet.revoke(credential.id, await given.session(wallet, second));
      need(control.answer).accepted();
    }
    await check('CREDENTIAL-REVOKE-ONLY', () => expect(only.answer).toBeRefused(...refusalsOfOnly(only)));
    observe(
      'only-credential-refused-at',
      only.retries.length > 0 ? 'the signed retry' : 'the first call',
      only.answer,
    );
  },
);

test(
  'a credential that has become the only one cannot be revoked',
  verifies('CREDENTIAL-REVOKE-ONLY'),
  async ({ given, check, need }) => {
    const { wallet, credential, second, secondSession } = await twoSignedIn(given);
    await wallet.needRevoke(credential.id, secondSession);
    const last = await wallet.revoke(second.id, secondSession);
    await check('CREDENTIAL-REVOKE-ONLY', () => expect(last.answer).toBeRefused(...refusalsOfOnly(last)));
    need(last.answer).refused();
    const again = await wallet.revoke(second.id, secondSession);
    await check('CREDENTIAL-REVOKE-ONLY', () => expect(again.answer).toBeRefused(...refusalsOfOnly(again)));
    need(again.answer).refused();
    const label = 'logging in with the credential that was not revoked';
    const login = await wallet.attempt(second, { label });
    await check('CREDENTIAL-REVOKE-ONLY', () => expect(login.answer).toBeAccepted());
  },
);

test(
  'an unknown credential cannot be revoked',
  verifies('CREDENTIAL-REVOKE-STATUS'),
  async ({ given, observe }) => {
    const { wallet, session, second } = await twoSignedIn(given);
    await wallet.needRevoke(second.id, session);
    const unknown = await wallet.revoke('AuthMethod:00000000-0000-4000-8000-000000000000', session);
    const again = await wallet.revoke(second.id, session);
    observe(
      'unknown-credential',
      { unknown: unknown.answer.outcome, 'revoked before': again.answer.outcome },
      unknown.answer,
      again.answer,
    );
  },
);

for (const type of TYPES)
  test(
    `a revoked ${type} credential logs in no more, and with it end the sessions that it issued, and no others`,
    verifies(
      'CREDENTIAL-REVOKE-COMPLETES',
      'CREDENTIAL-REVOKE-ENDS-LOGIN',
      'CREDENTIAL-REVOKE-KEEPS-OTHERS',
      'CREDENTIAL-REVOKE-ENDS-SESSIONS',
      'CREDENTIAL-LIST-DROPS-REVOKED',
      'CREDENTIAL-LIST-COMPLETE',
      ...(type === 'EMAIL_OTP' ? ['CUSTOMER-EMAIL-UNTIED'] : []),
    ),
    async ({ given, check, need, observe }) => {
      const { wallet, session, credential, doomed, doomedSession } = await withDoomed(given, type);
      const twin = SEVERAL.has(type) ? await wallet.register(type, session) : undefined;
      const left = twin?.credential ?? credential;
      const before = await listWith(wallet, left.id);
      const issued = await signing(wallet, [doomedSession, await given.session(wallet, doomed)]);
      // The twin's is of the same type.
      const others = await signing(wallet, [session, await given.session(wallet, left)]);
      const signer = need.that(
        others.at(-1),
        "no session of another credential's signs before the revocation",
      );
      const challenge =
        type === 'OAUTH'
          ? undefined
          : await wallet.challenge(doomed, { label: 'a challenge before the revocation' });
      const revocation = await wallet.revoke(doomed.id, signer);
      need.challenged(revocation);
      // Refused for want of authority it is the signer that is not taken.
      const { status = 0 } = revocation.answer.exchange.response ?? {};
      need.that(status !== 401 && status !== 403, `the revocation was answered ${revocation.answer.outcome}`);
      await check('CREDENTIAL-REVOKE-COMPLETES', () => expect(revocation.answer).toBeAccepted());
      need(revocation.answer).accepted();
      for (const one of others) {
        const label = "a wallet request signed by another credential's session after the revocation";
        const live = await wallet.signedBy(one, label);
        await check('CREDENTIAL-REVOKE-KEEPS-OTHERS', () => expect(live).toBeAccepted());
      }
      for (const one of issued) {
        const label = 'a wallet request signed by a session of the revoked credential';
        const dead = await wallet.signedBy(one, label);
        await check('CREDENTIAL-REVOKE-ENDS-SESSIONS', () => expect(dead).toBeRefused(401, 403));
        observe('stamp-ended-session-code', { 'of a revoked credential': dead.outcome }, dead);
      }
      const login = await wallet.login(doomed);
      await check('CREDENTIAL-REVOKE-ENDS-LOGIN', () => expect(login.answer).toBeRefused());
      observe('unknown-credential', { [`${type}, revoked`]: login.answer.outcome }, login.answer);
      if (challenge?.exchange.response?.status === 200) {
        const begun = await wallet.attempt(doomed, { challenge });
        await check('CREDENTIAL-REVOKE-ENDS-LOGIN', () => expect(begun.answer).toBeRefused());
      }
      await expectDropped(check, wallet, doomed.id);
      if (idsOf(before).includes(lower(left.id))) {
        const after = await wallet.list({ label: 'listing what is left' });
        need(after).accepted();
        const isLeft = () => expect(idsOf(after), 'ids in the list').toContain(lower(left.id));
        await check('CREDENTIAL-LIST-COMPLETE', isLeft, [before, after]);
      }
      need.that(issued.length > 0, 'no session of the credential signs before its revocation');
      if (type !== 'EMAIL_OTP') return;
      const untied = await wallet.send(walletRequests.setEmail(wallet.customerId, newEmail()), {
        label: 'updating an e-mail whose credential was revoked',
      });
      if (!isRefusedUnsigned(untied)) need(untied).available();
      await check('CUSTOMER-EMAIL-UNTIED', () => isDoneAtOnce(untied));
    },
  );

for (const type of ['EMAIL_OTP', 'SMS_OTP'] as const)
  test(
    `a login by ${type} that was begun before its credential was revoked ends in no session`,
    verifies('CREDENTIAL-REVOKE-ENDS-LOGIN'),
    async ({ given, check, need }) => {
      const { wallet, credential, doomed } = await withDoomed(given, type);
      // An account may have one session at a time.
      const between = async () => wallet.needRevoke(doomed.id, await given.session(wallet, credential));
      const begun = await wallet.attempt(doomed, { retry: { between } });
      need.that(begun.signing, `"${begun.answer.label}" gave nothing to sign`);
      await check('CREDENTIAL-REVOKE-ENDS-LOGIN', () => expect(begun.answer).toBeRefused());
    },
  );

for (const type of ['OAUTH', 'SMS_OTP'] as const)
  test(
    `${type} can be added back after it was removed`,
    verifies(ADDED_BACK[type]),
    async ({ given, check, need }) => {
      const { wallet, session } = await given.signedInBeside(type);
      const doomed = await given.credential(wallet, type, session);
      await wallet.needRevoke(doomed.id, session);
      const without = await listWithout(wallet, doomed.id);
      need.that(succeeded(without) && !idsOf(without).includes(lower(doomed.id)), 'it is still listed');
      const { identity } = doomed as Partial<Credential<'OAUTH'>>;
      const draft = identity ? await wallet.draftOauth({ identity }) : 'SMS_OTP';
      const back = await wallet.register(draft, session, { label: `adding ${type} back` });
      // A session that ended with the revocation adds nothing any more.
      if (!succeeded(back.answer)) await wallet.needSign(session);
      await check(ADDED_BACK[type], () => expect(back.answer).toBeAccepted(), {
        assumes: registering[type],
      });
    },
  );

test(
  'a session that was refreshed does not sign the revocation of the credential that issued it, and ends with it',
  verifies('CREDENTIAL-REVOKE-OWN-SESSION', 'CREDENTIAL-REVOKE-ENDS-SESSIONS'),
  async ({ given, check, need }) => {
    const { wallet, session, doomed, doomedSession } = await withDoomed(given, 'EMAIL_OTP');
    const refreshed = await needRefreshed(wallet, doomedSession);
    const own = await wallet.revoke(doomed.id, refreshed);
    need.challenged(own);
    await check('CREDENTIAL-REVOKE-OWN-SESSION', () => expect(own.answer).toBeRefused(400, 401, 403));
    need(own.answer).refused();
    await wallet.needRevoke(doomed.id, session);
    const dead = await wallet.signedBy(
      refreshed,
      'a wallet request of the refreshed session after its credential was revoked',
    );
    await check('CREDENTIAL-REVOKE-ENDS-SESSIONS', () => expect(dead).toBeRefused(401, 403));
  },
);

test(
  'the first call of a revocation ends no session',
  verifies('RETRY-FIRST-CALL-CHANGES-NOTHING'),
  async ({ given, check, need }) => {
    const { wallet, session, second: doomed, secondSession: doomedSession } = await twoSignedIn(given);
    await wallet.needSign(doomedSession, 'a wallet request before the revocation');
    const begun = await wallet.revoke(doomed.id, session, { times: 0 });
    need.challenged(begun);
    const after = await wallet.signedBy(
      doomedSession,
      'a wallet request after the first call of the revocation',
    );
    // The control, where an account may have more sessions than one.
    if (!succeeded(after)) await wallet.needSign(session, 'a wallet request of the other session');
    await check('RETRY-FIRST-CALL-CHANGES-NOTHING', () => expect(after).toBeAccepted(), [begun.first, after]);
  },
);

for (const [what, rule, prepare] of [
  [
    'it is revoked itself',
    'STAMP-REVOKED-SESSION',
    async (given: Given) => {
      const { wallet } = await given.signedIn();
      const doomed = await wallet.sessions.another();
      const { session } = wallet.signer;
      const end = async () => needEnd(wallet, await wallet.sessions.revoke(doomed.id, session));
      return { wallet, session, doomed, end };
    },
  ],
  [
    'its credential is revoked',
    'CREDENTIAL-REVOKE-ENDS-SESSIONS',
    async (given: Given) => {
      const {
        wallet,
        session,
        doomed: credential,
        doomedSession: doomed,
      } = await withDoomed(given, 'PASSKEY');
      return { wallet, session, doomed, end: () => wallet.needRevoke(credential.id, session) };
    },
  ],
] as const)
  test(`a session signs no retry that was begun before ${what}`, verifies(rule), async ({ given, check }) => {
    const { wallet, session, doomed, end } = await prepare(given);
    await wallet.needSign(doomed, 'a wallet request before the revocation');
    const label = `a wallet request whose retry comes after ${what}`;
    const late = await wallet.signedBy(doomed, label, { between: end });
    await wallet.needSign(session);
    await check(rule, () => expect(late).toBeRefused(401, 403));
  });

/** Those of them that sign: whether a login ends the earlier sessions of its credential is not shown. */
async function signing(
  wallet: Wallet,
  sessions: readonly WalletSession[],
): Promise<readonly WalletSession[]> {
  const live: WalletSession[] = [];
  for (const session of sessions) {
    const { answer } = await wallet.tryAny(session, { label: 'a wallet request before the revocation' });
    if (succeeded(answer)) live.push(session);
  }
  return live;
}
