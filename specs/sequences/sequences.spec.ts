import { sequences } from '../../generators/steps.ts';
import { survey, test, verifies } from '../../suite/index.ts';
import { CREDENTIAL_RULES, CREDENTIAL_STEPS, CredentialModel } from './models/credential-model.ts';

test(
  'whatever is done in whatever order, an account has the credentials and sessions that it should',
  verifies(...CREDENTIAL_RULES),
  async ({ given, check, profile }) => {
    given.unshared('prepared wallets are shared between tests');
    given.mustProve('OAUTH');
    await survey(
      check,
      sequences(CREDENTIAL_STEPS),
      async (steps, on) => {
        const model = new CredentialModel(await given.signedIn('OAUTH'), profile, on);
        for (const step of steps) await model.take(step);
      },
      { runs: 5 },
    );
  },
);
