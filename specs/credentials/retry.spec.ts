import { isDeepStrictEqual } from 'node:util';
import { shapeRules } from '../../schemas/openapi.ts';
import {
  asksForSignature,
  expect,
  signedOperation,
  signedOperations,
  succeeded,
  test,
  verifies,
  type Answer,
  type SignedOperation,
  type Wallet,
} from '../../suite/index.ts';

const SECRETS = ['encryptedSessionSigningKey', 'encryptedWalletCredentials'];

/** Retries that are sent at the same moment. */
const AT_ONCE = 4;
/** Races that are run: one alone may be won by chance. Each login costs a challenge, of which there may be few. */
const RACES = 3;
const LOGIN_RACES = 2;
/** Operations after which what they name may not be there any more. */
const ENDS_ITS_OBJECT = new Set(['RETRY-CREDENTIAL-REVOKE', 'RETRY-SESSION-REVOKE', 'RETRY-SESSION-REFRESH']);
/** What a request gets whose object is gone, beside 404. */
const OF_WHAT_HAS_ENDED = new Set([400, 403, 409, 410]);

for (const operation of signedOperations) {
  const { name, rule, assumes, signsInWith } = operation;
  test(
    `${name}: the first call answers 202 with something to sign`,
    verifies(rule, 'RETRY-REQUEST-ID-NEW', ...shapeRules('SignedRetryChallenge')),
    async ({ given, check, need, observe }) => {
      const { wallet } = await given.signedIn(signsInWith);
      const request = await wallet.prepare(operation);
      const begun = await request.send({ times: 0 });
      const { first } = begun;
      // A revocation stands at a path that is given, and there is a credential that may be revoked: nothing speaks against it.
      if (rule !== 'RETRY-CREDENTIAL-REVOKE' && !asksForSignature(first)) need(first).accepted();
      // At a path that is a guess something else may have answered, which needs no signature.
      await check(
        rule,
        () => {
          expect(first).toHaveHttpStatus(202);
          for (const secret of SECRETS) expect(first.body).not.toHaveProperty(secret);
        },
        { assumes },
      );
      need.challenged(begun);
      await check('RETRY-EXPIRES-AT', () => expect(first).toExpireAfter(wallet.clock.earliestNow(first)));
      observe('retry-type-meaning', { [name]: first.body.type ?? 'absent' }, first);

      // The same request may get the same requestId, but not one that has served.
      if (!request.request || ENDS_ITS_OBJECT.has(rule)) return;
      const done = await request.send({ label: 'completed' });
      const again = await wallet.begin({ ...request.request, label: `${name}, once more` });
      if (succeeded(done.answer) && done.challenge && again.challenge)
        await check(
          'RETRY-REQUEST-ID-NEW',
          () =>
            expect(again.challenge?.requestId.toLowerCase()).not.toBe(
              done.challenge?.requestId.toLowerCase(),
            ),
          [again.first],
        );
    },
  );

  if (rule === 'RETRY-WALLET-EXPORT') continue; // It changes nothing in any case.
  test(
    `${name}: the first call changes nothing`,
    verifies('RETRY-FIRST-CALL-CHANGES-NOTHING'),
    async ({ given, check, need }) => {
      const { wallet } = await given.signedIn(signsInWith);
      const request = await wallet.prepare(operation);
      const before = await request.readBack?.();
      let between = before;
      const begun = await request.send({
        times: 0,
        between: async () => void (between = await request.readBack?.()),
      });
      need.challenged(begun);
      need.offered(
        before?.value !== undefined && between?.value !== undefined,
        `nothing shows what ${name} has changed`,
      );
      await check(
        'RETRY-FIRST-CALL-CHANGES-NOTHING',
        () => expect(between?.value, 'after the first call').toEqual(before?.value),
        [begun.first, ...(between ? [between.answer] : [])],
      );
    },
  );
}

test(
  'first calls of different operations get requestIds of their own',
  verifies('RETRY-REQUEST-ID-NEW'),
  async ({ given, check, need }) => {
    const begun = [];
    for (const operation of signedOperations.slice(0, 3)) {
      const { wallet } = await given.signedIn(operation.signsInWith);
      begun.push(await (await wallet.prepare(operation)).send({ times: 0 }));
    }
    const challenged = begun.filter(({ challenge }) => challenge !== undefined);
    need.that(challenged.length > 1, 'fewer than two first calls gave a requestId');
    const ids = new Set(challenged.map(({ challenge }) => challenge?.requestId.toLowerCase()));
    await check(
      'RETRY-REQUEST-ID-NEW',
      () => expect(ids.size, 'different requestIds').toBe(challenged.length),
      challenged.map(({ first }) => first),
    );
  },
);

for (const operation of signedOperations) {
  const { name, rule, signsInWith } = operation;
  test(
    `${name}: a requestId serves once`,
    verifies('RETRY-REQUEST-ID-SINGLE-USE'),
    async ({ given, check, need, observe }) => {
      const { wallet } = await given.signedIn(signsInWith);
      const isAdding = rule === 'RETRY-CREDENTIAL-CREATE';
      const reused = await (isAdding ? addedTwice : usedTwice)(wallet, operation);
      // What the first retry ended may be what the second is refused for: which status that has is not shown.
      const status = reused.exchange.response?.status ?? 0;
      need.offered(
        status !== 404 && !(ENDS_ITS_OBJECT.has(rule) && OF_WHAT_HAS_ENDED.has(status)),
        'what the retry ended is not there any more, so its requestId is not looked at',
      );
      await check('RETRY-REQUEST-ID-SINGLE-USE', () => expect(reused).toHaveHttpStatus(401));
      observe('retry-reuse-code', reused);
    },
  );

  test(
    `${name}: of ${AT_ONCE} retries at once one at most succeeds`,
    verifies('RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT'),
    async ({ given, check, need }) => {
      const { wallet } = await given.signedIn(signsInWith);
      await wallet.mustComplete(operation);
      const races = rule === 'RETRY-OTP-VERIFY' ? LOGIN_RACES : RACES;
      for (let race = 0; race < races; race += 1) {
        const label = `sent ${AT_ONCE} times at once`;
        const request = await wallet.prepare(operation);
        const before = await request.readBack?.();
        let between = before;
        const { retries } = await wallet.signedRetry(request, {
          ...{ label, times: AT_ONCE, atOnce: true },
          between: async () => void (between = await request.readBack?.()),
        });
        need.that(
          isDeepStrictEqual(between?.value, before?.value),
          'the first call has done it already, so the retries had nothing left to do',
        );
        for (const { cameFromBetween, label, outcome } of retries)
          need.that(!cameFromBetween, `"${label}" was answered ${outcome}: how many succeeded is not known`);
        // Each may have stood in the way of the others.
        need.that(retries.some(succeeded), 'none of the retries at once went through');
        const kept = await check('RETRY-REQUEST-ID-SINGLE-USE-CONCURRENT', () => {
          const statuses = retries.map(({ status }) => status);
          const successes = statuses.filter((status) => status < 300);
          expect(successes, `successes among ${statuses.join(', ')}`).toHaveLength(1);
        });
        if (!kept) return;
      }
    },
  );
}

test(
  'verifying a code by text message: a requestId serves once',
  verifies('RETRY-REQUEST-ID-SINGLE-USE'),
  async ({ given, check }) => {
    const { wallet } = await given.signedIn('SMS_OTP');
    const again = await usedTwice(wallet, signedOperation('RETRY-OTP-VERIFY'));
    await check('RETRY-REQUEST-ID-SINGLE-USE', () => expect(again).toHaveHttpStatus(401));
  },
);

/** The second of two same retries. */
async function usedTwice(wallet: Wallet, operation: SignedOperation): Promise<Answer> {
  const { need } = wallet;
  const retry = await wallet.signedRetry(operation, { label: 'sent twice', times: 2 });
  need(retry.answer).accepted();
  return need.that(retry.retries[1], 'the second retry was not sent');
}

/** The same, but what the first registered is taken away between them, so that no duplicate refuses the second. */
async function addedTwice(wallet: Wallet, operation: SignedOperation): Promise<Answer> {
  const { need } = wallet;
  const prepared = await wallet.prepare(operation);
  const request = need.that(prepared.request, 'there is no request to send');
  const { answer, challenge } = need.completed(await wallet.signedRetry(prepared, { label: 'sent once' }));
  const { id } = answer.body as { id?: unknown };
  need.that(typeof id === 'string', 'the registered credential came without an id');
  await wallet.mustRevoke(id as string, wallet.signer.session);
  const label = `${operation.name}, sent again once the credential is gone`;
  return wallet.retry({ ...request, label }, challenge, prepared.key);
}
