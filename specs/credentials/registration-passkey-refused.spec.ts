import { randomBytes } from 'node:crypto';
import { tamperedRegistrations } from '../../client/crypto/index.ts';
import { expect, test, verifies } from '../../suite/index.ts';

/** Which sentence of the interface each wrong registration breaks; the others are about things it does not speak of. */
const RULE: Readonly<Record<string, string>> = {
  'challenge-other': 'PASSKEY-REGISTRATION-CHALLENGE',
  'rp-id-other': 'PASSKEY-REGISTRATION-DOMAIN',
  'credential-id-other': 'PASSKEY-REGISTRATION-ATTESTATION',
  'attestation-object-not-cbor': 'PASSKEY-REGISTRATION-ATTESTATION',
  'attestation-object-truncated': 'PASSKEY-REGISTRATION-ATTESTATION',
};

for (const row of tamperedRegistrations) {
  const rule = RULE[row.name];
  if (rule === undefined) continue;
  test(
    `a passkey registration is refused that ${row.says}`,
    verifies(rule),
    async ({ given, check, need }) => {
      const { wallet, session } = await given.signedIn();
      need((await wallet.register('PASSKEY', session, { label: 'a good registration' })).answer).accepted();
      const wrong = await wallet.register(
        wallet.draftPasskey({ register: (passkey, challenge) => row.make(passkey, challenge) }),
        session,
        { label: `a registration that ${row.says}` },
      );
      await check(rule, () => expect(wrong.answer).toBeRefused());
    },
  );
}

/** Both characters that base64url has and base64 has not: a decoder of the other alphabet gets other bytes, or none. */
const WITH_BOTH = Buffer.from([0xfb, 0xff, 0xbf, ...randomBytes(13)]).toString('base64url');

test(
  'byte values of a passkey are taken as base64url',
  verifies('PASSKEY-BYTES-BASE64URL'),
  async ({ given, check, need }) => {
    const { wallet, session } = await given.signedIn();
    need((await wallet.register('PASSKEY', session, { label: 'a good registration' })).answer).accepted();
    const passkey = wallet.newPasskey({ credentialId: WITH_BOTH });
    const registration = await wallet.register(wallet.draftPasskey({ passkey }), session, {
      label: 'a registration whose credentialId holds - and _',
    });
    await check('PASSKEY-BYTES-BASE64URL', () => expect(registration.answer).toBeAccepted());
    const login = await wallet.login(need.registered(registration));
    need.reachedVerify(login);
    await check('PASSKEY-BYTES-BASE64URL', () => expect(login.answer).toBeAccepted());
  },
);

test('whether characters that base64url has not are dropped', async ({ given, need, observe }) => {
  const { wallet, session } = await given.signedIn();
  for (const field of ['credentialId', 'clientDataJson', 'attestationObject'] as const) {
    const draft = wallet.draftPasskey({
      register: (passkey, challenge) => {
        const good = passkey.register(challenge);
        return {
          ...good,
          attestation: { ...good.attestation, [field]: withStrayCharacter(good.attestation[field]) },
        };
      },
    });
    const { answer } = await wallet.register(draft, session, {
      label: `a registration whose ${field} is not base64url`,
    });
    observe('passkey-stray-characters', { [field]: answer.outcome }, answer);
  }
  need((await wallet.probe(session)).answer).accepted();
});

/**
 * A base64url text with one character that base64url has not, put in so that a decoder which drops such characters gets the
 * right bytes all the same.
 */
function withStrayCharacter(base64url: string): string {
  return `${base64url.slice(0, 4)}%${base64url.slice(4)}`;
}
