import fc from 'fast-check';
import type { RetryChallenge } from '../../client/signed-retry.ts';
import {
  credentialRequests,
  expect,
  lower,
  ownIds,
  sessionRequests,
  succeeded,
  survey,
  test,
  verifies,
  type Answer,
  type Wallet,
  type WalletSession,
} from '../../suite/index.ts';
import { listUntil } from '../support/credential-lists.ts';
import { type SerialModel, race, someOrderExplains } from '../../suite/concurrent-calls.ts';

/** Races of one kind at standard depth. */
const RACES = 3;

/** A list that shows one credential twice breaks another rule than the one that retries at once are about. */
function distinct(list: Answer, wallet: Wallet): number {
  return new Set(ownIds(list, wallet)).size;
}

/** How many credentials an account holds: no revocation takes the last one. */
const credentialsLeft = (count: number): SerialModel<number, string, Answer> => ({
  start: count,
  next: (left, _, answer) => (succeeded(answer) ? (left > 1 ? [left - 1] : []) : [left]),
});

test(
  'of all credentials revoked at once one remains',
  verifies('CREDENTIAL-REVOKE-RACE'),
  async ({ given, need, check }) => {
    await survey(
      check,
      fc.integer({ min: 2, max: 4 }),
      async (count, on) => {
        const found = await race(async () => {
          const { wallet, credential, session } = await given.signedIn();
          need.that(
            wallet.credentials.every(({ id }) => id === credential.id),
            'the account has more credentials than those that are revoked',
          );
          const all: { readonly id: string; readonly session: WalletSession }[] = [
            { id: credential.id, session },
          ];
          while (all.length < count) {
            const next = need.registered(await wallet.probe(session, { label: 'registering a credential' }));
            all.push({ id: next.id, session: await given.session(wallet, next) });
          }
          const begun = new Map<string, () => Promise<Answer>>();
          for (const [at, { id }] of all.entries()) {
            // Each is signed by the session of the next one.
            const by = (all[(at + 1) % all.length] as (typeof all)[number]).session;
            const request = {
              ...credentialRequests.revoke(id),
              label: `revoking credential ${at + 1} of ${count}`,
            };
            const challenge = need.challenged(await wallet.signed(request, by, { times: 0 }));
            begun.set(id, () => wallet.retry(request, challenge, by));
          }
          return {
            records: wallet,
            calls: [...begun.keys()],
            send: (id: string) => (begun.get(id) as () => Promise<Answer>)(),
          };
        });
        const { records: wallet, history } = on.must(found, 'the calls did not overlap');
        const answers = history.map(({ answer }) => on.told(answer));
        on.must(answers.some(succeeded), 'none of the revocations was completed');
        const model = credentialsLeft(count);
        await on.hold(
          'CREDENTIAL-REVOKE-RACE',
          () =>
            expect(
              someOrderExplains(model, history),
              `some order in which ${answers.filter(succeeded).length} of ${count} are revoked and one remains`,
            ).toBe(true),
          answers,
        );
        const list = on.told(await wallet.list());
        on.must(succeeded(list), 'the list could not be read');
        await on.hold(
          'CREDENTIAL-REVOKE-RACE',
          () => expect(ownIds(list, wallet).length, 'credentials left').toBeGreaterThan(0),
          [list],
        );
      },
      { runs: RACES },
    );
  },
);

test(
  'retries at once with a few requestIds are completed once each',
  verifies('RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT'),
  async ({ given, need, check }) => {
    await survey(
      check,
      fc.integer({ min: 2, max: 6 }),
      async (count, on) => {
        const found = await race(async () => {
          const { wallet, session, credential } = await given.signedIn();
          const draft = await wallet.draftOauth();
          const request = { ...credentialRequests.register(draft.body), label: 'the same signed retry' };
          const challenge = need.challenged(await wallet.signed(request, session, { times: 0 }));
          const isListed = (list: Answer) => ownIds(list, wallet).includes(lower(credential.id));
          const before = need.that(
            distinct(await listUntil(wallet, isListed), wallet),
            'no credential is listed',
          );
          return {
            records: { wallet, before },
            calls: Array.from({ length: count }, (_, at) => at),
            send: () => wallet.retry(request, challenge, session),
          };
        });
        const { records, history } = on.must(found, 'the calls did not overlap');
        const answers = history.map(({ answer }) => on.told(answer));
        on.must(answers.some(succeeded), 'none of the retries was completed');
        await on.hold(
          'RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT',
          () => expect(answers.filter(succeeded).length, 'retries that were completed').toBe(1),
          answers,
        );
        const { wallet, before } = records;
        const list = on.told(await wallet.list());
        if (!succeeded(list)) return;
        await on.hold(
          'RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT',
          () => expect(distinct(list, wallet), 'credentials of the account').toBeLessThanOrEqual(before + 1),
          [list],
        );
      },
      { runs: RACES },
    );
  },
);

for (const type of ['EMAIL_OTP', 'SMS_OTP'] as const)
  test(
    `registrations of ${type} that are completed at once leave one`,
    verifies('CREDENTIAL-OTP-ONE-UNDER-RACE'),
    async ({ given, need, check }) => {
      given.mustProve('PASSKEY');
      await survey(
        check,
        fc.integer({ min: 2, max: 4 }),
        async (count, on) => {
          const found = await race(async () => {
            const { wallet, session } = await given.signedIn('PASSKEY');
            const born = wallet.credentials.find((one) => one.type === type);
            if (born) need((await wallet.revoke(born.id, session)).answer).accepted();
            const request = credentialRequests.register(wallet.draftCode(type).body);
            const challenges: RetryChallenge[] = [];
            for (let turn = 0; turn < count; turn += 1)
              challenges.push(
                on.must((await wallet.begin(request)).challenge, 'no challenge for a second one'),
              );
            return {
              records: wallet,
              calls: challenges,
              send: (challenge: RetryChallenge) => wallet.retry(request, challenge, session),
            };
          });
          const { history } = on.must(found, 'the calls did not overlap');
          const answers = history.map(({ answer }) => on.told(answer));
          on.must(answers.some(succeeded), 'neither registration went through');
          await on.hold(
            'CREDENTIAL-OTP-ONE-UNDER-RACE',
            () =>
              expect(
                new Set(answers.filter(succeeded).map(({ body }) => lower(body?.id))).size,
                `credentials of type ${type} that were registered`,
              ).toBe(1),
            answers,
          );
        },
        { runs: RACES },
      );
    },
  );

test(
  'of first registrations at once one goes through unsigned',
  verifies('CREDENTIAL-FIRST-ONLY-ONE'),
  async ({ given, need, check }) => {
    given.mustProve('OAUTH');
    need.offered(await given.emptyWallet(), 'the target prepares no account without credentials');
    await survey(
      check,
      fc.integer({ min: 2, max: 5 }),
      async (count, on) => {
        const found = await race(async () => {
          const wallet = on.must(await given.emptyWallet(), 'no account without credentials');
          const bodies = await Promise.all(
            Array.from({ length: count }, async () => (await wallet.draftOauth()).body),
          );
          return {
            records: wallet,
            calls: bodies,
            send: (body: object) =>
              wallet.send(credentialRequests.register(body), { label: 'registering a first credential' }),
          };
        });
        const { history } = on.must(found, 'the calls did not overlap');
        const answers = history.map(({ answer }) => on.told(answer));
        const created = () => answers.filter((answer) => answer.status === 201).length;
        on.must(answers.some(succeeded), 'no registration went through');
        await on.hold('CREDENTIAL-FIRST-ONLY-ONE', () =>
          expect(created(), 'registrations that went through unsigned').toBeLessThanOrEqual(1),
        );
      },
      { runs: RACES },
    );
  },
);

test(
  'a session that is revoked while it is used signs nothing afterwards',
  verifies('STAMP-REVOKED-SESSION'),
  async ({ given, need, check }) => {
    await survey(
      check,
      fc.integer({ min: 1, max: 4 }),
      async (uses, on) => {
        const found = await race(async () => {
          const { wallet, credential, session } = await given.signedIn();
          const doomed = await given.session(wallet, credential);
          const id = on.must(doomed.id, 'the session came without an id');
          const revoke = { ...sessionRequests.revoke(id), label: 'revoking the session' };
          const first = await wallet.signed(revoke, session, { times: 0 });
          need(first.first).available();
          const revocation = need.challenged(first);
          const pending = [];
          for (let turn = 0; turn < uses; turn += 1) {
            const draft = await wallet.draftOauth();
            const request = {
              ...credentialRequests.register(draft.body),
              label: 'a wallet request signed by the session',
            };
            pending.push({
              request,
              challenge: need.challenged(await wallet.signed(request, doomed, { times: 0 })),
            });
          }
          const sends = [
            () => wallet.retry(revoke, revocation, session),
            ...pending.map(
              ({ request, challenge }) =>
                () =>
                  wallet.retry(request, challenge, doomed),
            ),
          ];
          return {
            records: { wallet, doomed, session },
            calls: sends.map((_, at) => at),
            send: (at: number) => (sends[at] as () => Promise<Answer>)(),
          };
        });
        const { records, history } = on.must(found, 'the calls did not overlap');
        for (const { answer } of history) on.told(answer);
        const [revoked] = history;
        on.must(revoked && succeeded(revoked.answer), 'the session was not revoked');
        const { wallet, doomed, session } = records;
        const label = 'a wallet request signed by the revoked session';
        const late = await wallet.probe(doomed, { label });
        on.must(
          late.retries.length > 0 || (late.answer.exchange.response?.status ?? 0) >= 400,
          'the request could not be signed',
        );
        on.told(late.answer);
        const control = await wallet.probe(session, { label: 'the same, signed by a live session' });
        on.must(succeeded(on.told(control.answer)), 'a live session does not sign');
        await on.hold('STAMP-REVOKED-SESSION', () => expect(late.answer).toBeRefused(401, 403));
      },
      { runs: RACES },
    );
  },
);
