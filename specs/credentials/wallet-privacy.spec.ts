import { expect, test, verifies } from '../../suite/index.ts';
import { mustChallenge } from './support/attempts.ts';
import { expectSame, readPrivacy } from './support/read-back.ts';

for (const order of [
  [true, false],
  [false, true],
])
  test(
    `a wallet's privacy is set by the signed retry to ${order.join(', then to ')}`,
    verifies('WALLET-PRIVACY-COMPLETES'),
    async ({ given, check, need, observe }) => {
      const { wallet, session } = await given.signedIn();
      need((await wallet.probe(session)).answer).accepted();
      for (const setting of order) {
        const update = await wallet.setPrivacy(setting, session);
        need(update.first).available();
        mustChallenge(need, update);
        const { answer } = update;
        await check('WALLET-PRIVACY-COMPLETES', () => expect(answer).toBeAccepted());
        need(answer).accepted();
        observe('wallet-privacy-operation', { first: update.first.outcome, then: answer.outcome }, answer);
        // The field's name is not shown: judged only where the target uses the usual one.
        const echoed: unknown = answer.body?.privateEnabled;
        if (typeof echoed === 'boolean')
          await check('WALLET-PRIVACY-COMPLETES', () =>
            expect(answer.body.privateEnabled, 'the setting that is answered').toBe(setting),
          );
        const look = await readPrivacy(wallet);
        if (typeof look.value === 'boolean')
          await check('WALLET-PRIVACY-COMPLETES', () =>
            expectSame(look, setting, 'the setting that is read back'),
          );
      }
    },
  );
