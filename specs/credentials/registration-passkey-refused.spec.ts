import { bentRegistrations } from '../../client/crypto/index.ts';
import { expect, test, verifies } from '../../suite/index.ts';
import { withStrayCharacter } from './support/stray-character.ts';

/** Which sentence of the interface each wrong registration breaks; the others are about things it does not speak of. */
const RULE: Readonly<Record<string, string>> = {
  'challenge-other': 'PASSKEY-REGISTRATION-CHALLENGE',
  'client-data-not-json': 'PASSKEY-REGISTRATION-CHALLENGE',
  'credential-id-other': 'PASSKEY-REGISTRATION-ATTESTATION',
  'attestation-object-not-cbor': 'PASSKEY-REGISTRATION-ATTESTATION',
  'attestation-object-truncated': 'PASSKEY-REGISTRATION-ATTESTATION',
};

for (const row of bentRegistrations) {
  const rule = RULE[row.name];
  if (rule === undefined) continue;
  test(
    `a passkey registration is refused that ${row.says}`,
    verifies(rule),
    async ({ given, check, need }) => {
      const { wallet, session } = await given.signedIn();
      need(
        (await wallet.register(wallet.draftPasskey(), session, { label: 'a good registration' })).answer,
      ).accepted();
      const bent = await wallet.register(
        wallet.draftPasskey({ register: (passkey, challenge) => row.make(passkey, challenge) }),
        session,
        { label: `a registration that ${row.says}` },
      );
      await check(rule, () => expect(bent.answer).toBeRefused());
    },
  );
}

for (const field of ['credentialId', 'clientDataJson', 'attestationObject'] as const)
  test(
    `${field} of a passkey registration is refused where it is not base64url`,
    verifies('PASSKEY-BYTES-BASE64URL'),
    async ({ given, check, need }) => {
      const { wallet, session } = await given.signedIn();
      need(
        (await wallet.register(wallet.draftPasskey(), session, { label: 'a good registration' })).answer,
      ).accepted();
      const draft = wallet.draftPasskey({
        register: (passkey, challenge) => {
          const good = passkey.register(challenge);
          return {
            ...good,
            attestation: { ...good.attestation, [field]: withStrayCharacter(good.attestation[field]) },
          };
        },
      });
      const bent = await wallet.register(draft, session, {
        label: `a registration whose ${field} is not base64url`,
      });
      await check('PASSKEY-BYTES-BASE64URL', () => expect(bent.answer).toBeRefused());
    },
  );
