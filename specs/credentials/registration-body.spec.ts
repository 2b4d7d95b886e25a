import fc from 'fast-check';
import { wrongRecordIds } from '../../generators/ids.ts';
import { oneMistakes, type Body, type OneMistake } from '../../generators/mistakes.ts';
import { nearMisses } from '../../generators/texts.ts';
import { enumOf } from '../../schemas/openapi.ts';
import { expect, explore, idsOf, lower, ownIds, test, verifies } from '../../suite/index.ts';
import { listUntil } from '../support/credential-lists.ts';
import { notAccepted } from '../support/refusals.ts';

const BODIES = {
  OAUTH: 'CreateOauthCredential',
  PASSKEY: 'CreatePasskeyCredential',
  SMS_OTP: 'CreateOtpCredential',
} as const;

/** What the text leaves open: a nickname may be optional, and the browser tells the id within the attestation, too. */
const OPEN = /^(nickname|attestation\.credentialId)$/;

for (const type of ['OAUTH', 'PASSKEY', 'SMS_OTP'] as const)
  test(
    `a registration of ${type} with one mistake registers nothing`,
    verifies('CREDENTIAL-CREATE-BODY'),
    async ({ given, need, check }) => {
      given.mustProve(type);
      const control = await given.signedIn();
      need.completed(await control.wallet.register(type, control.session));
      const { wallet, session, credential } = await given.signedIn();
      const draft = await wallet.draft(type);
      const before = await listUntil(wallet, (list) => idsOf(list).includes(lower(credential.id)));

      const wrong = (field: string, value: string) => ({
        field,
        mistake: value,
        body: { ...draft.body, [field]: value } as Body,
      });
      const inputs = fc.oneof(
        { weight: 3, arbitrary: oneMistakes(BODIES[type], draft.body, ({ field }) => !OPEN.test(field)) },
        nearMisses(enumOf('CredentialType')).map((value) => wrong('type', value)),
        // A service may read a bare uuid generously.
        wrongRecordIds(wallet.accountId)
          .filter(({ mistake }) => mistake !== 'no resource')
          .map(({ id }) => wrong('accountId', id)),
      );
      const refused = async ({
        field,
        mistake,
        body,
      }: Pick<OneMistake, 'field' | 'body'> & { mistake: string }) => {
        const label = `registering ${type}, ${field}: ${mistake}`;
        const { first, answer, retries } = await wallet.register({ ...draft, body }, session, { label });
        // A 202 that gives nothing to sign has registered nothing yet.
        fc.pre(retries.length > 0 || first.exchange.response?.status !== 202);
        notAccepted(answer);
      };
      const kept = await check('CREDENTIAL-CREATE-BODY', async () => {
        // A service that folds letters takes this one for what it would otherwise be.
        await explore(fc.constant(wrong('type', type.toLowerCase())), refused, { runs: 1 });
        await explore(inputs, refused);
      });
      const after = await wallet.list({ label: "listing the account's credentials after the mistakes" });
      if (!kept || !before.exchange.response || !after.exchange.response) return;
      need(before).accepted();
      need(after).accepted();
      await check('CREDENTIAL-CREATE-BODY', () =>
        expect(ownIds(after, wallet), 'credentials').toEqual(ownIds(before, wallet)),
      );
    },
  );
