import { sequences } from '../../generators/steps.ts';
import { survey, test, verifies } from '../../suite/index.ts';
import { CREDENTIAL_RULES, CREDENTIAL_STEPS, CredentialModel } from './models/credential-model.ts';

test(
  'whatever is done in whatever order, an account has the credentials and sessions that it should',
  verifies(...CREDENTIAL_RULES),
  async ({ given, check, profile }) => {
    given.unshared('prepared wallets are shared between tests');
    given.mustProve('OAUTH');
    const { session: foreign } = await given.signedIn();

    await survey(
      check,
      sequences(CREDENTIAL_STEPS),
      async (steps, on) => {
        const model = new CredentialModel({ ...(await given.signedIn('OAUTH')), foreign, profile }, on);
        // Shows that this target reads our stamps, so that refusing a wrong one says something.
        await model.take({ do: 'register PASSKEY', which: 0, what: 0 });
        for (const step of steps) await model.take(step);
      },
      { runs: 5 },
    );
  },
);
