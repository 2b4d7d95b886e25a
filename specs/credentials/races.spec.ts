import fc from 'fast-check';
import {
  credentialRequests,
  expect,
  idsOf,
  lower,
  ownIds,
  sessionRequests,
  succeeded,
  survey,
  test,
  verifies,
  type Answer,
  type Given,
  type Walk,
} from '../../suite/index.ts';
import { listWith } from '../support/credentials.ts';
import { callsOf, raced } from '../../suite/concurrent-calls.ts';

/** Races of one kind at standard depth. */
const RUNS = 3;

/** Calls that are made at the same moment, of which all but a few must be refused. */
interface Race {
  readonly title: string;
  readonly rule: string;
  /** How many calls there are. */
  readonly between: readonly [least: number, most: number];
  /** Makes everything ready on fresh records. */
  readonly begin: (given: Given, count: number) => Promise<Begun>;
  /** What must not be more than `allowed`: the calls that were accepted, unless given. */
  readonly counted?: (answers: readonly Answer[]) => number;
  /** One unless given. */
  readonly allowed?: (count: number) => number;
}

interface Begun {
  readonly sends: readonly (() => Promise<Answer>)[];
  /** What is looked at once all have been answered. */
  readonly after?: (on: Walk) => Promise<unknown>;
}

const RACES: readonly Race[] = [
  {
    title: 'of all credentials revoked at once one remains',
    rule: 'CREDENTIAL-REVOKE-RACE',
    between: [2, 4],
    allowed: (count) => count - 1,
    async begin(given, count) {
      const { wallet, credential, session } = await given.signedIn();
      wallet.need.that(
        wallet.credentials.every(({ id }) => id === credential.id),
        'the account has more credentials than those that are revoked',
      );
      const all = [{ id: credential.id, session }];
      while (all.length < count) {
        const next = await wallet.addCredential('registering a credential');
        all.push({ id: next.id, session: await given.session(wallet, next) });
      }
      // A list that leaves out some of them breaks another rule.
      const ids = all.map(({ id }) => id);
      const list = await listWith(wallet, ...ids);
      const isComplete = ids.every((id) => idsOf(list).includes(lower(id)));
      const sends = [];
      for (const [at, { id }] of all.entries()) {
        // Each is signed by the session of the next one.
        const by = (all[(at + 1) % count] as (typeof all)[number]).session;
        const label = `revoking credential ${at + 1} of ${count}`;
        sends.push(await wallet.begun({ ...credentialRequests.revoke(id), label }, by));
      }
      const after = async (on: Walk) => {
        if (!isComplete) return;
        const list = on.told(await wallet.list());
        on.need.that(succeeded(list), 'the list could not be read');
        await on.hold(
          'CREDENTIAL-REVOKE-RACE',
          () => expect(ownIds(list, wallet).length, 'credentials left').toBeGreaterThan(0),
          [list],
        );
      };
      return { sends, after };
    },
  },
  {
    title: 'retries at once with one requestId are completed once',
    rule: 'RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT',
    between: [2, 6],
    async begin(given, count) {
      given.needProve('OAUTH');
      const { wallet, session, credential } = await given.signedInBeside('OAUTH');
      // An identity that is registered twice may be two credentials, where a passkey would be a duplicate.
      const { body } = await wallet.draftOauth();
      const request = { ...credentialRequests.register(body), label: 'the same signed retry' };
      const send = await wallet.begun(request, session);
      // A list that shows one credential twice breaks another rule.
      const held = (list: Answer) => new Set(ownIds(list, wallet)).size;
      const before = held(await listWith(wallet, credential.id));
      const after = async (on: Walk) => {
        const list = on.told(await wallet.list());
        if (!succeeded(list)) return;
        await on.hold(
          'RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT',
          () => expect(held(list), 'credentials of the account').toBeLessThanOrEqual(before + 1),
          [list],
        );
      };
      return { sends: Array.from({ length: count }, () => send), after };
    },
  },
  ...(['EMAIL_OTP', 'SMS_OTP'] as const).map((type): Race => ({
    title: `registrations of ${type} that are completed at once leave one`,
    rule: 'CREDENTIAL-OTP-ONE-UNDER-RACE',
    between: [2, 4],
    counted: (answers) => new Set(answers.filter(succeeded).map(({ body }) => lower(body?.id))).size,
    async begin(given, count) {
      given.needProve(type);
      const { wallet, session } = await given.signedIn('PASSKEY');
      const born = wallet.credentials.find((one) => one.type === type);
      if (born) await wallet.needRevoke(born.id, session);
      const request = credentialRequests.register(wallet.draftCode(type).body);
      const sends = [];
      while (sends.length < count) sends.push(await wallet.begun(request, session));
      return { sends };
    },
  })),
  {
    title: 'registrations of one passkey that are completed at once leave one',
    rule: 'CREDENTIAL-PASSKEY-DUPLICATE',
    between: [2, 4],
    counted: (answers) => new Set(answers.filter(succeeded).map(({ body }) => lower(body?.id))).size,
    async begin(given, count) {
      const { wallet, session } = await given.signedIn('EMAIL_OTP');
      const { body } = wallet.draftPasskey();
      const sends = [];
      while (sends.length < count) sends.push(await wallet.begun(credentialRequests.register(body), session));
      return { sends };
    },
  },
  {
    title: 'of first registrations at once one goes through unsigned',
    rule: 'CREDENTIAL-FIRST-ONLY-ONE',
    between: [2, 5],
    counted: (answers) => answers.filter((answer) => succeeded(answer) && answer.status !== 202).length,
    async begin(given, count) {
      const wallet = await given.wallet();
      const drafts = await Promise.all(Array.from({ length: count }, () => wallet.anyDraft()));
      for (const { type } of drafts) given.needProve(type);
      const label = 'registering a first credential';
      return {
        sends: drafts.map(
          ({ body }) =>
            () =>
              wallet.send({ ...credentialRequests.register(body), label }),
        ),
      };
    },
  },
  {
    title: 'of several verifies at once with one Request-Id, one mints a session',
    rule: 'VERIFY-PASSKEY-REQUEST-ID-REUSED',
    between: [2, 4],
    async begin(given, count) {
      const { wallet, credential } = await given.holding('PASSKEY');
      const clientKey = wallet.newKey();
      const challenge = await wallet.needChallenge(credential, { clientKey });
      const options = { challenge, clientKey, label: 'one of several verifies at once' };
      // A login that gets no further than its challenge would count the answer to that.
      const send = async () => (await wallet.attempt(credential, options)).answer;
      return { sends: Array.from({ length: count }, () => send) };
    },
  },
];

for (const { title, rule, between, begin, counted = accepted, allowed = () => 1 } of RACES)
  test(title, verifies(rule), async ({ given, check }) => {
    const [min, max] = between;
    await survey(
      check,
      fc.integer({ min, max }),
      async (count, on) => {
        const { records, answers } = await raced(
          on,
          callsOf(() => begin(given, count)),
        );
        on.need.that(answers.some(succeeded), 'none of them went through');
        await on.hold(
          rule,
          () => expect(counted(answers), `that went through of ${count}`).toBeLessThanOrEqual(allowed(count)),
          answers,
        );
        await records.after?.(on);
      },
      { runs: RUNS },
    );
  });

test(
  'a session that is revoked while it is used signs nothing afterwards',
  verifies('STAMP-REVOKED-SESSION'),
  async ({ given, check }) => {
    await survey(
      check,
      fc.integer({ min: 1, max: 4 }),
      async (uses, on) => {
        const { records, answers } = await raced(
          on,
          callsOf(async () => {
            const { wallet, credential, session } = await given.signedIn();
            const doomed = await given.session(wallet, credential);
            const id = on.need.that(doomed.id, 'the session came without an id');
            const request = { ...sessionRequests.revoke(id), label: 'revoking the session' };
            const first = await wallet.begin(request);
            wallet.need(first.first).available();
            const challenge = wallet.need.challenged(first);
            const sends = [() => wallet.retry(request, challenge, session)];
            while (sends.length <= uses) {
              const { body } = await wallet.anyDraft();
              const label = 'a wallet request signed by the session';
              sends.push(await wallet.begun({ ...credentialRequests.register(body), label }, doomed));
            }
            return { sends, wallet, doomed, session };
          }),
        );
        on.need.that(answers[0] && succeeded(answers[0]), 'the session was not revoked');
        const { wallet, doomed, session } = records;
        const late = on.told(await wallet.signedBy(doomed, 'a wallet request signed by the revoked session'));
        const control = await wallet.tryKey(session, { label: 'the same, signed by a live session' });
        on.need.that(succeeded(on.told(control.answer)), 'a live session does not sign');
        await on.hold('STAMP-REVOKED-SESSION', () => expect(late).toBeRefused(401, 403));
      },
      { runs: RUNS },
    );
  },
);

function accepted(answers: readonly Answer[]): number {
  return answers.filter(succeeded).length;
}
