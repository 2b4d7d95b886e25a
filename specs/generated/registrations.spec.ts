import fc from 'fast-check';
import {
  entriesOf,
  expect,
  lower,
  ownIds,
  registering,
  survey,
  test,
  verifies,
  type Answer,
  type Credential,
  type Wallet,
} from '../../suite/index.ts';
import { unpadded } from '../../suite/same-id.ts';

const TYPES = ['OAUTH', 'PASSKEY', 'SMS_OTP', 'PASSKEY', 'OAUTH'] as const;
type Type = (typeof TYPES)[number];
const OWN_RULE = {
  OAUTH: 'CREDENTIAL-CREATE-OAUTH',
  PASSKEY: 'CREDENTIAL-CREATE-PASSKEY',
  SMS_OTP: 'CREDENTIAL-CREATE-SMS-OTP',
} as const;
const SEVERAL: Readonly<Partial<Record<Type, string>>> = {
  OAUTH: 'CREDENTIAL-OAUTH-SEVERAL',
  PASSKEY: 'CREDENTIAL-PASSKEY-SEVERAL',
};
/** Providers of identities; one account holds credentials of each. */
const ISSUERS = ['https://accounts.google.com', 'https://appleid.apple.com'] as const;

const isTaken = (answer: Answer) => {
  const status = answer.exchange.response?.status ?? 0;
  return status >= 200 && status < 300 && status !== 202;
};

test(
  'whatever an account holds already, a credential of another kind finds room beside it',
  verifies(
    ...Object.values(OWN_RULE),
    ...Object.values(SEVERAL),
    'CREDENTIAL-TYPES-TOGETHER',
    'CREDENTIAL-PASSKEY-ID-ECHO',
    'CREDENTIAL-PASSKEY-NICKNAME',
    'CREDENTIAL-OAUTH-NICKNAME',
    'CREDENTIAL-CREATE-ECHO',
    'CREDENTIAL-CREATE-LISTED',
  ),
  async ({ given, check, profile }) => {
    given.unshared('prepared wallets are shared between tests');
    for (const type of ['OAUTH', 'PASSKEY', 'SMS_OTP'] as const) given.mustProve(type);
    const orders = fc.shuffledSubarray([...TYPES], { minLength: 3 });
    /** Whether the type is registered as the first one beside the usual credential: asked once. */
    const alone = new Map<string, Promise<boolean>>();
    const draftOf = (wallet: Wallet, type: Type, iss: string | undefined) =>
      iss === undefined ? wallet.draft(type) : wallet.draftOauth({ identity: { iss } });
    const worksAlone = async (type: Type, iss: string | undefined) => {
      const { wallet, session } = await given.signedIn('EMAIL_OTP');
      return isTaken((await wallet.register(await draftOf(wallet, type, iss), session)).answer);
    };
    const isUsualProvider = profile.dialect.oidcToken.issuer === ISSUERS[0];

    await survey(
      check,
      orders,
      async (types, on) => {
        const { wallet, session, credential } = await given.signedIn('EMAIL_OTP');
        const held: Credential[] = [credential];
        for (const [at, type] of types.entries()) {
          const before = types.slice(0, at).filter((one) => one === type).length;
          const iss = type === 'OAUTH' && isUsualProvider ? ISSUERS[before] : undefined;
          // A service may hold one identity of each provider, and no second provider is known here.
          if (type === 'OAUTH' && before > 0 && iss === undefined) continue;
          const draft = await draftOf(wallet, type, iss);
          const label = `registering ${type} beside ${held.map((one) => one.type).join(', ')}`;
          const done = await wallet.register(draft, session, { label });
          on.told(done.answer);
          const assumes = registering[type];
          if (at === 0) {
            await on.hold(OWN_RULE[type], () => expect(done.answer).toBeAccepted(), { assumes });
            on.must(isTaken(done.answer), 'it was not registered');
          } else if (!isTaken(done.answer)) {
            const kind = `${type} ${iss}`;
            if (!alone.has(kind)) alone.set(kind, worksAlone(type, iss));
            on.must(await alone.get(kind), 'it is not registered alone either');
          }
          const several = before > 0 ? SEVERAL[type] : undefined;
          await on.hold(several ?? 'CREDENTIAL-TYPES-TOGETHER', () => {
            expect(done.answer).toBeAccepted();
            expect(done.answer.status, 'the signed retry asks for a signature again').not.toBe(202);
          });
          const { credential: made } = done;
          held.push(on.must(made, 'the registered credential came without an id'));
          const list = on.told(await wallet.list());
          on.must(isTaken(list), 'the list could not be read');
          const entry = entriesOf(list).find(({ id }) => lower(id) === lower(made?.id));
          await on.hold(
            'CREDENTIAL-CREATE-LISTED',
            () => expect(entry, 'its entry in the list').toBeDefined(),
            [list],
          );
          // The answer to its creation and the list say the same of it, and what was sent.
          for (const [shown, answer] of [
            [done.answer.body, done.answer],
            [entry, list],
          ] as const) {
            const seen = shown as Readonly<Record<string, unknown>>;
            await on.hold(
              'CREDENTIAL-CREATE-ECHO',
              () => {
                expect(seen['type']).toBe(type);
                expect(lower(seen['accountId'])).toBe(lower(wallet.accountId));
              },
              [answer],
            );
            if (draft.type === 'OAUTH')
              await on.hold(
                'CREDENTIAL-OAUTH-NICKNAME',
                () => expect(seen['nickname']).toBe(draft.identity.email),
                [answer],
              );
            if (draft.type !== 'PASSKEY') continue;
            await on.hold(
              'CREDENTIAL-PASSKEY-NICKNAME',
              () => expect(seen['nickname']).toBe(draft.body['nickname']),
              [answer],
            );
            await on.hold(
              'CREDENTIAL-PASSKEY-ID-ECHO',
              () => expect(unpadded(seen['credentialId'])).toBe(draft.passkey.credentialId),
              [answer],
            );
          }
        }
      },
      { runs: 6 },
    );
  },
);

test(
  'however many credentials two accounts have, each list shows those of its own, all in one answer',
  verifies('CREDENTIAL-LIST-NOT-PAGINATED', 'CREDENTIAL-LIST-COMPLETE', 'CREDENTIAL-LIST-ONLY-ACCOUNT'),
  async ({ given, check }) => {
    given.unshared('prepared wallets are shared between tests');
    given.mustProve('PASSKEY');
    await survey(
      check,
      // More than the page sizes that services usually have (10, 20, 25).
      [2, 11, 26],
      async (count, on) => {
        const one = await given.signedIn();
        const other = await given.signedIn();
        const own = one.wallet.credentials.map(({ id }) => lower(id));
        if (!own.includes(lower(one.credential.id))) own.push(lower(one.credential.id));
        while (own.length < count) {
          const { credential } = await one.wallet.probe(one.session, {
            label: `registering credential ${own.length + 1} of ${count}`,
          });
          own.push(lower(on.must(credential, 'it was not registered').id));
        }
        const list = on.told(await one.wallet.list());
        on.must(isTaken(list), 'the list could not be read');
        const entries = entriesOf(list);
        await on.hold(
          'CREDENTIAL-LIST-ONLY-ACCOUNT',
          () => {
            const { accountId } = one.wallet;
            expect(
              entries.filter((entry) => entry.accountId && lower(entry.accountId) !== lower(accountId)),
              'entries of other accounts',
            ).toEqual([]);
            expect(entries.map(({ id }) => lower(id))).not.toContain(lower(other.credential.id));
          },
          [list],
        );
        const rule = count > 10 ? 'CREDENTIAL-LIST-NOT-PAGINATED' : 'CREDENTIAL-LIST-COMPLETE';
        await on.hold(
          rule,
          () => expect(ownIds(list, one.wallet), `the ${count} credentials`).toEqual([...own].sort()),
          { evidence: [list], unless: rule.endsWith('COMPLETE') ? [] : ['CREDENTIAL-LIST-COMPLETE'] },
        );
      },
    );
  },
);

test(
  'a passkey that one account has may be registered on another',
  verifies('CREDENTIAL-PASSKEY-OTHER-ACCOUNT'),
  async ({ given, check }) => {
    given.unshared('prepared wallets are shared between tests');
    given.mustProve('PASSKEY');
    await survey(
      check,
      fc.integer({ min: 1, max: 3 }),
      async (accounts, on) => {
        const first = await given.signedIn();
        const draft = first.wallet.draftPasskey();
        on.must(
          (await first.wallet.register(draft, first.session)).credential,
          'the passkey was not registered',
        );
        on.must(draft.type === 'PASSKEY', 'the draft is no passkey');
        const { passkey } = draft as Extract<typeof draft, { type: 'PASSKEY' }>;
        for (let at = 0; at < accounts; at += 1) {
          const { wallet, session } = await given.signedIn();
          on.must((await wallet.probe(session)).credential, 'no passkey of its own is registered there');
          const label = `registering the passkey on account ${at + 2}`;
          const there = await wallet.register(wallet.draftPasskey({ passkey }), session, { label });
          on.told(there.answer);
          await on.hold('CREDENTIAL-PASSKEY-OTHER-ACCOUNT', () => expect(there.answer).toBeAccepted());
        }
      },
      { runs: 2 },
    );
  },
);
