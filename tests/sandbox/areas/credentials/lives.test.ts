import fc from 'fast-check';
import { Key } from '../../support/mini/key.ts';
import { expect, test, Wallet, type Answer, type Step, type Wallets } from '../../support/mini/wallet.ts';

/** So many sequences at least, and no new one after so many milliseconds. */
const SEQUENCES = 6;
const TIME = 4_000;

const which = fc.nat({ max: 50 });
const call = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('log in' as const), which }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('revoke' as const, 'end' as const, 'refresh' as const, 'register' as const),
      which,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('sign' as const), which, key: which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      which: fc.constantFrom(59, 299, 301, 899, 901),
    }),
  },
);
const batches = fc.array(fc.array(call, { minLength: 1, maxLength: 3, size: 'max' }), {
  minLength: 8,
  maxLength: 20,
  size: 'max',
});

/** What a client knows of a wallet while anything happens to it. */
interface Known {
  readonly wallet: Wallet;
  readonly sessions: { readonly id: string; readonly key: Key }[];
  readonly begun: { readonly step: Step; readonly first: Answer; done: number }[];
}

async function logIn({ wallet, sessions }: Known, id: number): Promise<readonly Answer[]> {
  const credential = wallet.credentials[id % wallet.credentials.length]!;
  const challenge = await wallet.at.post(`/auth/credentials/${credential.id}/challenge`);
  if (challenge.status !== 200) return [challenge];
  const { data } = JSON.parse(challenge.body.otpEncryptionTargetBundle);
  const target = Buffer.from(JSON.parse(Buffer.from(data, 'hex').toString()).targetPublic, 'hex');
  const key = new Key();
  const step = wallet.otpStep(credential, target, key);
  const first = await wallet.at.send(step);
  if (first.status !== 202) return [challenge, first];
  const answer = await wallet.retry(step, first, key);
  if (answer.status === 200) sessions.push({ id: answer.body.id, key });
  return [challenge, first, answer];
}

async function begin(known: Known, kind: string, at: number): Promise<readonly Answer[]> {
  const { wallet, sessions, begun } = known;
  const credentials = await wallet.list();
  const session = sessions[at % sessions.length]!;
  const steps: Readonly<Record<string, Step>> = {
    revoke: { method: 'DELETE', path: `/auth/credentials/${credentials[at % credentials.length]!.id}` },
    end: { method: 'DELETE', path: `/auth/sessions/${session.id}` },
    refresh: {
      method: 'POST',
      path: `/auth/sessions/${session.id}/refresh`,
      body: { clientPublicKey: new Key().uncompressed },
    },
    register: wallet.oauthStep(),
  };
  const first = await wallet.at.send(steps[kind]!);
  if (first.status === 202) begun.push({ step: steps[kind]!, first, done: 0 });
  return [first];
}

async function sign({ wallet, sessions, begun }: Known, at: number, by: number): Promise<readonly Answer[]> {
  const one = begun[at % Math.max(begun.length, 1)];
  if (!one) return [];
  const answer = await wallet.retry(one.step, one.first, sessions[by % sessions.length]!.key);
  if (answer.status < 300) one.done += 1;
  expect(one.done, `completions of ${one.step.method} ${one.step.path}`).toBeLessThanOrEqual(1);
  return [answer];
}

function make(known: Known, one: typeof call extends fc.Arbitrary<infer T> ? T : never) {
  if (one.do === 'log in') return logIn(known, one.which);
  if (one.do === 'sign') return sign(known, one.which, one.key);
  if (one.do !== 'wait') return begin(known, one.do, one.which);
  return known.wallet.advance(one.which).then((): readonly Answer[] => []);
}

test('whatever happens to credentials, sessions and signed requests, none leaves its life', async ({
  wallets,
}) => {
  test.setTimeout(60_000);
  const until = Date.now() + TIME;
  const statuses = new Map<number, number>();
  let played = 0;
  await fc.assert(
    fc.asyncProperty(batches, async (sequence) => {
      if (played >= SEQUENCES && Date.now() > until) return;
      const wallet = await wallets().open('EMAIL_OTP', 'SMS_OTP');
      const known: Known = { wallet, sessions: [], begun: [] };
      for (const at of [0, 1]) await logIn(known, at);
      for (const batch of sequence) {
        for (const answers of await Promise.all(batch.map((one) => make(known, one))))
          for (const { status, body } of answers) {
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            expect(status, JSON.stringify(body)).toBeLessThan(500);
          }
        expect((await wallet.list()).length, 'credentials left').toBeGreaterThan(0);
      }
      played++;
    }),
    { numRuns: 200 },
  );
  for (const status of [200, 201, 202, 204, 401, 404])
    expect(statuses.get(status), `${status}`).toBeGreaterThan(0);
});

/** A Global Account with money, its owner's session, and the quote that takes money from it. */
async function prepare(at: Wallets) {
  const state = await at.state('wallet-payment');
  const wallet = new Wallet(at, { ...state, email: '' });
  const { key } = await wallet.loginByCode();
  const quote = await at.post('/quotes', state.body);
  expect(quote.status, JSON.stringify(quote.body)).toBe(201);
  const execution = { method: 'POST', path: `/quotes/${quote.body.id}/execute` } as const;
  return { state, wallet, key, execution };
}

async function held(wallet: Wallet): Promise<number> {
  const { body } = await wallet.at.get(`/customers/internal-accounts?customerId=${wallet.customerId}`);
  return body.data.find(({ id }: { id: string }) => id === wallet.accountId).balance.amount;
}

test('a quote from a Global Account is executed once its session has signed', async ({ wallets }) => {
  const { wallet, key, execution } = await prepare(wallets());
  const before = await held(wallet);
  expect((await wallet.at.send(execution)).status).toBe(202);
  expect(await held(wallet)).toBe(before);
  expect((await wallet.signed(execution, key)).status).toBe(200);
  expect(await held(wallet)).toBeLessThan(before);
});

test('a session of another account does not sign it', async ({ wallets }) => {
  const { wallet, execution } = await prepare(wallets());
  const before = await held(wallet);
  const other = await prepare(wallets());
  expect((await wallet.signed(execution, other.key)).status).toBe(401);
  expect(await held(wallet)).toBe(before);
});

test('an agent pays from an ordinary account and from no Global Account', async ({ wallets }) => {
  const at = wallets();
  const { state, wallet } = await prepare(at);
  const authorization = `Bearer ${state.accessToken}`;
  const transfer = (accountId: string) =>
    at.post(
      '/agents/me/transfer-out',
      { source: { accountId }, destination: { accountId: state.destinationAccountId }, amount: 1_000 },
      { authorization },
    );
  const before = await held(wallet);
  expect((await transfer(state.sourceAccountId)).status).toBe(201);
  expect((await transfer(state.accountId)).status).toBe(403);
  const quote = await at.post('/agents/me/quotes', state.body, { authorization });
  const path = `/agents/me/quotes/${quote.body.id}/execute`;
  expect((await at.post(path, undefined, { authorization })).status).toBe(403);
  expect(await held(wallet)).toBe(before);
});
