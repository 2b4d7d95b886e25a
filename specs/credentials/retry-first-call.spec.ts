import { shapeRules } from '../../schemas/shape-rules.ts';
import { expect, test, verifies } from '../../suite/index.ts';
import { expectEndAhead } from './support/attempts.ts';
import { signedOperations } from './support/signed-operations.ts';

for (const { name, rule, assumes, prepare } of signedOperations)
  test(
    `${name}: the first call answers 202 and changes nothing`,
    verifies(
      rule,
      'RETRY-FIRST-CALL-CHANGES-NOTHING',
      'RETRY-REQUEST-ID-NEW',
      ...shapeRules('SignedRetryChallenge'),
    ),
    async ({ given, check, need, observe, profile }) => {
      const { wallet, fresh } = await prepare({ given, need, profile });
      const attempt = await fresh();
      const before = await attempt.look?.();
      let between = before;
      const { first, challenge } = await attempt.run({
        times: 0,
        between: async () => void (between = await attempt.look?.()),
      });
      const asksForHeaders =
        first.exchange.response !== undefined &&
        /^WALLET_SIGNATURE_|^REQUEST_ID_MISSING$/.test(first.code ?? '');
      if (!asksForHeaders) need(first).accepted();
      // At a path that is a guess something else may have answered, which needs no signature.
      await check(
        rule,
        () => {
          expect(first).toHaveHttpStatus(202);
          for (const secret of ['encryptedSessionSigningKey', 'encryptedWalletCredentials'])
            expect(first.body).not.toHaveProperty(secret);
        },
        { assumes },
      );
      need.that(challenge, `the first call was answered ${first.outcome} without a challenge`);
      await check('RETRY-EXPIRES-AT', () => expectEndAhead(wallet, first));
      observe('retry-type-meaning', { [name]: first.body.type ?? 'absent' }, first);

      const again = await attempt.run({ times: 0 }, 'once more');
      if (again.challenge)
        await check('RETRY-REQUEST-ID-NEW', () =>
          expect(String(again.first.body.requestId).toLowerCase()).not.toBe(
            String(first.body.requestId).toLowerCase(),
          ),
        );

      if (!before || !between) return;
      need.offered(
        before.value !== undefined && between.value !== undefined,
        `nothing shows what ${name} has changed`,
      );
      const [then, now] = [before, between];
      await check(
        'RETRY-FIRST-CALL-CHANGES-NOTHING',
        () => expect(now.value, 'after the first call').toEqual(then.value),
        [first, now.answer],
      );
    },
  );

test(
  'first calls of different operations get requestIds of their own',
  verifies('RETRY-REQUEST-ID-NEW'),
  async ({ given, check, need, profile }) => {
    const seen: string[] = [];
    const firsts = [];
    for (const { prepare } of signedOperations.slice(0, 3)) {
      const { fresh } = await prepare({ given, need, profile });
      const { first, challenge } = await (await fresh()).run({ times: 0 });
      if (!challenge) continue;
      firsts.push(first);
      seen.push(challenge.requestId.toLowerCase());
    }
    need.that(seen.length > 1, 'fewer than two first calls gave a requestId');
    await check(
      'RETRY-REQUEST-ID-NEW',
      () => expect(new Set(seen).size, 'different requestIds').toBe(seen.length),
      firsts,
    );
  },
);
