import { expect, test, verifies } from '../../suite/index.ts';
import { mustChallenge } from './support/attempts.ts';

test(
  'a wallet is exported by the signed retry',
  verifies('WALLET-EXPORT-COMPLETES'),
  async ({ given, check, need, observe }) => {
    const { wallet, session } = await given.signedIn();
    need((await wallet.probe(session)).answer).accepted();
    const exported = await wallet.exportWallet(session);
    need(exported.first).available();
    mustChallenge(need, exported);
    await check('WALLET-EXPORT-COMPLETES', () => expect(exported.answer).toBeAccepted());
    observe(
      'wallet-export-operation',
      { first: exported.first.outcome, then: exported.answer.outcome },
      exported.answer,
    );
  },
);
