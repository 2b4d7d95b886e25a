import { shapeRules } from '../../schemas/shape-rules.ts';
import { asksForSignature, expect, signedOperations, test, verifies } from '../../suite/index.ts';

const SECRETS = ['encryptedSessionSigningKey', 'encryptedWalletCredentials'];

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
      if (!asksForSignature(first)) need(first).accepted();
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

      const again = await request.send({ label: 'once more', times: 0 });
      if (again.challenge)
        await check('RETRY-REQUEST-ID-NEW', () =>
          expect(String(again.first.body.requestId).toLowerCase()).not.toBe(
            String(first.body.requestId).toLowerCase(),
          ),
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
