import {
  entriesOf,
  eventually,
  expect,
  idsOf,
  inTime,
  lower,
  succeeded,
  test,
  verifies,
  type Answer,
} from '../../suite/index.ts';
import { listUntil, listWith, listedInTime } from '../support/credentials.ts';

test('what a list is answered that is for no account', async ({ given, observe }) => {
  const { wallet } = await given.signedIn();
  const unknown = await wallet.list({
    label: 'listing an unknown account',
    query: { accountId: 'InternalAccount:00000000-0000-4000-8000-000000000000' },
  });
  unknown.tellFault();
  const without = await wallet.list({ label: 'listing without accountId', query: {} });
  observe(
    'unknown-account-on-list',
    { unknown: unknown.outcome, withoutAccountId: without.outcome },
    unknown,
    without,
  );
});

test(
  'a new account has a credential of type EMAIL_OTP',
  verifies('CREDENTIAL-EMAIL-OTP-BORN'),
  async ({ given, check, need, platform }) => {
    const { accountId } = await given.state<{ accountId: string }>('new-wallet', {}, ['accountId']);
    const holdsOne = (seen: Answer) => entriesOf(seen).some(({ type }) => type === 'EMAIL_OTP');
    const list = await eventually(
      () =>
        platform.call('listCredentials', {
          label: 'listing the credentials of an account on which nothing has been done yet',
          query: { accountId },
        }),
      (seen) => !succeeded(seen) || holdsOne(seen),
      platform.patienceMs,
    );
    need(list).accepted();
    need.that(Array.isArray((list.body as { data?: unknown }).data), 'the answer is no list of credentials');
    // A list may be late. "When the account has no credential yet", one is registered without a signed retry.
    const first = holdsOne(list)
      ? undefined
      : await platform.call('createCredential', {
          label: 'registering one, where the list shows none',
          body: { type: 'EMAIL_OTP', accountId, ...platform.dialect.credentialBody.EMAIL_OTP },
        });
    await check(
      'CREDENTIAL-EMAIL-OTP-BORN',
      () => expect(entriesOf(list).map(({ type }) => type)).toContain('EMAIL_OTP'),
      first?.exchange.response?.status === 201 ? [list, first] : inTime(list),
    );
  },
);

test(
  'an account without credentials has an empty list',
  verifies('CREDENTIAL-LIST-STATUS', 'CREDENTIAL-LIST-DATA'),
  async ({ given, check }) => {
    const wallet = await given.wallet({ credentials: [] });
    const list = await wallet.list({ label: 'listing the credentials of an account without any' });
    await check('CREDENTIAL-LIST-STATUS', () => expect(list).toHaveHttpStatus(200));
    if (succeeded(list)) await check('CREDENTIAL-LIST-DATA', () => expect(list.body.data).toEqual([]));
  },
);

/** One more than the page sizes that services usually have: what is demanded at least, and what is tried. */
const PAGE = 25;
const MANY = 101;
/** Registrations at once. */
const AT_ONCE = 10;

test(
  'the list holds every credential of the account, and none of another',
  verifies(
    'CREDENTIAL-LIST-COMPLETE',
    'CREDENTIAL-LIST-ONLY-ACCOUNT',
    'CREDENTIAL-LIST-STATUS',
    'CREDENTIAL-LIST-DATA',
  ),
  async ({ given, check, need }) => {
    const { wallet, credential } = await given.signedIn();
    const further = await wallet.addCredential('registering another credential');
    const other = await given.signedIn();
    const elsewhere = await other.wallet.addCredential('registering one on another account');
    const own = [credential.id, further.id].map(lower);
    // Right after the other account's: an answer to it is none for this one.
    const theirs = await other.wallet.list();
    await check('CREDENTIAL-LIST-STATUS', () => expect(theirs).toHaveHttpStatus(200));
    need(theirs).accepted();
    const atOnce = await wallet.list();
    const list = await listWith(wallet, ...own);
    await check('CREDENTIAL-LIST-STATUS', () => expect(list).toHaveHttpStatus(200));
    const foreign = [other.credential.id, elsewhere.id].map(lower);
    for (const one of [atOnce, list])
      await check('CREDENTIAL-LIST-ONLY-ACCOUNT', () => {
        expect(idsOf(one).filter((id) => foreign.includes(id))).toEqual([]);
        for (const entry of entriesOf(one)) expect(lower(entry.accountId)).toBe(lower(wallet.accountId));
      });
    await check(
      'CREDENTIAL-LIST-COMPLETE',
      () =>
        expect(
          idsOf(list)
            .filter((id) => own.includes(id))
            .sort(),
        ).toEqual([...own].sort()),
      listedInTime(list, own),
    );
  },
);

test(
  'however many credentials there are, they stand in one answer',
  verifies('CREDENTIAL-LIST-NOT-PAGINATED'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    const one = lower((await wallet.addCredential('registering the first of many credentials')).id);
    const short = await listWith(wallet, one);
    need.that(idsOf(short).includes(one), 'a list of two does not show what has been registered');
    // How soon a list follows is not shown: by this one it is known.
    await check('CREDENTIAL-LIST-NOT-PAGINATED', () => expect(idsOf(short)).toContain(one), inTime(short));
    const ids = new Set([one]);
    let atOnce = AT_ONCE;
    while (ids.size < MANY) {
      const label = 'registering one of many credentials';
      const more = await Promise.all(Array.from({ length: atOnce }, () => wallet.tryKey(session, { label })));
      const registered = more.flatMap(({ credential }) => credential ?? []);
      for (const { id } of registered) ids.add(lower(id));
      if (registered.length === atOnce) continue;
      // How many an account may have is not shown, nor whether several requests of one may be open.
      if (atOnce === 1) break;
      atOnce = 1;
    }
    need.that(ids.size > PAGE, `no more than ${ids.size} credentials were registered`);
    const list = await listUntil(wallet, (seen) => new Set(idsOf(seen)).size >= ids.size);
    need(list).accepted();
    // By their number: under which ids they are listed is the matter of another rule.
    await check(
      'CREDENTIAL-LIST-NOT-PAGINATED',
      () => expect(new Set(idsOf(list)).size, 'credentials in the list').toBeGreaterThanOrEqual(ids.size),
      inTime(),
    );
  },
);
